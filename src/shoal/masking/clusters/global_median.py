"""Global median: cut the records into small regions and release the median record of every region."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shoal._check import check_k
from shoal._door import takes_frames
from shoal.hierarchy import with_hierarchies
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.aggregate import Missing
from shoal.masking.microaggregation.constraints import group_constraint
from shoal.masking.microaggregation.merge_groups import check_satisfiable
from shoal.masking.microaggregation.strata import check_strata, strata_of, treats_strata
from shoal.masking.protected_columns import finite_column, protected_columns
from shoal.masking.recoding.mondrian import Cut, mondrian
from shoal.masking.takes_where import takes_where
from shoal.table import Table, as_table
from shoal.types import Callback


@takes_where
@treats_strata
@by_household
@takes_frames
def global_median(
    table: Table,
    *,
    k: int,
    cut: Cut = "gain",
    strict: bool = True,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    strata: Iterable[str] | str | None = None,
    missing: Missing = "together",
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Cut the records into regions of at least k, as Mondrian does, and release every region's median record.

    Parameters
    ----------
    table
        The table to protect.
    k
        Minimum number of records in a region; it has no default because it is the promise you make.
    cut, strict, l_diversity, t_closeness, confidential, strata, missing
        As in `shoal.masking.mondrian`.
    hierarchies
        How columns generalise, see `shoal.hierarchy.with_hierarchies`: cuts of nominal columns follow the
        hierarchy, and the region releases its most central value.
    columns
        The columns to protect; the quasi-identifiers if not given.
    callback
        Called with `Progress` as records find their region;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows in the same order. Every value released occurs in its region: the lower median of numbers
        and ranks, the mode of names; types and kinds stay.

    Raises
    ------
    Infeasible
        If a stratum has fewer than k records, or does not fulfil the constraints even uncut.

    Notes
    -----
    Numbers are cut by their ranks, so that a few huge values do not decide where. Against `mondrian`, which
    releases intervals and sets, the file keeps its categories and can be analysed as before; against means,
    no value is released that nobody has. Time O(n d log n), memory O(n d).

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity, ICDE (2006), for the cuts;
    Marés: Categorical data protection on statistical datasets and social networks, PhD thesis, Universitat
    Autònoma de Barcelona (2013), section 5.3, for the median.

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [20, 25, 30, 61, 67, 90], "pay": [1, 2, 2, 4, 5, 9]}
    >>> table = as_table(columns, roles={"quasi": ["age", "pay"]})
    >>> global_median(table, k=3).frame.rows()
    [(25, 2), (25, 2), (25, 2), (67, 5), (67, 5), (67, 5)]
    """
    check_k(k, len(table))
    stratum = strata_of(table, strata)
    check_strata(stratum, k)  # this and the constraint also where nothing but gaps is left to mask
    constraint = group_constraint(
        table, l_diversity=l_diversity, t_closeness=t_closeness, confidential=confidential
    )
    if constraint is not None:
        check_satisfiable(stratum, constraint)
    names = observed(table, protected_columns(table, columns, strata=strata))
    table = with_hierarchies(table, hierarchies)
    if not names:  # nothing but missing values
        return table
    numbers = [name for name in names if table.attribute(name).kind == "numeric"]
    for name in numbers:
        finite_column(table, name)
    masked = mondrian(
        as_table(table, kinds=dict.fromkeys(numbers, "ordinal")),  # a rank for every different number
        k=k,
        cut=cut,
        strict=strict,
        release="centres",
        l_diversity=l_diversity,
        t_closeness=t_closeness,
        confidential=confidential,
        strata=strata,
        missing=missing,
        columns=names,
        callback=callback,
    )
    return as_table(masked, kinds=dict.fromkeys(numbers, "numeric"))


def observed(table: Table, names: list[str]) -> list[str]:
    """The columns that have a value at all.

    >>> observed(as_table({"a": [1, None], "b": [None, None]}), ["a", "b"])
    ['a']
    """
    missing = table.missing()
    return [name for name in names if missing[name] < len(table)]
