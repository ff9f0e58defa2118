"""Assignment linkage: an intruder links all records at once, one to one, as cheaply as can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal.measures._shared.cover_classes import CoverClasses, cover_classes
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.risk.cover_linkage import Linkage, linkage_of
from shoal.table import Table
from shoal.types import Labels, Matrix

DENSE = 5_000  # records up to which every pair is weighed; no measurement on record
NEAR = 20  # candidates of every record above that; no measurement on record
CHUNK = 200  # records whose pairs are weighed at a time; no measurement on record
APART = 1e6  # how much more a unit of squared distance costs than one of covers: distance decides first


@takes_frames
def assignment_linkage(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> Linkage:
    """Link all records at once, every released record to one person.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none).

    Returns
    -------
    Linkage
        `chances` are 1 / copies where a record is given to a class of released records that are as its own.

    Notes
    -----
    Pairs cost the squared distance of the perturbed columns and then the logarithm of the values that cells
    cover; a pair whose cells do not cover is ruled out. Up to 5,000 records the cheapest assignment of all
    pairs, O(n^3) at worst (seconds); above it a matching over the 20 cheapest candidates of every record and
    its own one, which is there so that a matching exists: the figure may be slightly high.

    References
    ----------
    Herranz, Nin, Rodriguez, Tassa: Revisiting distance-based record linkage for privacy-preserving release of
    statistical datasets, Data and Knowledge Engineering 100 (2015).

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"pay": [10.0, 20.0, 30.0]}), as_table({"pay": [16.0, 26.0, 36.0]})
    >>> assignment_linkage(before, after).percent
    100.0
    """
    classes = cover_classes(original, masked, intruder_columns(original, masked, columns))
    n = len(original)
    given = _dense(classes, n) if n <= DENSE else _sparse(classes, n)
    right = given == classes.own
    chances = np.where(right, 1.0 / classes.copies[classes.own], 0.0)
    return linkage_of(np.arange(n), chances, np.full(n, n), n)


def pair_costs(classes: CoverClasses, n: int) -> Iterator[tuple[Labels, Matrix]]:
    """Some records at a time, and what linking each to every class costs; infinite where it cannot be."""
    C, ptr, base, first, last = classes.cover[:5]
    for start in range(0, n, CHUNK):
        rows = np.arange(start, min(start + CHUNK, n))
        cost = np.repeat(classes.size[None, :], len(rows), axis=0)
        for j, name in enumerate(classes.nominal):
            gaps = classes.X[rows, j][:, None] - classes.Y[:, j]
            cost += APART * ((gaps != 0) if name else gaps**2)
        for c in range(len(base) if len(first) else 0):
            cost[~_held(classes.known[rows, c], C[:, c] + base[c], ptr, first, last)] = np.inf
        yield rows, cost


def _held(known: Labels, cells: Labels, ptr: Labels, first: Labels, last: Labels) -> NDArray[np.bool_]:
    """Whether every class's cell (as a number over all columns) covers what is known of every record."""
    different, which = np.unique(cells, return_inverse=True)
    runs = [slice(ptr[cell], ptr[cell + 1]) for cell in different]
    held = [
        ((first[run] <= known[:, None]) & (known[:, None] <= last[run])).any(axis=1) | (known < 0)
        for run in runs
    ]
    found: NDArray[np.bool_] = np.column_stack(held)[:, which.reshape(-1)]
    return found


def _dense(classes: CoverClasses, n: int) -> Labels:
    """The class every record is given, with every pair weighed."""
    from scipy.optimize import linear_sum_assignment

    seats = np.repeat(np.arange(len(classes.copies)), classes.copies)
    cost = np.concatenate([part for _, part in pair_costs(classes, n)])[:, seats]
    given: Labels = seats[linear_sum_assignment(np.where(np.isinf(cost), 1e15, cost))[1]]
    return given


def _sparse(classes: CoverClasses, n: int) -> Labels:
    """The class every record is given, with the cheapest candidates of every record weighed."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    ends = np.cumsum(classes.copies)
    seat = np.argsort(classes.own, kind="stable")  # a seat for every released record, by class
    of_seat = classes.own[seat]
    place = np.empty(n, dtype=np.intp)
    place[seat] = np.arange(n)
    triples: list[tuple[Labels, Labels, Matrix]] = []
    for rows, cost in pair_costs(classes, n):
        width = min(NEAR, cost.shape[1])
        near = np.argpartition(cost, width - 1, axis=1)[:, :width]
        price = np.take_along_axis(cost, near, axis=1)
        i, j = np.nonzero(np.isfinite(price))
        taken = ends[near[i, j]] - 1 - (rows[i] + j) % classes.copies[near[i, j]]  # not all the same seat
        triples.append((rows[i], taken, price[i, j]))
        triples.append((rows, place[rows], cost[np.arange(len(rows)), classes.own[rows]]))
    r, s, p = (np.concatenate(column) for column in zip(*triples, strict=True))
    pairs, kept = np.unique(r * n + s, return_index=True)
    whole = tuple(end.astype(np.int32) for end in np.divmod(pairs, n))  # for scipy below 1.13
    graph = coo_array((p[kept] - p.min() + 1.0, whole), shape=(n, n)).tocsr()
    people, seats = min_weight_full_bipartite_matching(graph)
    given = np.empty(n, dtype=np.intp)
    given[people] = of_seat[seats]
    return given
