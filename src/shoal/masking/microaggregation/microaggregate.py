"""Microaggregation: groups of at least k similar records, every one released as the centre of its group."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.options import sub_progress, with_known_options
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.hierarchy import with_hierarchies
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.aggregate import Centre, Missing, aggregate
from shoal.masking.microaggregation.group_records import group_records
from shoal.masking.microaggregation.robust_geometry import GroupScale
from shoal.masking.microaggregation.strata import treats_strata
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.local_search import local_search
from shoal.table import Table
from shoal.types import Callback, Computed, Partitioner, RandomState

Groups = Sequence[Sequence[str]]


@takes_where
@treats_strata
@by_household
@takes_frames
def microaggregate(
    table: Table,
    *,
    k: int,
    partition: Partitioner = local_search,
    groups: Computed[Groups] | None = None,
    scale: GroupScale = "zscore",
    weights: Mapping[str, float] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    centre: Centre = "typical",
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
    promise: Mapping[str, Any] | None = None,
    strata: Iterable[str] | str | None = None,
    zeros: Iterable[str] | str | None = None,
    weighted: bool = False,
    round: bool = False,
    missing: Missing = "together",
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Replace the quasi-identifiers of every record by the centre of a group of at least k similar records.

    Parameters
    ----------
    table
        The table to protect.
    k
        Minimum group size; it has no default because it is the promise you make.
    partition
        Any partitioner `f(X, k) -> labels`; freeze its options with `functools.partial`. The default improves
        the groups of `mdav`, about a tenth less loss; `mdav` itself is what most papers compare with.
    groups
        Column groups to treat apart, or a function of the table that finds them, such as `gomm`: it gets `k`,
        `partition`, `columns`, `rng` and `callback` from here where it has them and they are not frozen.
        Several groups lose less information, but the columns are then only k-anonymous group by group, and a
        `PrivacyWarning` says so.
    scale
        How numeric columns are made comparable: "zscore", "range" or "none"; or "robust": by Mahalanobis
        distance with a robust covariance, so that outliers and correlations do not stretch distances.
    weights
        How much a column counts when records are compared, 1 where not given.
    hierarchies
        How columns generalise, see `shoal.hierarchy.with_hierarchies`: nominal columns with a hierarchy are
        compared by semantic distance.
    centre
        "typical": mean, median, mode, or with a hierarchy the most central value of the group; "ancestor":
        columns with a hierarchy are released as the lowest label that covers the group.
    l_diversity, t_closeness, confidential, promise
        What groups must fulfil besides their size, see `shoal.masking.group_constraint`; groups that do not
        are merged with the closest one.
    strata
        Column(s) whose classes are microaggregated apart, so that no group crosses a region, say.
    zeros
        Columns whose zeros stay zero: records with and without a zero there share no group, unless fewer than
        k have these zeros.
    weighted
        Means, medians and modes count every record as many times as its sampling weight (the column of that
        role) says, so that weighted totals stay what they were.
    round
        Integer columns stay integer.
    missing
        "together": whether a cell is missing counts when records are compared, so that gaps swim with gaps,
        and in a group that is still mixed the column becomes missing; "suppress": the same without the
        comparing, which loses many more cells; "fill": missing cells take their group's centre, values nobody
        gave; "keep": they stay missing, and k holds only for a reader who takes a gap for any value.
    columns
        The columns to protect; the quasi-identifiers if not given.
    rng
        Seed or generator for a partitioner that draws; the same one gives the same file.
    callback
        Called with `Progress` as groups and strata are done.

    Returns
    -------
    Table
        Same rows in the same order; the other columns exactly as they were.

    Raises
    ------
    Infeasible
        If a stratum has fewer than k records, or breaks the constraints even as one group.

    Notes
    -----
    Numeric columns are compared by difference, ordinal ones by ranks, nominal ones by equality or semantic
    distance, as Euclidean distances of an encoded copy (`shoal.encode.encode`), so that every partitioner
    works on mixed tables; with `mdav` this is MDAV-generic. Missing cells take no part in centres; together,
    a gap is 1.5 standard deviations from the mean of its column (`shoal.encode.encode_gaps`), else distances
    rest on the columns a record has (`shoal.encode.fill_missing`); k counts records.
    Cost: that of the partitioner; more than a million records are grouped in blocks (`blockwise`), with a
    `SizeWarning`.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002); Domingo-Ferrer, Torra: Ordinal, continuous
    and heterogeneous k-anonymity through microaggregation, Data Mining and Knowledge Discovery 11 (2005).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 22, 61, 63], "pay": [1, 2, 3, 4]}, roles={"quasi": ["age"]})
    >>> microaggregate(table, k=2).frame["age"].to_list()
    [21.0, 21.0, 62.0, 62.0]
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns, strata=strata)
    if callable(groups):
        early, callback = sub_progress(callback, 0, 2), sub_progress(callback, 1, 2)
        given = {"k": k, "partition": partition, "columns": names, "rng": rng, "callback": early}
        groups = with_known_options(groups, **given)(table)
    column_groups = _column_groups(names, groups)
    table = with_hierarchies(table, hierarchies)
    kept = check_names(zeros or (), names)
    masked = table
    for position, names in enumerate(column_groups):
        labels = group_records(
            table,
            k=k,
            partition=partition,
            scale=scale,
            weights={name: weight for name, weight in (weights or {}).items() if name in names},
            l_diversity=l_diversity,
            t_closeness=t_closeness,
            confidential=confidential,
            promise=promise,
            strata=strata,
            zeros=[name for name in kept if name in names],
            missing=missing,
            columns=names,
            rng=rng,
            callback=sub_progress(callback, position, len(column_groups)),
        )
        masked = aggregate(
            masked,
            labels,
            centre=centre,
            round=round,
            missing=missing,
            weighted=weighted,
            columns=names,
        )
    check_names(weights or (), [name for names in column_groups for name in names])
    _warn(table, column_groups, missing)
    return masked


def _column_groups(names: list[str], groups: Groups | None) -> list[list[str]]:
    if groups is None:
        return [names]
    flat = check_names([name for group in groups for name in group], names)
    left = [name for name in names if name not in flat]
    if left:
        raise InvalidInput(f"`groups` leaves out column {left[0]!r}; every column needs one group.")
    return [list(group) for group in groups if len(group)]


def _warn(table: Table, column_groups: list[list[str]], missing: Missing) -> None:
    if len(column_groups) > 1:
        warnings.warn(
            f"{len(column_groups)} column groups were microaggregated apart: each is k-anonymous by itself, "
            "the whole record is not.",
            PrivacyWarning,
            stacklevel=4,
        )
    absent = table.missing()
    holes = [name for names in column_groups for name in names if absent[name]]
    if missing == "keep" and holes:
        warnings.warn(
            f"Missing cells stay missing in {', '.join(holes)} and can tell records of one group apart; "
            'missing="together" removes that.',
            PrivacyWarning,
            stacklevel=4,
        )
