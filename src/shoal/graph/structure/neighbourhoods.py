"""k-neighbourhood check: how many users have friends who know each other in a way few others' friends do."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal._check import check_count, check_k
from shoal.graph.network import Graph
from shoal.graph.structure.triangles import user_triangles
from shoal.types import RandomState

ROUNDS = 2  # times every friend looks at what the friends next to them look like; no measurement on record


def neighbourhoods_below(graph: Graph, k: int, *, sample: int = 500, rng: RandomState = 0) -> float:
    """Percent of users whose neighbourhood fewer than k users have: friends, and who of them are friends.

    Parameters
    ----------
    graph
        The graph; directions do not count here.
    k
        How many users, the user among them, should have neighbourhoods of one shape.
    sample
        How many users are checked, drawn at random; all if there are no more.
    rng
        Seed or generator for the sample.

    Returns
    -------
    float
        0 to 100, of the users checked: at least so many, as shapes are compared by rounds of refined degrees,
        which take a few different shapes for the same.

    Notes
    -----
    A check and no protection: `protect_graph` does not make neighbourhoods alike, which would change most of
    a network. Compared are users with as many friends and triangles. Time O(friends squared) for every user
    looked at, and once over all triangles.

    References
    ----------
    Zhou, Pei: Preserving privacy in social networks against neighborhood attacks, International Conference on
    Data Engineering (2008), for k-neighbourhood anonymity; Weisfeiler, Leman (1968), for the comparison.

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> path = as_graph({"user": list("abcd")}, {"a": ["a", "b", "c"], "b": ["b", "c", "d"]})
    >>> neighbourhoods_below(path, 2), neighbourhoods_below(path, 3)
    (0.0, 100.0)
    """
    k, sample = check_k(k, len(graph)), check_count("sample", sample)
    links = (graph.links + graph.links.T if graph.directed else graph.links).tocsr()
    links.data[:] = 1
    looks = np.column_stack([np.diff(links.indptr), user_triangles(links)])
    kinds = np.unique(looks, axis=0, return_inverse=True)[1].reshape(-1)
    rng = np.random.default_rng(rng)
    users = rng.choice(len(graph), min(sample, len(graph)), replace=False)
    shapes: dict[int, bytes] = {}
    alone = sum(
        not _enough(int(user), np.flatnonzero(kinds == kinds[user]), links, k, shapes) for user in users
    )
    return 100.0 * alone / max(len(users), 1)


def _enough(user: int, rivals: Any, links: Any, k: int, shapes: dict[int, bytes]) -> bool:
    """Whether k of these users have the shape of one of them."""
    if len(rivals) < k:
        return False
    found = 0
    for other in (user, *rivals.tolist()):
        if other not in shapes:
            shapes[other] = _shape(links, other)
        found += other != user and shapes[other] == shapes[user]
        if found >= k - 1:
            return True
    return False


def _shape(links: Any, user: int) -> bytes:
    """Numbers that neighbourhoods of one shape share, in order."""
    friends = links.indices[links.indptr[user] : links.indptr[user + 1]]
    inside = links[friends][:, friends]
    labels = np.diff(inside.indptr).astype(np.uint64)
    for _ in range(ROUNDS):  # whole numbers wrap: sums are exact
        mixed = (labels + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        sums = np.add.reduceat(np.append(mixed[inside.indices], np.uint64(0)), inside.indptr[:-1])
        labels = mixed * np.uint64(3) + np.where(np.diff(inside.indptr) > 0, sums, np.uint64(0))
    return np.sort(labels).tobytes()
