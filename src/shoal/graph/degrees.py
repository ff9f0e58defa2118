"""k-degree anonymity: change few connections, so that every number of connections is that of k users."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_k
from shoal.errors import Infeasible
from shoal.graph.network import Graph
from shoal.graph.rewire import rewired
from shoal.types import RandomState

Degrees = NDArray[np.intp]
ATTEMPTS = 10  # orders of the changes to try


def anonymise_degrees(graph: Graph, k: int, *, rng: RandomState = None) -> Graph:
    """Change few connections so that every user shares their number of connections with k - 1 others.

    Parameters
    ----------
    graph
        The graph.
    k
        How many users, at least, shall have the same number of connections.
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
    wanted = anonymous_degrees(graph.degrees, k)
    for _ in range(ATTEMPTS):
        edges = rewired(graph.edges, wanted - graph.degrees, rng)
        masked = Graph(graph.users, edges, graph.places, graph.interests)
        if degree_anonymity(masked) >= k:
            return masked
    raise Infeasible(f"The connections could not be changed so that k = {k} holds; lower k.")


def anonymous_degrees(degrees: Degrees, k: int) -> Degrees:
    """Degrees near the given ones, each that of at least k users, with an even sum (edges have two ends).

    >>> anonymous_degrees(np.array([1, 9, 2, 8, 2]), 2)
    array([2, 8, 2, 8, 2])
    """
    from shoal._kernels.graph.degree_groups import best_runs

    order = np.argsort(degrees, kind="stable")
    numbers = degrees[order]
    starts = best_runs(numbers.astype(np.int64), k)
    ends = np.append(starts[1:], len(numbers))
    run = np.repeat(np.arange(len(starts)), ends - starts)
    # the lower median: fewer connections are easier to make
    target = numbers[(starts + ends - 1) // 2].copy()
    if (target[run].sum()) % 2:
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
    counts = np.bincount(graph.degrees)
    return int(counts[counts > 0].min()) if len(graph) else 0
