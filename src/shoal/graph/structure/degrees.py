"""k-degree anonymity: change few connections, so that every number of connections is that of k users."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_k
from shoal.errors import Infeasible, InvalidInput
from shoal.graph.network import Graph
from shoal.graph.structure.directed_degrees import directed_changes, rewired_links
from shoal.graph.structure.rewire import rewired
from shoal.partition.labels import relabel, sizes
from shoal.types import Labels, RandomState

Degrees = NDArray[np.intp]
ATTEMPTS = 10  # orders of the changes to try; no measurement on record


def anonymise_degrees(
    graph: Graph, k: int, *, within: Labels | None = None, rng: RandomState = None
) -> Graph:
    """Change few connections so that every user shares their number of connections with k - 1 others.

    Parameters
    ----------
    graph
        The graph. With a direction, both numbers count: connections from a user and to a user.
    k
        How many users, at least, shall have the same number of connections.
    within
        Classes of users, each of at least k; the k users then are of the same class. Users of all kinds may
        share a number if not given.
    rng
        Seed or generator for the choice of connections to change.

    Returns
    -------
    Graph
        The same users, other connections.

    Raises
    ------
    Infeasible
        If no way was found to connect users so; seen only in tiny or nearly complete graphs.

    Notes
    -----
    First the numbers: the sorted degrees are cut into runs of k to 2k - 1 with the least sum of changes (a
    dynamic programme, O(n k)); every run takes its median. Then the connections: users with too many lose
    some to users with too few, which leaves everybody else's number as it is; what remains is added, removed
    or led through a third connection. Memory O(users + edges). Only the number of connections is hidden:
    who knows more of the neighbourhood may still find a user, and degrees are not hidden together with
    location and topics.

    References
    ----------
    Liu, Terzi: Towards identity anonymization on graphs, SIGMOD (2008), with their relaxation to additions
    and deletions.

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> degree_anonymity(anonymise_degrees(make_social(200, rng=1).graph(), 5, rng=1)) >= 5
    True
    """
    rng = np.random.default_rng(rng)
    k = check_k(k, len(graph))
    classes = np.zeros(len(graph), dtype=np.intp) if within is None else relabel(within)
    if sizes(classes).min() < k:
        raise InvalidInput(f"A class of users has fewer than k = {k}; make larger classes.")
    for _ in range(ATTEMPTS):
        if graph.directed:
            edges = rewired_links(graph.edges, directed_changes(graph, k, classes), rng)
        else:
            change = anonymous_degrees(graph.degrees, k, classes) - graph.degrees
            edges = rewired(graph.edges, change, rng)
        masked = replace(graph, edges=edges, weights=None)
        if _smallest(degree_kinds(masked), classes) >= k:
            return masked
    raise Infeasible(f"The connections could not be changed so that k = {k} holds; lower k.")


def degree_kinds(graph: Graph) -> Labels:
    """One number per user: the same for users with as many connections, from them and to them if directed.

    >>> from shoal.graph import as_graph
    >>> degree_kinds(as_graph({"user": list("abc")}, {"a": ["a", "b"], "b": ["b", "c"]}))
    array([0, 1, 0])
    """
    if not graph.directed:
        return np.unique(graph.degrees, return_inverse=True)[1]
    out, into = (np.bincount(end, minlength=len(graph)) for end in graph.edges.T)
    pairs = out * (int(into.max(initial=0)) + 1) + into
    kinds: Labels = np.unique(pairs, return_inverse=True)[1]
    return kinds


def _smallest(kinds: Labels, classes: Labels) -> int:
    return int(np.unique(classes * len(kinds) + kinds, return_counts=True)[1].min())


def anonymous_degrees(degrees: Degrees, k: int, classes: Labels | None = None) -> Degrees:
    """Degrees near the given ones, each that of at least k users of a class, with an even sum.

    >>> anonymous_degrees(np.array([1, 9, 2, 8, 2]), 2)
    array([2, 8, 2, 8, 2])
    """
    from shoal._kernels.graph.degree_groups import best_runs

    classes = np.zeros(len(degrees), dtype=np.intp) if classes is None else classes
    order = np.lexsort((degrees, classes))
    numbers, begins = degrees[order], np.append(0, np.cumsum(sizes(classes)))
    starts = np.concatenate(
        [best_runs(numbers[a:b].astype(np.int64), k) + a for a, b in pairwise(begins.tolist())]
    )
    ends = np.append(starts[1:], len(numbers))
    run = np.repeat(np.arange(len(starts)), ends - starts)
    # the lower median: fewer connections are easier to make
    target = numbers[(starts + ends - 1) // 2].copy()
    if (target[run].sum()) % 2:  # edges have two ends
        target = _with_even_sum(numbers, run, target, ends - starts)
    wanted = np.empty_like(degrees)
    wanted[order] = target[run]
    return wanted


def _with_even_sum(numbers: Degrees, run: Degrees, target: Degrees, count: Degrees) -> Degrees:
    """Move one run of odd size by one, where that costs least; there is one, as the sum is odd."""
    best, moved = np.inf, target
    for step in (-1, 1):
        trial = target + step
        cost = np.bincount(run, weights=np.abs(numbers - trial[run])) - np.bincount(
            run, weights=np.abs(numbers - target[run])
        )
        allowed = (count % 2 == 1) & (trial >= 0) & (trial < len(numbers))
        cost = np.where(allowed, cost, np.inf)
        if cost.min() < best:
            best, moved = cost.min(), target.copy()
            moved[np.argmin(cost)] += step
    return moved


def degree_anonymity(graph: Graph) -> int:
    """How many users, at least, have the same number of connections as any user.

    >>> from shoal.graph import as_graph
    >>> degree_anonymity(as_graph({"user": list("abc")}, {"a": ["a", "b"], "b": ["b", "c"]}))
    1
    """
    return int(sizes(degree_kinds(graph)).min()) if len(graph) else 0
