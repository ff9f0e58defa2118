"""Pseudonyms by a secret key: the same person gets the same name in every table and every year."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.hierarchy.tree import as_text
from shoal.masking.cells import cells_of
from shoal.table import Table

SHORTEST, LONGEST = 8, 51  # letters of five bits each; 51 are the 255 whole ones of SHA-256
LEAST_KEY = 16  # bytes: 128 bits, out of reach of trying all


@takes_frames
def pseudonymise(
    table: Table, *, key: bytes, length: int = 16, columns: Iterable[str] | str | None = None
) -> Table:
    """Replace identifiers by pseudonyms that only the holder of the key can make again.

    Parameters
    ----------
    table
        The table.
    key
        The secret, at least 16 bytes, of `shoal.masking.read_key`. Whoever has it can link a person to the
        pseudonym, so it stays with the office and goes into no recipe.
    length
        Letters of a pseudonym, 8 to 51, each of five bits. Give all tables of a project the same.
    columns
        The columns to replace; those with the role identifier if not given.

    Returns
    -------
    Table
        Same rows, same order. The columns become text; identifiers get the role other, so that they are
        released. Missing cells stay missing.

    Raises
    ------
    InvalidInput
        If two values would share a pseudonym, or the key is too short.

    Notes
    -----
    HMAC-SHA-256 of the value as text, in base 32. The same value has the same pseudonym in all columns and
    tables, whole numbers and their floats alike, so that links between tables hold. A pseudonym hides the
    name, nothing else: whoever knows the other columns of a person finds the record as before. Time O(n).

    References
    ----------
    Krawczyk, Bellare, Canetti: HMAC: keyed-hashing for message authentication, RFC 2104 (1997).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"id": ["ana", "pau", "ana"]}, roles={"identifier": "id"})
    >>> first, second, third = pseudonymise(table, key=b"sixteen or more bytes").frame["id"]
    >>> first == third != second, len(first)
    (True, 16)
    """
    check_key(key)
    if isinstance(length, bool) or not isinstance(length, int) or not SHORTEST <= length <= LONGEST:
        raise InvalidInput(
            f"`length` must be a whole number from {SHORTEST} to {LONGEST} letters, got {length!r}."
        )
    names = identifiers_of(table, columns)
    known: dict[str, str] = {}
    replaced = {name: _replaced(cells_of(table, name), key, length, known) for name in names}
    if len(set(known.values())) < len(known):
        raise InvalidInput(
            f"Two values share a pseudonym of {length} letters; give a larger `length` to all tables."
        )
    return as_released(table, replaced)


def check_key(key: Any) -> None:
    """Refuse what is no key, without ever showing it."""
    if not isinstance(key, bytes):
        raise InvalidInput("`key` must be bytes, as `shoal.masking.read_key` gives them; text is not a key.")
    if len(key) < LEAST_KEY:
        raise InvalidInput(
            f"`key` must have at least {LEAST_KEY} bytes, got {len(key)}; make one with "
            "`shoal pseudonym-key FILE`."
        )


def identifiers_of(table: Table, columns: Iterable[str] | str | None) -> list[str]:
    """The named columns, or all identifiers; none at all is refused.

    >>> from shoal import as_table
    >>> identifiers_of(as_table({"id": [1], "age": [2]}, roles={"identifier": "id"}), None)
    ['id']
    """
    names = table.names(role="identifier") if columns is None else check_names(columns, table.names())
    if not names:
        raise InvalidInput("No column has the role identifier; name the columns to replace.")
    return names


def as_released(table: Table, replaced: dict[str, Any]) -> Table:
    """The table with these columns; identifiers among them become other, since they name nobody now."""
    table = table.assign(**replaced)
    attributes = [
        replace(
            a,
            role="other" if a.role == "identifier" else a.role,
            kind="nominal",
            order=(),
            hierarchy=None,
            value_labels={},
        )
        if a.name in replaced
        else a
        for a in table.attributes
    ]
    return Table(table.frame, tuple(attributes))


def _replaced(cells: np.ndarray, key: bytes, length: int, known: dict[str, str]) -> np.ndarray:
    released = np.empty(len(cells), dtype=object)
    for row, value in enumerate(cells):
        if value is not None:
            text = as_text(value)
            if text not in known:
                digest = hmac.digest(key, text.encode(), hashlib.sha256)
                known[text] = b32encode(digest).decode()[:length]
            released[row] = known[text]
    return released
