"""c-median clustering: c clusters of similar records of any kind, each around its median record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal._check import check_count, check_names, check_number
from shoal._door import takes_frames
from shoal.encode.categories import Codes, categorise
from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, with_hierarchies
from shoal.hierarchy.tree import nodes_of
from shoal.masking.microaggregation.aggregate import group_medians, group_medoids, group_modes
from shoal.masking.protected_columns import finite_column, protected_columns
from shoal.partition.labels import relabel, sizes
from shoal.table import Table
from shoal.types import Callback, Labels, Matrix, Progress, RandomState

MOST_ROUNDS = 100  # a guard; rounds end when no record moves


@dataclass(frozen=True)
class Column:
    """One column as the clustering sees it: a code per record (-1 where missing) and what codes mean.

    `distance` compares codes with one code, from 0 to 1; `centres` gives a code for every cluster.
    """

    codes: Codes
    distance: Callable[[Codes, int], Matrix]
    centres: Callable[[Codes, Labels], Codes]
    weight: float


@takes_frames
def c_median(
    table: Table,
    c: int,
    *,
    smallest: int = 1,
    starts: int = 5,
    weights: Mapping[str, float] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Labels:
    """Cluster records of any kind around c median records: median of numbers and ranks, mode of names.

    Parameters
    ----------
    table
        The table.
    c
        Number of clusters wanted; there are fewer if the records have fewer different values.
    smallest
        Clusters with fewer records are given up: their records join the nearest other cluster.
    starts
        How many random starts; the one with the least sum of distances wins.
    weights
        How much a column counts, 1 where not given.
    hierarchies
        How columns generalise, see `shoal.hierarchy.with_hierarchies`: nominal columns with a hierarchy are
        compared by semantic distance.
    columns
        The columns to compare records by; the quasi-identifiers if not given.
    rng
        Seed or generator; the same one gives the same clusters.
    callback
        Called with `Progress` after every start; returning True keeps the best so far.

    Returns
    -------
    Labels
        The cluster of every record, 0..g-1 with g at most c.

    Notes
    -----
    The distance of two records is the sum over the columns: numbers by difference / range, ranks by
    difference / (categories - 1), names 0 or 1, or by semantic distance. Every record goes to the nearest
    centre, every centre becomes the median, mode or most central value of its records, until nothing
    changes; each step lowers the sum of distances. First centres are drawn among the records, far ones more
    likely. A missing cell has distance 0 to every centre, and takes no part in centres. Time O(n c d) a
    round, memory O(n d). These are clusters of records that are alike, not groups of at least k: by
    themselves they protect nobody.

    References
    ----------
    Bradley, Mangasarian, Street: Clustering via concave minimization, NIPS 9 (1997), for k-median; Huang:
    Extensions to the k-means algorithm for clustering large data sets with categorical values, Data Mining
    and Knowledge Discovery 2 (1998), for modes; the first centres as in Arthur, Vassilvitskii: k-means++,
    SODA (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [20, 61, 22, 63], "sex": ["f", "m", "f", "m"]}
    >>> c_median(as_table(columns, roles={"quasi": ["age", "sex"]}), 2, rng=1)
    array([0, 1, 0, 1])
    """
    rng = np.random.default_rng(rng)
    c, starts, smallest = (
        check_count("c", c),
        check_count("starts", starts),
        check_count("smallest", smallest),
    )
    names = protected_columns(table, columns)
    if not len(table):
        raise InvalidInput("There are no records to cluster.")
    check_names(weights or (), names)
    table = with_hierarchies(table, hierarchies)
    factors = {name: check_number(f"weight of {name}", w, 0, 1e12) for name, w in (weights or {}).items()}
    found = [_column(table, name, factors.get(name, 1.0)) for name in names]
    found = [column for column in found if (column.codes >= 0).any()]
    best, least = np.zeros(len(table), dtype=np.intp), np.inf
    for start in range(starts if found else 0):
        labels, cost = _settled(found, _first_centres(found, c, rng))
        if cost < least:
            best, least = labels, cost
        if callback is not None and callback(
            Progress((start + 1) / starts, f"start {start + 1}", best, float(least))
        ):
            break
    return _without_small(found, relabel(best), smallest)


def _column(table: Table, name: str, weight: float) -> Column:
    codes, categories = categorise(table, name)
    attribute, hierarchy = table.attribute(name), table.attribute(name).hierarchy
    if attribute.kind == "nominal":
        if isinstance(hierarchy, Hierarchy):
            lines = hierarchy.ancestors[nodes_of(hierarchy, categories)]
            return Column(codes, _semantic(lines), lambda x, g: group_medoids(x, g, lines), weight)
        return Column(codes, lambda x, centre: (x != centre).astype(np.float64), group_modes, weight)
    places = np.arange(len(categories), dtype=np.float64)
    if attribute.kind == "numeric":
        finite_column(table, name)
        places = np.array(categories, dtype=np.float64)
    if len(places):
        places = places / max(np.abs(places).max(), np.finfo(float).tiny)  # huge values stay in range
        places = (places - places[0]) / max(places[-1] - places[0], np.finfo(float).tiny)
    return Column(codes, lambda x, centre: np.abs(places[x] - places[centre]), group_medians, weight)


def _semantic(lines: Codes) -> Callable[[Codes, int], Matrix]:
    """Levels up to where two values meet / levels there are."""
    height = max(lines.shape[1] - 1, 1)

    def distance(codes: Codes, centre: int) -> Matrix:
        levels: Matrix = np.argmax(lines == lines[centre], axis=1) / height
        return levels[codes]

    return distance


def _first_centres(columns: list[Column], c: int, rng: np.random.Generator) -> Codes:
    """Records drawn as centres, each with a chance that grows with its distance to those drawn before."""
    everything = np.column_stack([column.codes for column in columns])
    rows = [int(rng.integers(len(everything)))]
    nearest = _to_centre(columns, everything[rows[0]])
    while len(rows) < c and nearest.max() > 0:
        ladder = np.cumsum(nearest)
        rows.append(int(np.searchsorted(ladder, rng.random() * ladder[-1], side="right")))
        nearest = np.minimum(nearest, _to_centre(columns, everything[rows[-1]]))
    return everything[rows]


def _to_centre(columns: list[Column], centre: Codes) -> Matrix:
    """Distance of every record to one centre, column by column; a column the centre lacks counts 1."""
    total = np.zeros(len(columns[0].codes))
    for column, code in zip(columns, centre, strict=True):
        apart = np.ones(len(total)) if code < 0 else column.distance(column.codes, code)
        total += column.weight * np.where(column.codes < 0, 0.0, apart)
    return total


def _settled(columns: list[Column], centres: Codes) -> tuple[Labels, float]:
    """Nearest centre, new centres, again, until the sum of distances no longer falls."""
    labels, cost = _nearest(columns, centres)
    for _ in range(MOST_ROUNDS):
        moved = np.column_stack([column.centres(column.codes, labels) for column in columns])
        again, lower = _nearest(columns, moved)
        if not lower < cost - 1e-12 * cost:
            break
        labels, cost = again, lower  # a centre that lost all its records is given up
    return labels, cost


def _nearest(columns: list[Column], centres: Codes) -> tuple[Labels, float]:
    """The nearest centre of every record, the first among equals, and the sum of distances."""
    labels, least = np.zeros(len(columns[0].codes), dtype=np.intp), np.full(len(columns[0].codes), np.inf)
    for number, centre in enumerate(centres):
        distance = _to_centre(columns, centre)
        closer = distance < least
        labels[closer], least[closer] = number, distance[closer]
    return relabel(labels), float(least.sum())


def _without_small(columns: list[Column], labels: Labels, smallest: int) -> Labels:
    """Give up the smallest cluster, record by record to the nearest other centre, until none is too small."""
    while sizes(labels).min() < smallest and sizes(labels).max() < len(labels):
        gone = int(np.argmin(sizes(labels)))
        centres = np.column_stack([column.centres(column.codes, labels) for column in columns])
        nearest = [_to_centre(columns, centre) for centre in np.delete(centres, gone, axis=0)]
        others = np.argmin(nearest, axis=0)
        labels = relabel(np.where(labels == gone, others + (others >= gone), labels))
    return labels
