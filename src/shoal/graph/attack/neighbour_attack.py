"""The attack by neighbours' degrees: who knows how popular a person's friends are looks for such friends."""

from __future__ import annotations

import numpy as np

from shoal.graph.attack.degree_attack import degree_signature
from shoal.graph.attack.nearest_signature import nearest_hits
from shoal.graph.network import Graph, check_comparable
from shoal.types import Matrix

WAVES = 12  # numbers that stand for the degrees of all friends; no measurement on record


def neighbour_attack(original: Graph, protected: Graph) -> float:
    """Percent of users found by how many connections they have and how many each of their friends has.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.

    Returns
    -------
    float
        0 to 100. The intruder takes the protected users whose friends' numbers are most alike; among g equal
        ones a hit counts 1/g. Guessing finds 100 / users.

    Notes
    -----
    The numbers of all friends are summed up as sums of waves of their logarithms: equal numbers give equal
    sums, similar ones similar sums, so that the attack also works when some connections have changed. Time
    O(connections + users log users), memory O(users).

    References
    ----------
    Hay, Miklau, Jensen, Towsley, Weis: Resisting structural re-identification in anonymized social networks,
    Proceedings of the VLDB Endowment 1 (2008), for queries of neighbours' degrees.

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> path = as_graph({"user": list("abcd")}, {"a": ["a", "b", "c"], "b": ["b", "c", "d"]})
    >>> neighbour_attack(path, path)
    50.0
    """
    check_comparable(original, protected)
    return nearest_hits(neighbour_signature(original), neighbour_signature(protected))


def neighbour_signature(graph: Graph) -> Matrix:
    """Own numbers, and sums over friends of waves of theirs; equal for users with equal surroundings."""
    own = np.log1p(degree_signature(graph))
    rng = np.random.default_rng(0)  # what the waves are does not matter, but both graphs need the same
    frequency = rng.normal(size=(own.shape[1], WAVES))
    waves = np.cos(own @ frequency + rng.uniform(0, 2 * np.pi, WAVES))
    sums = [graph.links @ waves] + ([graph.links.T @ waves] if graph.directed else [])
    return np.hstack([own, *sums])
