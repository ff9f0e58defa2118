"""Groups of at least k similar records: encode, partition every stratum, merge where a constraint asks."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_k, check_names
from shoal._door import takes_frames
from shoal._shared.options import sub_progress, with_known_options
from shoal.encode import encode, encode_gaps, fill_missing
from shoal.encode.encode_table import SCALES
from shoal.errors import Infeasible, InvalidInput, SizeWarning
from shoal.hierarchy import with_hierarchies
from shoal.masking.households.household_variables import household_of
from shoal.masking.microaggregation.aggregate import MISSING, Missing
from shoal.masking.microaggregation.constraints import group_constraint, size_for
from shoal.masking.microaggregation.copies_apart import with_copies_apart
from shoal.masking.microaggregation.merge_groups import check_satisfiable, merge_groups
from shoal.masking.microaggregation.robust_geometry import GroupScale, robust_coordinates
from shoal.masking.microaggregation.strata import check_strata, strata_of, treats_strata, zeros_apart
from shoal.masking.protected_columns import protected_columns
from shoal.models.classes import distinct_counts
from shoal.partition.best import Certified
from shoal.partition.blockwise import blockwise
from shoal.partition.labels import members, relabel, sizes
from shoal.partition.local_search import local_search
from shoal.partition.mdav import mdav
from shoal.partition.projection import projection
from shoal.partition.univariate import univariate
from shoal.table import Table
from shoal.types import Callback, Labels, Matrix, Partitioner, Progress, RandomState

BLOCKED_FROM = 1_000_000  # records; more are grouped in blocks
MANY_STRATA = 10  # from here on they are searched together; no measurement on record
APART = 100.0  # strata, in widths of the whole file: far more than any gain of a search
LINEAR = (univariate, projection)  # as fast in one piece


@treats_strata
@takes_frames
def group_records(
    table: Table,
    *,
    k: int,
    partition: Partitioner = local_search,
    scale: GroupScale = "zscore",
    weights: Mapping[str, float] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
    promise: Mapping[str, Any] | None = None,
    strata: Iterable[str] | str | None = None,
    zeros: Iterable[str] | str | None = None,
    missing: Missing = "together",
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Labels:
    """The groups that `microaggregate` would use: one integer per record.

    Parameters, notes and references are those of `microaggregate`.

    Examples
    --------
    >>> from shoal import as_table
    >>> group_records(as_table({"age": [20, 61, 22, 63]}, roles={"quasi": ["age"]}), k=2)
    array([0, 1, 0, 1])
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns, strata=strata)
    check_k(k, len(table))
    table = with_hierarchies(table, hierarchies)
    stratum = strata_of(table, strata)
    check_strata(stratum, k)
    if zeros:
        stratum = zeros_apart(table, check_names(zeros, names), stratum, k)
    constraint = group_constraint(
        table,
        l_diversity=l_diversity,
        t_closeness=t_closeness,
        confidential=confidential,
        households=k,
        promise=promise,
    )
    if constraint is not None:
        check_satisfiable(stratum, constraint)
    check_choice("missing", missing, MISSING)
    k = size_for(k, promise, int(sizes(stratum).min()))
    X = _geometry(table, names, scale, weights, missing)
    units = distinct_counts(stratum, household_of(table))  # households, or records
    labels = _stratified_labels(X, k, partition, stratum, units, rng, callback)
    return labels if constraint is None else merge_groups(X, labels, stratum, constraint)


def _geometry(
    table: Table,
    names: list[str],
    scale: GroupScale,
    weights: Mapping[str, float] | None,
    missing: Missing,
) -> Matrix:
    """The records as points whose distances say how like they are."""
    check_choice("scale", scale, (*SCALES, "robust"))
    if scale == "robust":
        table, scale = robust_coordinates(table, names), "none"
    if missing == "together":
        return encode_gaps(table, names, scale=scale, weights=weights)
    return fill_missing(encode(table, names, scale=scale, weights=weights))


