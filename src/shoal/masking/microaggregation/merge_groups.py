"""Merging groups until every one keeps a promise beyond its size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.errors import Infeasible
from shoal.masking.microaggregation.constraints import Constraint
from shoal.partition.labels import means, members, relabel, sizes
from shoal.types import Labels, Matrix


def check_satisfiable(stratum: Labels, constraint: Constraint) -> None:
    """Refuse strata that break the constraint even as one group."""
    verdict = constraint(np.arange(len(stratum)), stratum)
    if not verdict.all():
        if len(verdict) == 1:
            raise Infeasible(
                "Even as a whole the file, one group, breaks what was asked for beside k (l, t or another "
                "model), so no grouping can keep it; ask for less."
            )
        row = int(np.argmax(~verdict[stratum]))
        raise Infeasible(
            f"{(~verdict).sum()} of {len(verdict)} strata break the constraint even as a whole (the one of "
            f"row {row} does); merge strata or ask for less."
        )


def merge_groups(X: Matrix, labels: Labels, stratum: Labels, constraint: Constraint) -> Labels:
    """Join every group that breaks the constraint with the group whose mean is closest, until none does.

    Parameters
    ----------
    X
        The encoded records.
    labels
        The group of every record, 0..g-1.
    stratum
        The stratum of every record; no group crosses one, and no merged group will.
    constraint
        See `group_constraint`.

    Returns
    -------
    Labels

    Notes
    -----
    Ends, because a stratum as a whole keeps the constraint (`check_satisfiable`). Time O(g d) a merge.

    Examples
    --------
    >>> from shoal import as_table
    >>> from shoal.masking.microaggregation.constraints import group_constraint
    >>> table = as_table({"ill": ["flu", "flu", "gout", "gout", "flu", "gout"]})
    >>> promise = group_constraint(table, l_diversity=2, confidential="ill")
    >>> X, labels = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 2, 2])
    >>> merge_groups(X, labels, np.zeros(6, dtype=np.intp), promise)
    array([0, 0, 0, 0, 1, 1])
    """
    broken = ~constraint(np.arange(len(labels)), labels)
    merged, found = labels.copy(), int(labels.max(initial=-1)) + 1
    for area in np.unique(stratum[broken[labels]]).tolist():
        inside = np.flatnonzero(stratum == area)
        merged[inside] = found + _merged(X, labels, inside, constraint)
        found += len(inside)
    return relabel(merged)


def _merged(X: Matrix, labels: Labels, inside: NDArray[np.intp], constraint: Constraint) -> Labels:
    """The groups of one stratum, those that break the constraint joined with their closest."""
    own = np.unique(labels[inside], return_inverse=True)[1].reshape(-1)
    rows = [inside[group] for group in members(own)]
    centres, counts = means(X[inside], own), sizes(own).astype(np.float64)
    alive = np.ones(len(rows), dtype=bool)
    broken = ~constraint(inside, own)
    while broken.any():
        group = int(np.argmax(broken))
        other = _closest(centres, group, alive)
        weight = counts[[group, other]] / counts[[group, other]].sum()
        centres[other] = weight[0] * centres[group] + weight[1] * centres[other]
        counts[other] += counts[group]
        rows[other] = np.concatenate([rows[other], rows[group]])
        alive[group] = broken[group] = False
        broken[other] = not constraint(rows[other], np.zeros(len(rows[other]), dtype=np.intp)).all()
    merged = np.empty(len(labels), dtype=np.intp)
    for group in np.flatnonzero(alive).tolist():
        merged[rows[group]] = group
    return merged[inside]


def _closest(centres: Matrix, group: int, alive: NDArray[np.bool_]) -> int:
    """The nearest other group; any other where numbers are so large that distances overflow."""
    others = np.flatnonzero(alive)
    others = others[others != group]
    with np.errstate(over="ignore", invalid="ignore"):
        distances = ((centres[others] - centres[group]) ** 2).sum(axis=1)
    return int(others[np.argmin(np.nan_to_num(distances, nan=np.inf, posinf=np.inf))])
