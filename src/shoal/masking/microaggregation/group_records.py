"""Groups of at least k similar records: encode, partition every stratum, merge where a constraint asks."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from shoal._check import check_choice, check_k
from shoal._options import sub_progress, with_known_options
from shoal.encode import Scale, encode, encode_gaps, fill_missing
from shoal.errors import Infeasible, SizeWarning
from shoal.hierarchy import with_hierarchies
from shoal.masking.microaggregation.aggregate import MISSING, Missing
from shoal.masking.microaggregation.constraints import group_constraint
from shoal.masking.microaggregation.merge_groups import check_satisfiable, merge_groups
from shoal.masking.microaggregation.strata import check_strata, strata_of
from shoal.masking.protected_columns import protected_columns
from shoal.partition.blockwise import blockwise
from shoal.partition.labels import members, sizes
from shoal.partition.local_search import local_search
from shoal.partition.projection import projection
from shoal.partition.univariate import univariate
from shoal.table import Table
from shoal.types import Callback, Labels, Matrix, Partitioner, Progress, RandomState

LARGE = 1_000_000  # records; more are grouped in blocks
LINEAR = (univariate, projection)  # as fast in one piece


def group_records(
    table: Table,
    *,
    k: int,
    partition: Partitioner = local_search,
    scale: Scale = "zscore",
    weights: Mapping[str, float] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
    strata: Iterable[str] | str | None = None,
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
    constraint = group_constraint(
        table, l_diversity=l_diversity, t_closeness=t_closeness, confidential=confidential
    )
    if constraint is not None:
        check_satisfiable(stratum, constraint)
    check_choice("missing", missing, MISSING)
    if missing == "together":
        X = encode_gaps(table, names, scale=scale, weights=weights)
    else:
        X = fill_missing(encode(table, names, scale=scale, weights=weights))
    labels = _stratified_labels(X, k, partition, stratum, rng, callback)
    return labels if constraint is None else merge_groups(X, labels, stratum, constraint)


def _stratified_labels(
    X: Matrix,
    k: int,
    partition: Partitioner,
    stratum: Labels,
    rng: np.random.Generator,
    callback: Callback | None,
) -> Labels:
    labels = np.empty(len(X), dtype=np.intp)
    found = 0
    strata_rows = members(stratum)
    for s, rows in enumerate(strata_rows):
        step = sub_progress(callback, s, len(strata_rows))
        inside = with_known_options(_for_size(partition, len(rows)), rng=rng, callback=step)(X[rows], k)
        _check_labels(inside, len(rows), k)
        labels[rows] = inside + found
        found += int(inside.max()) + 1
        if step is not None:
            message = f"stratum {s + 1} of {len(strata_rows)}" if len(strata_rows) > 1 else "grouped"
            step(Progress(1.0, message))
    return labels


def _for_size(partition: Partitioner, n: int) -> Partitioner:
    """The partitioner itself, or in blocks where the file is too large for one piece; said aloud."""
    if n <= LARGE or "workers" in inspect.signature(partition).parameters or partition in LINEAR:
        return partition
    warnings.warn(
        f"{n} records are grouped in blocks (`blockwise`), as one piece would take very long; give "
        "partition=partial(blockwise, block_size=...) to choose the blocks.",
        SizeWarning,
        stacklevel=4,
    )
    return partial(blockwise, partition=partition)


def _check_labels(labels: Labels, n: int, k: int) -> None:
    """Trust no partitioner: a group below k would expose people."""
    if len(labels) != n or labels.min() < 0 or sizes(labels)[np.unique(labels)].min() < k:
        raise Infeasible(f"The partitioner returned a group of fewer than k = {k} records; do not use it.")
