"""What a protected graph has lost: connections between values, shares of values, distances of users."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from shoal.errors import NotApplicable
from shoal.graph.geometry import check_attributes, check_same_hierarchies, profile_vectors, squared_norms
from shoal.graph.network import ATTRIBUTES, Graph
from shoal.types import Matrix


def aamil(original: Graph, protected: Graph, *, attributes: Iterable[str] = ATTRIBUTES) -> float:
    """Attribute adjacency loss: how much connections between values (Spain, Japan) have changed, in %.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.
    attributes
        The attributes to compare; the loss is their mean. One that no user of the original has is left out.

    Returns
    -------
    float
        0 (the same) to 100 (no connection between values is left).

    Notes
    -----
    For an attribute, the share of connections between every two of its values is counted in both graphs and
    compared: half the sum of absolute differences. That is done at every level of the hierarchy below the
    top, values generalised to it where they are finer, and averaged: a country released as its continent
    counts as lost on the levels of countries and regions and as kept on that of continents. A user with
    several topics counts with their weights. Time O(levels (edges + users)), memory O(edges).

    References
    ----------
    Our definition after the outline (section 6.3) of Marés: Categorical data protection on statistical
    datasets and social networks, PhD thesis, Universitat Autònoma de Barcelona (2013).

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> aamil(graph, graph)
    0.0
    """
    losses = []
    for name in compared(original, protected, attributes):
        before, after = _levels(original, name), _levels(protected, name)
        links = user_links(original), user_links(protected)
        changes = [
            _change(a.T @ (links[0] @ a), b.T @ (links[1] @ b)) for a, b in zip(before, after, strict=True)
        ]
        losses.append(float(np.mean(changes)))
    return 100.0 * float(np.mean(losses))


def cdil(original: Graph, protected: Graph, *, attributes: Iterable[str] = ATTRIBUTES) -> float:
    """Category distribution loss: how much the shares of values (6 % in Spain) have changed, in %.

    Parameters, result and levels are those of `aamil`. Time and memory O(levels users).

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> cdil(graph, graph)
    0.0
    """
    losses = []
    for name in compared(original, protected, attributes):
        pairs = zip(_levels(original, name), _levels(protected, name), strict=True)
        losses.append(float(np.mean([_change(a.sum(axis=0), b.sum(axis=0)) for a, b in pairs])))
    return 100.0 * float(np.mean(losses))


def semantic_dbil(original: Graph, protected: Graph, *, attributes: Iterable[str] = ATTRIBUTES) -> float:
    """Distance-based loss: mean semantic distance between what users had and what is released, in %.

    Parameters
    ----------
    original, protected, attributes
        As in `aamil`.

    Returns
    -------
    float
        0 (nobody changed) to 100 (nobody has anything in common with before).

    Notes
    -----
    Distances are those of `shoal.graph.geometry`: for locations the level where two meet / height, for
    topics the energy distance of the weighted sets. Time and memory O(users).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": ["a", "b"], "location": ["Spain", "Spain"]}
    >>> other = {"user": ["a", "b"], "location": ["Spain", "Southern Europe"]}
    >>> edges = {"a": ["a"], "b": ["b"]}
    >>> round(semantic_dbil(as_graph(users, edges), as_graph(other, edges)), 2)
    16.67
    """
    names = compared(original, protected, attributes)
    return 100.0 * float(np.mean([user_distances(original, protected, name).mean() for name in names]))


def semantic_loss(original: Graph, protected: Graph, *, attributes: Iterable[str] = ATTRIBUTES) -> float:
    """The mean of `aamil`, `cdil` and `semantic_dbil`.

    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> semantic_loss(graph, graph)
    0.0
    """
    names = list(attributes) if not isinstance(attributes, str) else [attributes]
    parts = [measure(original, protected, attributes=names) for measure in (aamil, cdil, semantic_dbil)]
    return float(np.mean(parts))


def user_distances(original: Graph, protected: Graph, attribute: str) -> Matrix:
    """Semantic distance between every user before and after, from 0 to 1."""
    n = len(original)
    gap = profile_vectors(original.profile(attribute), n) - profile_vectors(protected.profile(attribute), n)
    return np.sqrt(squared_norms(gap))


def compared(original: Graph, protected: Graph, attributes: Iterable[str]) -> list[str]:
    """The attributes to compare: those asked for that any user of the original has."""
    check_same_hierarchies(original, protected)
    names = [n for n in check_attributes(attributes) if original.users[n].null_count() < len(original)]
    if not names:
        raise NotApplicable("No user of the original has a location or topics, so nothing can be lost.")
    return names


def _levels(graph: Graph, attribute: str) -> list[Any]:
    """Users by values, one sparse matrix of weights for every level below the top."""
    from scipy.sparse import csr_array

    profile = graph.profile(attribute)
    shape = (len(graph), len(profile.hierarchy.labels))
    return [
        csr_array((profile.weights, (profile.rows, line)), shape=shape)
        for line in profile.hierarchy.ancestors[profile.nodes, : profile.hierarchy.height].T
    ]


def user_links(graph: Graph) -> Any:
    """Who is connected to whom, in both directions, as a sparse matrix of ones."""
    from scipy.sparse import csr_array

    a, b = graph.edges.T
    ones = np.ones(2 * len(a))
    return csr_array((ones, (np.r_[a, b], np.r_[b, a])), shape=(len(graph), len(graph)))


def _change(before: Any, after: Any) -> float:
    """Half the sum of absolute differences of two tables of counts, each as shares of its total; 0 to 1."""
    totals = float(before.sum()), float(after.sum())
    if min(totals) == 0:
        return float(totals[0] != totals[1])
    return min(float(abs(before / totals[0] - after / totals[1]).sum()) / 2, 1.0)
