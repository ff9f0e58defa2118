"""The geometry of users: sparse vectors whose Euclidean distance is the semantic distance.

A label of a hierarchy becomes one coordinate per level below the top: its ancestor there, or itself below its
own level. Two labels differ in two coordinates on every level below the one where they meet, and squared
weights add up, 1 + 3 + 5 + ... = level squared: the distance is the level where they meet / height. A user is
the weighted mean of the labels they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal.encode import encode_pair
from shoal.errors import InvalidInput
from shoal.graph.network import ATTRIBUTES, Graph, Profile, check_comparable
from shoal.hierarchy import Hierarchy
from shoal.hierarchy.tree import as_text
from shoal.table import Table
from shoal.types import Matrix


def check_attributes(attributes: Iterable[str] | str | None, graph: Graph) -> list[str]:
    """The named attributes of a graph, at least one; all that anybody has if none are named.

    >>> from shoal.graph import make_social
    >>> check_attributes(None, make_social(30, rng=1).graph())
    ['location', 'topics']
    """
    known = [*ATTRIBUTES, *graph.attributes[len(set(graph.attributes) & set(ATTRIBUTES)) :]]
    names = (
        (graph.attributes or [*ATTRIBUTES])
        if attributes is None
        else check_names(attributes, known, "attribute of users")
    )
    if not names:
        raise InvalidInput("`attributes` is empty; name location, topics or a column of the users.")
    return names


def profile_vectors(profile: Profile, n: int) -> Any:
    """Users as rows of a sparse matrix; distances from 0 (the same) to 1 (nothing in common).

    With labels x of a user and y of another, their squared distance is the mean of d(x, y)^2 less half of the
    mean of d^2 within each (the energy distance); with one label each it is d(x, y)^2.
    """
    from scipy.sparse import csr_array

    hierarchy = profile.hierarchy
    height, width = hierarchy.height, len(hierarchy.labels)
    steps = np.sqrt((2 * np.arange(height) + 1) / 2) / height
    columns = hierarchy.ancestors[profile.nodes, :height] + width * np.arange(height)
    values = profile.weights[:, None] * steps
    rows = np.repeat(profile.rows, height)
    shape = (n, width * height)
    return csr_array((values.reshape(-1), (rows, columns.reshape(-1))), shape=shape)


def user_vectors(graphs: Sequence[Graph], attributes: Sequence[str]) -> list[Any]:
    """The users of graphs with the same hierarchies as rows of sparse matrices over the same coordinates.

    The squared distance of two users is the mean of their squared distances in the attributes. Coordinates
    that nobody uses are left out.
    """
    from scipy.sparse import hstack

    sizes = [len(graph) for graph in graphs]
    blocks = [_attribute_vectors(graphs, name) for name in attributes]
    everything = hstack(blocks, format="csc") / np.sqrt(len(attributes))
    used = np.flatnonzero(np.diff(everything.indptr))
    kept = everything[:, used].tocsr()
    ends = np.cumsum([0, *sizes])
    return [kept[start:end] for start, end in pairwise(ends.tolist())]


def _attribute_vectors(graphs: Sequence[Graph], name: str) -> Any:
    """All users of the graphs, one below the other, along one attribute; distances are at most 1."""
    from scipy.sparse import csc_array, vstack

    if name in ATTRIBUTES:
        blocks = [profile_vectors(graph.profile(name), len(graph)) for graph in graphs]
        return vstack(blocks, format="csc")
    one, *others = [other_values(graph) for graph in graphs]
    X = encode_pair(one, others[0] if others else one, [name], scale="range")
    found = np.vstack([_without_gaps(block) for block in X[: len(graphs)]])
    return csc_array(found)


def _without_gaps(block: Matrix) -> Matrix:
    """What is missing lies in the middle, and one step aside."""
    gaps = np.isnan(block[:, 0])
    return np.column_stack([np.where(gaps[:, None], 0.5, block), np.where(gaps, 0.5, 0.0)])


def other_values(graph: Graph) -> Table:
    """The table of the columns besides location and topics."""
    if graph.others is None:
        raise InvalidInput("The graph has no columns besides location and topics.")
    return graph.others


def tree_profiles(original: Graph, protected: Graph, name: str) -> tuple[Profile, Profile]:
    """What users have of an attribute in both graphs as entries of one hierarchy; numbers count by tenths."""
    if name in ATTRIBUTES:
        return original.profile(name), protected.profile(name)
    attribute = other_values(original).attribute(name)
    cells: list[Any] = [other_values(graph).cells(name) for graph in (original, protected)]
    if attribute.hierarchy is not None:
        tree = attribute.hierarchy
        texts = [[None if v is None else as_text(v) for v in column] for column in cells]
    else:
        if attribute.kind == "numeric":
            cuts = np.quantile([v for v in cells[0] if v is not None] or [0.0], np.linspace(0.1, 0.9, 9))
            cells = [[None if v is None else int(np.searchsorted(cuts, v)) for v in c] for c in cells]
        texts = [[None if v is None else f"= {as_text(v)}" for v in column] for column in cells]
        kinds = dict.fromkeys(text for column in texts for text in column if text is not None)
        tree = Hierarchy(tuple((text, "anything") for text in kinds or ["="]))
    top = tree.labels[-1]
    nodes = [
        [tree.node.get(top if t is None else t, len(tree.labels) - 1) for t in column] for column in texts
    ]
    rows = np.arange(len(original))
    one, other = (Profile(tree, rows, np.array(n, dtype=np.intp), np.ones(len(rows))) for n in nodes)
    return one, other


def squared_norms(X: Any) -> Matrix:
    """Squared length of every row of a sparse matrix."""
    return np.asarray(X.multiply(X).sum(axis=1)).reshape(-1)


def check_same_hierarchies(original: Graph, protected: Graph) -> None:
    """Two graphs can be compared only if they speak of the same places and topics, user by user."""
    check_comparable(original, protected)
    same: list[tuple[Hierarchy, Hierarchy]] = [
        (original.places, protected.places),
        (original.interests, protected.interests),
    ]
    columns = [[] if graph.others is None else graph.others.names() for graph in (original, protected)]
    missing = [name for name in columns[0] if name not in columns[1]]
    if missing and original.others is not None and original.others.attribute(missing[0]).role == "quasi":
        raise InvalidInput(f"The protected graph has no column {missing[0]!r}; read both in the same way.")
    used = [name in original.attributes and name in protected.attributes for name in ATTRIBUTES]
    if any(one.paths != other.paths for (one, other), known in zip(same, used, strict=True) if known):
        raise InvalidInput("The graphs have different hierarchies; read both with the same ones.")
