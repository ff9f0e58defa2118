"""Random numbers in place of identifiers, with the key table that only the office keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from shoal._door import takes_frames
from shoal.hierarchy.tree import as_text
from shoal.masking.cells import cells_of
from shoal.masking.pseudonyms.pseudonymise import as_released, identifiers_of
from shoal.table import Table
from shoal.types import RandomState


@takes_frames
def number_randomly(
    table: Table,
    *,
    known: Mapping[str, int] | None = None,
    columns: Iterable[str] | str | None = None,
    rng: RandomState = None,
) -> tuple[Table, dict[str, int]]:
    """Replace identifiers by random numbers, and give the key table that says whose number is whose.

    Parameters
    ----------
    table
        The table.
    known
        The key table of earlier years or other tables: who is in it keeps the number.
    columns
        The columns to replace; those with the role identifier if not given. The same value has the same
        number in all of them.
    rng
        Seed or generator; a seed is a secret.

    Returns
    -------
    tuple
        The table, its identifiers now numbers of role other, and the key table from value (as text) to
        number, with all of `known`. Keep it apart: `shoal.masking.write_key_table` writes it.

    Notes
    -----
    Numbers are drawn without repetition from ten times as many as are needed, so that neither order nor
    count tells anything. Unlike `pseudonymise` there is no key that could be guessed. Time O(n).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"id": ["ana", "pau", "ana"]}, roles={"identifier": "id"})
    >>> numbered, keys = number_randomly(table, rng=1)
    >>> numbered.frame["id"].to_list() == [keys["ana"], keys["pau"], keys["ana"]]
    True
    """
    rng = np.random.default_rng(rng)
    names = identifiers_of(table, columns)
    texts = {name: [None if v is None else as_text(v) for v in cells_of(table, name)] for name in names}
    keys = dict(known or {})
    new = [t for t in dict.fromkeys(t for column in texts.values() for t in column) if t is not None]
    new = [t for t in new if t not in keys]
    keys |= dict(zip(new, _fresh_numbers(len(new), set(keys.values()), rng), strict=True))
    numbers = {
        name: np.array([None if text is None else keys[text] for text in column] + [None], dtype=object)[:-1]
        for name, column in texts.items()
    }
    return as_released(table, numbers), keys


def _fresh_numbers(count: int, taken: set[int], rng: np.random.Generator) -> list[int]:
    """Different random numbers that nobody has yet."""
    below = 10 ** len(str(10 * (count + len(taken)) + 100))
    fresh: dict[int, None] = {}
    while len(fresh) < count:
        drawn = rng.integers(1, below, 2 * (count - len(fresh))).tolist()
        fresh |= {number: None for number in drawn if number not in taken}
    return list(fresh)[:count]
