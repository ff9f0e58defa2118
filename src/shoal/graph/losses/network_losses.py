"""What a protected graph has lost: connections between values, shares of values, distances of users."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from shoal.errors import NotApplicable
from shoal.graph.geometry import (
    check_attributes,
    check_same_hierarchies,
    squared_norms,
    tree_profiles,
    user_vectors,
)
from shoal.graph.network import Graph, Profile
from shoal.types import Matrix


def aamil(original: Graph, protected: Graph, *, attributes: Iterable[str] | None = None) -> float:
    """Attribute adjacency loss: how much connections between values (Spain, Japan) have changed, in %.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.
    attributes
        The attributes to compare, all if not given; the loss is their mean. One that no user of the original
        has is left out. Columns without a hierarchy have one level; numbers count by the tenth they lie in.

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
        before, after = (_levels(profile) for profile in tree_profiles(original, protected, name))
        links = original.links, protected.links
        changes = [
            _change(a.T @ (links[0] @ a), b.T @ (links[1] @ b)) for a, b in zip(before, after, strict=True)
        ]
        losses.append(float(np.mean(changes)))
    return 100.0 * float(np.mean(losses))


def cdil(original: Graph, protected: Graph, *, attributes: Iterable[str] | None = None) -> float:
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
        pairs = zip(*(_levels(profile) for profile in tree_profiles(original, protected, name)), strict=True)
        losses.append(float(np.mean([_change(a.sum(axis=0), b.sum(axis=0)) for a, b in pairs])))
    return 100.0 * float(np.mean(losses))


def semantic_dbil(original: Graph, protected: Graph, *, attributes: Iterable[str] | None = None) -> float:
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
    30.0
    """
    names = compared(original, protected, attributes)
    return 100.0 * float(np.mean([user_distances(original, protected, name).mean() for name in names]))


def semantic_loss(original: Graph, protected: Graph, *, attributes: Iterable[str] | None = None) -> float:
    """The mean of `aamil`, `cdil` and `semantic_dbil`.

    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> semantic_loss(graph, graph)
    0.0
    """
    names = None if attributes is None else check_attributes(attributes, original)
    parts = [measure(original, protected, attributes=names) for measure in (aamil, cdil, semantic_dbil)]
    return float(np.mean(parts))


def user_distances(original: Graph, protected: Graph, attribute: str) -> Matrix:
    """Semantic distance between every user before and after, from 0 to 1."""
    X, Y = user_vectors([original, protected], [attribute])
    return np.minimum(np.sqrt(squared_norms(X - Y)), 1.0)


def compared(original: Graph, protected: Graph, attributes: Iterable[str] | None) -> list[str]:
    """The attributes to compare: those asked for that any user of the original has."""
    check_same_hierarchies(original, protected)
    known = original.attributes
    names = [
        n for n in (known if attributes is None else check_attributes(attributes, original)) if n in known
    ]
    if not names:
        raise NotApplicable("No user of the original has any attribute, so nothing of them can be lost.")
    return names


def _levels(profile: Profile) -> list[Any]:
    """Users by values, one sparse matrix of weights for every level below the top."""
    from scipy.sparse import csr_array

    shape = (int(profile.rows.max(initial=0)) + 1, len(profile.hierarchy.labels))
    return [
        csr_array((profile.weights, (profile.rows, line)), shape=shape)
        for line in profile.hierarchy.ancestors[profile.nodes, : profile.hierarchy.height].T
    ]


def _change(before: Any, after: Any) -> float:
    """Half the sum of absolute differences of two tables of counts, each as shares of its total; 0 to 1."""
    totals = float(before.sum()), float(after.sum())
    if min(totals) == 0:
        return float(totals[0] != totals[1])
    return min(float(abs(before / totals[0] - after / totals[1]).sum()) / 2, 1.0)
