"""k-degree anonymity of directed networks: connections from a user and to a user, hidden together."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from shoal.errors import Infeasible
from shoal.graph.network import Edges, Graph
from shoal.graph.structure.rewire import TRIES, Network, Rows, handed_on, shuffled_units
from shoal.masking.microaggregation.aggregate import group_medians
from shoal.partition.blockwise import blockwise
from shoal.partition.labels import relabel, sizes
from shoal.partition.mdav import mdav
from shoal.types import Labels

Pairs = NDArray[np.intp]  # one row per user: connections from them, and to them
BLOCKED_FROM = 5000  # users of a class that are grouped in blocks; no measurement on record


def directed_changes(graph: Graph, k: int, classes: Labels) -> Pairs:
    """How many connections more from every user and to every user; both columns have the same sum.

    Users of a class are put into groups of at least k with similar numbers (MDAV on their logarithms); a
    group takes its medians.

    >>> from shoal.graph import as_graph
    >>> edges = {"a": ["a", "a", "a", "b"], "b": ["b", "c", "d", "c"]}
    >>> graph = as_graph({"user": list("abcd")}, edges, directed=True)
    >>> directed_changes(graph, 2, np.zeros(4, dtype=int)).sum(axis=0)
    array([-2, -2])
    """
    now = np.column_stack([np.bincount(end, minlength=len(graph)) for end in graph.edges.T])
    labels, found = np.empty(len(graph), dtype=np.intp), 0
    partition = partial(blockwise, partition=mdav)
    for number in range(int(classes.max()) + 1):
        rows = np.flatnonzero(classes == number)
        inside = np.zeros(len(rows), dtype=np.intp)
        if len(rows) >= 2 * k:
            inside = (mdav if len(rows) < BLOCKED_FROM else partition)(np.log1p(now[rows].astype(float)), k)
        labels[rows] = _of_two_sizes(inside, now[rows].sum(axis=1), k) + found
        found += int(inside.max()) + 1
    target = np.column_stack([group_medians(column, labels) for column in now.T])
    return _balanced(target, sizes(labels))[labels] - now


def _of_two_sizes(labels: Labels, degrees: Pairs, k: int) -> Labels:
    """Groups that are not all of k, so that their sizes can make up any gap: the lowest three become two."""
    count = sizes(labels)
    if len(count) < 3 or count.max() > k:
        return labels
    first, *rest = np.argsort(np.bincount(labels, weights=degrees), kind="stable")[:3].tolist()
    rows = np.flatnonzero(np.isin(labels, [first, *rest]))
    order = rows[np.argsort(degrees[rows], kind="stable")]
    labels = labels.copy()
    labels[order[: k + 1]], labels[order[k + 1 :]] = first, rest[0]
    return relabel(labels)


def _balanced(target: Pairs, count: Labels) -> Pairs:
    """The same sum of connections from users and to users, changing few numbers of large groups by little."""
    target = target.copy()
    gap = int(count @ (target[:, 0] - target[:, 1]))
    largest = np.argsort(-target.sum(axis=1), kind="stable")
    for size in _steps(gap, sorted(set(count.tolist()))):
        side = 1 if size > 0 else 0  # more connections to users, or from them
        group = next(g for g in largest if count[g] == abs(size))
        target[group, side] += 1
        largest = np.append(largest[largest != group], group)
    return target


def _steps(gap: int, known: list[int]) -> list[int]:
    """Sizes of groups, each as often as a group of it takes one more, that make up the gap."""
    signs = [size * sign for size in known for sign in (1, -1)]
    whole = [known[-1] * (1 if gap > 0 else -1)] * max(abs(gap) // known[-1] - 2, 0)
    rest, reached = gap - sum(whole), {0: list[int]()}
    for _ in range(2 * known[-1] + 4):
        if rest in reached:
            return whole + reached[rest]
        limit = abs(rest) + 2 * known[-1]
        longer = {
            total + s: [*used, s] for total, used in reached.items() for s in signs if abs(total + s) <= limit
        }
        reached = {**longer, **reached}
    raise Infeasible(
        "The numbers of connections cannot be made equal in groups of these sizes; another k, one more or "
        "less, will do."
    )


class Links(Network):
    """Directed connections as a network of two sides: user a as a source, and user b as n + b."""

    def joined(self, a: int, b: int) -> bool:
        """Whether a connection is there, or would lead from a user to themselves."""
        return abs(a - b) == (len(self.starts) - 1) // 2 or super().joined(a, b)


def rewired_links(edges: Edges, change: Pairs, rng: np.random.Generator) -> Edges:
    """Directed edges in which users have so many more from them and to them, as far as that can be done.

    >>> change = np.array([[-1, 0], [0, 0], [1, 0]])
    >>> rewired_links(np.array([[0, 1]]), change, np.random.default_rng(1)).tolist()
    [[2, 1]]
    """
    n = len(change)
    network = Links(edges + np.array([0, n]), 2 * n)
    left = []
    for side, shift in ((0, 0), (1, n)):
        few = shuffled_units(np.maximum(change[:, side], 0), rng)
        many = shuffled_units(np.maximum(-change[:, side], 0), rng)
        left.append(handed_on(network, [u + shift for u in few], [u + shift for u in many]))
    for a, b in zip(left[0][0], left[1][0], strict=False):
        if network.joined(a, b):
            _through_a_link(network, a, b, rng)
        else:
            network.add(a, b)
    for a, b in zip(left[0][1], left[1][1], strict=False):
        _without(network, a, b)
    found: Edges = network.result() - np.array([0, n])
    return found


def _through_a_link(network: Network, a: int, b: int, rng: np.random.Generator) -> None:
    """x -> y becomes a -> y and x -> b."""
    for place in rng.integers(len(network.edges), size=TRIES).tolist() if len(network.edges) else ():
        x, y = network.edges[place].tolist()
        if network.joined(x, y) and not network.joined(a, y) and not network.joined(x, b):
            network.remove(x, y)
            network.add(a, y)
            network.add(x, b)
            return


def _without(network: Network, a: int, b: int) -> None:
    """a -> b is removed, or a -> x and y -> b become y -> x."""
    friends: Rows | list[int] = network.friends(a)
    if b in friends:
        network.remove(a, b)
        return
    for x in friends:
        for y in network.friends(b):
            if not network.joined(y, x):
                network.remove(a, x)
                network.remove(y, b)
                network.add(y, x)
                return
