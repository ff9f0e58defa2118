"""Utility of structure: what analysts of networks measure, before and after protection."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.graph.network import Graph, check_comparable
from shoal.graph.structure.triangles import user_triangles
from shoal.types import RandomState

SOURCES = 50  # users from whom paths are measured
EIGENVALUES = 10  # the largest ones; chosen, not measured
CLOSE = 1e-3  # relative residual of an eigenvalue, whose own error is its square
SWEEPS = 20  # of label propagation; no measurement on record

Numbers = NDArray[np.float64]


def structure_losses(original: Graph, protected: Graph, *, rng: RandomState = 0) -> pl.DataFrame:
    """Compare what analysts measure of a network, before and after: a row per measure, and how much is lost.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.
    rng
        Seed or generator for the users from whom paths are measured; the same ones in both graphs.

    Returns
    -------
    polars.DataFrame
        The columns `measure`, `before`, `after` and `loss`, from 0 (kept) to 100, less is better: connections
        (the share of the original's that are gone), degrees (mean; the loss is how much their distribution
        has moved), clustering (triangles that are closed), path length (mean distance of connected users,
        sampled; the loss is how much the distribution of distances has moved), communities (modularity of the
        original's communities), spectrum (the largest eigenvalue; the loss is over the ten largest).

    Notes
    -----
    Directions count for connections only. Communities are found by label propagation in the original, and
    their modularity is measured in both graphs. Time O(users + connections) but for triangles, at worst
    O(connections x degree); memory O(users + connections).

    References
    ----------
    Newman: Networks, Oxford University Press (2010), for the measures; Raghavan, Albert, Kumara: Physical
    Review E 76 (2007), for label propagation; Ying, Wu: SIAM International Conference on Data Mining (2008),
    for the spectrum as utility.

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> structure_losses(graph, graph)["loss"].to_list()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    check_comparable(original, protected)
    rng = np.random.default_rng(rng)
    sources = rng.choice(len(original), min(SOURCES, len(original)), replace=False)
    before, after = _both_ways(original), _both_ways(protected)
    groups = communities(original, rng=rng)
    rows = [
        ("connections", *_connections(original, protected)),
        ("degrees", *_moved(_degrees(before), _degrees(after))),
        ("clustering", *_differs(clustering(before), clustering(after))),
        ("path length", *_moved(_distances(before, sources), _distances(after, sources))),
        ("communities", *_differs(modularity(before, groups), modularity(after, groups))),
        ("spectrum", *_spectra(before, after)),
    ]
    return pl.DataFrame(rows, schema=["measure", "before", "after", "loss"], orient="row")


def _both_ways(graph: Graph) -> Any:
    """Who is connected to whom, without directions, as a sparse matrix of ones."""
    links = graph.links
    if graph.directed:
        links = links + links.T
        links.data[:] = 1.0
    links = links.tocsr()
    links.sort_indices()
    return links


def _connections(original: Graph, protected: Graph) -> tuple[float, float, float]:
    keys = [graph.edges[:, 0] * len(graph) + graph.edges[:, 1] for graph in (original, protected)]
    gone = len(keys[0]) - len(np.intersect1d(keys[0], keys[1], assume_unique=True))
    return float(len(keys[0])), float(len(keys[1])), 100.0 * gone / max(len(keys[0]), 1)


def _degrees(links: Any) -> NDArray[np.intp]:
    degrees: NDArray[np.intp] = np.diff(links.indptr).astype(np.intp)
    return degrees


def _distances(links: Any, sources: NDArray[np.intp]) -> NDArray[np.intp]:
    """Steps from the sources to everybody whom they reach: how many users at every distance, one by one."""
    reached = np.zeros((links.shape[0], len(sources)), dtype=bool)
    reached[sources, np.arange(len(sources))] = True
    last, counts = reached.astype(np.float32), [0]
    near = links.astype(np.float32)
    while True:
        fresh = (near @ last > 0) & ~reached
        if not fresh.any():
            return np.repeat(np.arange(len(counts)), counts)
        reached |= fresh
        last = fresh.astype(np.float32)
        counts.append(int(fresh.sum()))


def _moved(one: NDArray[np.intp], other: NDArray[np.intp]) -> tuple[float, float, float]:
    """Two means, and the half sum of absolute differences of two distributions of whole numbers, in %."""
    width = int(max(one.max(initial=0), other.max(initial=0))) + 1
    counts = [np.bincount(x, minlength=width) / max(len(x), 1) for x in (one, other)]
    means = [float(x.mean()) if len(x) else 0.0 for x in (one, other)]
    return means[0], means[1], 50.0 * float(np.abs(counts[0] - counts[1]).sum())


def _differs(one: float, other: float) -> tuple[float, float, float]:
    """Two figures and their difference, in % of the first."""
    return one, other, min(100.0 * abs(one - other) / abs(one), 100.0) if one else 100.0 * float(one != other)


def clustering(links: Any) -> float:
    """Of all friends' friends how many are friends: three times the triangles / pairs of friends.

    >>> from shoal.graph import make_social
    >>> round(clustering(make_social(100, rng=1).graph().links.tocsr()), 1)
    0.3
    """
    degrees = _degrees(links).astype(np.int64)
    pairs = float((degrees * (degrees - 1)).sum()) / 2
    return float(user_triangles(links).sum()) / pairs if pairs else 0.0


def communities(graph: Graph, *, rng: RandomState = None) -> NDArray[np.intp]:
    """A community per user, by label propagation: everybody joins most of their friends.

    >>> from shoal.graph import as_graph
    >>> edges = {"a": ["a", "b", "c", "d"], "b": ["b", "c", "a", "e"]}
    >>> found = communities(as_graph({"user": list("abcde")}, edges), rng=1)
    >>> len(set(found[:3].tolist())), len(set(found.tolist()))
    (1, 2)
    """
    from shoal._kernels.graph.communities import spread_labels

    links = _both_ways(graph)
    order = np.random.default_rng(rng).permutation(len(graph)).astype(np.int64)
    starts, ends = links.indptr.astype(np.int64), links.indices.astype(np.int64)
    labels = spread_labels(starts, ends, order, SWEEPS)
    return np.unique(labels, return_inverse=True)[1].astype(np.intp)


def modularity(links: Any, groups: NDArray[np.intp]) -> float:
    """Share of connections within groups less what chance would give, from below 0 to 1."""
    degrees = _degrees(links)
    total = float(degrees.sum())
    if not total:
        return 0.0
    entries = links.tocoo()
    a, b = entries.row, entries.col  # as scipy 1.11 names them too
    share = np.bincount(groups, weights=degrees) / total
    return float((groups[a] == groups[b]).sum() / total - (share**2).sum())


def _spectra(before: Any, after: Any) -> tuple[float, float, float]:
    """The largest eigenvalues, and how far the ten largest are from each other, in % of their length."""
    one, other = _eigenvalues(before), _eigenvalues(after)
    length = float(np.linalg.norm(one))
    gap = float(np.linalg.norm(one - other))
    loss = min(100.0 * gap / length, 100.0) if length else 100.0 * float(gap > 0)
    return float(one[-1]), float(other[-1]), 0.0 if loss < 1e-6 else loss


def _eigenvalues(links: Any) -> Numbers:
    from scipy.sparse.linalg import eigsh

    n = links.shape[0]
    if n <= 2 * EIGENVALUES:
        found: Numbers = np.linalg.eigvalsh(links.toarray())[-EIGENVALUES:]
        return found
    start = np.ones(n)  # the same start gives the same digits
    options = {"which": "LA", "v0": start, "tol": CLOSE, "return_eigenvectors": False}
    return np.sort(eigsh(links.astype(float), k=EIGENVALUES, ncv=4 * EIGENVALUES, **options))
