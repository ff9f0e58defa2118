"""k-map: how many people of a known population a released record may be."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.measures._shared.cover_classes import population_totals
from shoal.measures.compared_columns import compared_columns
from shoal.table import Table


@takes_frames
def population_sizes(
    masked: Table, population: Table, *, columns: Iterable[str] | None = None
) -> NDArray[np.intp]:
    """For every released record, how many people of the population table its cells cover.

    Parameters
    ----------
    masked
        The released file; it keeps the hierarchies its labels come from.
    population
        A table of everybody, with the same columns.
    columns
        The columns an intruder may know; the quasi-identifiers of the released file if not given (all but
        identifiers if there are none).

    Returns
    -------
    numpy.ndarray
        The smallest is the k of k-map; 0 where nobody fits, which means that the table is no population of
        this file, or that cells were perturbed.

    Notes
    -----
    Values, intervals, sets, labels and suppressed cells count whom they cover; what a person's entry leaves
    open fits everything. Time O(people x classes) at worst, far less where a column tells much.

    References
    ----------
    El Emam, Dankar: Protecting privacy using k-anonymity, Journal of the American Medical Informatics
    Association 15 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> people = as_table({"age": [20, 22, 25, 40, 41]})
    >>> population_sizes(as_table({"age": ["20-29", "40-49"]}), people)
    array([3, 2])
    """
    names = compared_columns(masked, masked, columns)
    check_names(names, population.names(), what="column of the population table")
    if not len(population):
        raise InvalidInput("The population table has no records.")
    totals = population_totals(population, masked, names, np.ones(len(population)))
    return np.round(totals).astype(np.intp)
