"""Every stratum masked with options of its own, as an earlier file taught them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.options import reported, with_known_options
from shoal.errors import InvalidInput
from shoal.masking.recoding.kept_cuts import stratum_texts
from shoal.masking.takes_where import put_back, takes_where
from shoal.table import Table
from shoal.types import Callback, RandomState

OF = "of"  # which stratum the options are for


@takes_where
@takes_frames
def mask_strata(
    table: Table,
    *,
    masker: Callable[..., Table],
    strata: Iterable[str] | str,
    options: Sequence[Mapping[str, Any]],
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Mask every stratum with options of its own: what a fitted recipe keeps of a step with strata.

    Parameters
    ----------
    table
        The file.
    masker
        What masks a stratum.
    strata
        The column(s) that say which stratum a record is in.
    options
        The options of the masker, one mapping for every stratum; its entry "of" has the values of the strata
        columns as text.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress` before every stratum;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order.

    Raises
    ------
    InvalidInput
        If a record is in a stratum that has no options: it would be released as it is.

    Notes
    -----
    Cost: that of the masker, and a copy of the table for every stratum.

    References
    ----------
    Hundepool et al.: Statistical disclosure control, Wiley (2012), chapter 3.

    Examples
    --------
    >>> from shoal import as_table, top_code
    >>> people = as_table({"area": ["n", "n", "s"], "pay": [5, 9, 9]})
    >>> said = [{"of": ["n"], "threshold": {"pay": 6}}, {"of": ["s"], "threshold": {"pay": 8}}]
    >>> mask_strata(people, masker=top_code, strata="area", options=said).frame["pay"].to_list()
    [5, 6, 8]
    """
    names = check_names(strata, table.names())
    known = {tuple(given.get(OF, ())): place for place, given in enumerate(options)}
    of = np.array([known.get(row, -1) for row in stratum_texts(table, names)], dtype=np.intp)
    if (of < 0).any():
        raise InvalidInput(
            f"Row {int(np.argmax(of < 0))} is in a stratum that was not there before and has no options; "
            "leave it out, or fit the recipe again."
        )
    _refuse_split(table, of)
    streams = np.random.default_rng(rng).spawn(len(options))
    done = table
    for place in reported(np.unique(of).tolist(), callback):
        rows = np.flatnonzero(of == place)
        own = {name: value for name, value in options[place].items() if name != OF}
        part = table.take(rows)
        done = put_back(done, part, with_known_options(masker, rng=streams[place])(part, **own), rows)
    return done


def _refuse_split(table: Table, of: np.ndarray[Any, Any]) -> None:
    """What the members of a household share would differ between the strata they are in."""
    homes = table.names("household")
    if not homes:
        return
    cells = table.cells(homes[0])
    first: dict[Any, int] = {}
    for row, (home, stratum) in enumerate(zip(cells.tolist(), of.tolist(), strict=True)):
        if first.setdefault(home, stratum) != stratum:
            raise InvalidInput(
                f"The household of row {row} is in several strata, so that what its members share would "
                "differ; choose strata that households are in as a whole."
            )