def _stratified_labels(
    X: Matrix,
    k: int,
    partition: Partitioner,
    stratum: Labels,
    units: Labels,
    rng: np.random.Generator,
    callback: Callback | None,
) -> Labels:
    """Groups of every stratum; of many strata, one of fewer than 2k records or households is one group."""
    labels = np.empty(len(X), dtype=np.intp)
    found, strata_rows = 0, members(stratum)
    several, together = len(strata_rows) > 1, partition is local_search and len(strata_rows) > MANY_STRATA
    search: Partitioner = mdav if together else partition
    proofs: list[Certified] = []
    usual = partition is local_search  # other partitioners are methods of papers, and see all records
    for s, rows in enumerate(strata_rows):
        if several and units[s] < 2 * k:
            inside = np.zeros(len(rows), dtype=np.intp)
        else:
            step = sub_progress(callback, s, len(strata_rows))
            chosen = with_known_options(_for_size(search, len(rows)), rng=rng, callback=step)
            inside = with_copies_apart(X[rows], k, chosen) if usual else chosen(X[rows], k)
            if isinstance(inside, Certified):
                proofs.append(inside)
                inside = inside.labels
            _check_labels(inside, len(rows), k)
        labels[rows] = inside + found
        found += int(inside.max()) + 1
        if callback is not None:
            message = f"stratum {s + 1} of {len(strata_rows)}" if several else "grouped"
            callback(Progress((s + 1) / len(strata_rows), message))
    if proofs and callback is not None:
        callback(Progress(1.0, "certified", _of_all_strata(labels, proofs)))
    return _searched_together(X, labels, stratum, (units >= 2 * k)[stratum], k) if together else labels


def _of_all_strata(labels: Labels, proofs: list[Certified]) -> Certified:
    """What the proofs of the strata say together; a stratum that is one group has nothing to avoid."""
    loss, bound = sum(proof.sse for proof in proofs), sum(proof.bound for proof in proofs)
    return Certified(labels, loss, bound, (loss - bound) / loss if loss > 0 else 0.0)


def _searched_together(
    X: Matrix, labels: Labels, stratum: Labels, large: NDArray[np.bool_], k: int
) -> Labels:
    """One local search over all strata, kept so far apart that no record can gain by crossing over.

    A search by itself costs a third of a second for the smallest of strata, and there can be thousands.
    """
    rows = np.flatnonzero(large)
    if not len(rows) or len(rows) > BLOCKED_FROM:
        return labels
    apart = stratum[rows] * (APART * max(float(np.ptp(X[rows], axis=0).max()), 1.0))
    better = local_search(np.column_stack([X[rows], apart]), k, start=relabel(labels[rows]))
    if (distinct_counts(better, stratum[rows]) > 1).any():
        return labels
    improved = labels.copy()
    improved[rows] = int(labels.max()) + 1 + better
    return relabel(improved)


def _for_size(partition: Partitioner, n: int) -> Partitioner:
    """The partitioner itself, or in blocks where the file is too large for one piece; said aloud."""
    if n <= BLOCKED_FROM or "workers" in inspect.signature(partition).parameters or partition in LINEAR:
        return partition
    warnings.warn(
        f"{n} records are grouped in blocks (`blockwise`), as one piece would take very long; give "
        "partition=partial(blockwise, block_size=...) to choose the blocks.",
        SizeWarning,
        stacklevel=5,
    )
    return partial(blockwise, partition=partition)


def _check_labels(labels: Labels, n: int, k: int) -> None:
    """Trust no partitioner: a group below k would expose people."""
    if not isinstance(labels, np.ndarray):
        raise InvalidInput(
            f"The partitioner returned {type(labels).__name__} instead of labels; leave out options such as "
            "`details`, which return more."
        )
    if len(labels) != n or labels.min() < 0 or sizes(labels)[np.unique(labels)].min() < k:
        raise Infeasible(f"The partitioner returned a group of fewer than k = {k} records; do not use it.")
