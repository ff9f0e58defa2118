"""A random share of the records: who is in the file is not sure any more."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._check import check_number
from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.masking.households.household_variables import household_of
from shoal.masking.microaggregation.strata import strata_of
from shoal.table import Table
from shoal.types import RandomState


@takes_frames
def sample_records(
    table: Table,
    *,
    share: float,
    strata: Iterable[str] | str | None = None,
    household: str | None = None,
    rng: RandomState = None,
) -> Table:
    """Draw a random share of the records, whole households together, and raise their weights to match.

    Parameters
    ----------
    table
        The table; what is returned is a table of fewer records, to be masked and compared from here on.
    share
        The share of households to draw, above 0 and up to 1; it has no default because it is protection.
    strata
        Column(s) whose classes are drawn from apart, so that every one keeps its share; those with the role
        stratum if not given.
    household
        The column that says who lives together; the one with the role household if not given.
    rng
        Seed or generator; a seed is a secret.

    Returns
    -------
    Table
        The records drawn, in their order. A column with the role weight is divided by the share drawn in its
        stratum, so that weighted counts of households estimate the same population.

    Notes
    -----
    Of every stratum round(share x households) are drawn, at least one. Sampling makes an intruder unsure
    whether a person is in the file; it does not change how many records look alike. Time O(n log n).

    References
    ----------
    Skinner, Shlomo: Assessing identification risk in survey microdata using log-linear models, Journal of
    the American Statistical Association 103 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> len(sample_records(as_table({"age": range(100)}), share=0.1, rng=1))
    10
    """
    rng = np.random.default_rng(rng)
    check_number("share", share, np.nextafter(0, 1), 1)
    given = table.names(role="stratum") if strata is None else strata
    stratum, homes = strata_of(table, given or None), household_of(table, household)
    first = np.unique(homes, return_index=True)[1]
    mixed = stratum != stratum[first][homes]
    if mixed.any():
        raise InvalidInput(
            f"The household of row {int(np.argmax(mixed))} lies in two strata; a household must lie in one."
        )
    drawn, factor = np.zeros(len(first), dtype=bool), np.ones(len(first))
    for number in range(int(stratum.max(initial=-1)) + 1):
        mine = np.flatnonzero(stratum[first] == number)
        taken = rng.choice(mine, max(1, round(share * len(mine))), replace=False)
        drawn[taken], factor[taken] = True, len(mine) / len(taken)
    rows = np.flatnonzero(drawn[homes])
    sample = table.take(rows)
    raised = {name: sample.column(name) * factor[homes[rows]] for name in table.names(role="weight")}
    return sample.assign(**raised)
