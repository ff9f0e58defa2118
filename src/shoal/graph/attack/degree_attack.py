"""The degree attack: who knows how many connections a person has looks for users with as many."""

from __future__ import annotations

import numpy as np

from shoal.graph.attack.nearest_signature import nearest_hits
from shoal.graph.network import Graph, check_comparable
from shoal.types import Matrix


def degree_attack(original: Graph, protected: Graph) -> float:
    """Percent of users found by the number of their connections, which the intruder knows exactly.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.

    Returns
    -------
    float
        0 to 100. The intruder takes the protected users whose number is nearest; among g of them a hit counts
        1/g. With directions they know both numbers. Guessing finds 100 / users.

    Notes
    -----
    Time O(users log users), memory O(users).

    References
    ----------
    Hay, Miklau, Jensen, Towsley, Weis: Resisting structural re-identification in anonymized social networks,
    Proceedings of the VLDB Endowment 1 (2008).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> star = as_graph({"user": list("abcd")}, {"a": ["a", "a", "a"], "b": ["b", "c", "d"]})
    >>> round(degree_attack(star, star), 6)
    50.0
    """
    check_comparable(original, protected)
    return nearest_hits(degree_signature(original), degree_signature(protected))


def degree_signature(graph: Graph) -> Matrix:
    """The number of connections of every user, from them and to them if directed."""
    sides = graph.edges.T if graph.directed else [graph.edges.reshape(-1)]
    return np.column_stack([np.bincount(side, minlength=len(graph)) for side in sides]).astype(float)
