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
from shoal.errors import InvalidInput
from shoal.graph.network import ATTRIBUTES, Graph, Profile
from shoal.hierarchy import Hierarchy
from shoal.types import Matrix


def check_attributes(attributes: Iterable[str] | str) -> list[str]:
    """The named attributes, at least one, out of location and topics.

    >>> check_attributes("topics")
    ['topics']
    """
    names = check_names(attributes, ATTRIBUTES, what="attribute of users")
    if not names:
        raise InvalidInput("`attributes` is empty; name location, topics or both.")
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
    from scipy.sparse import hstack, vstack

    sizes = [len(graph) for graph in graphs]
    blocks = [
        vstack([profile_vectors(graph.profile(name), len(graph)) for graph in graphs], format="csc")
        for name in attributes
    ]
    everything = hstack(blocks, format="csc") / np.sqrt(len(attributes))
    used = np.flatnonzero(np.diff(everything.indptr))
    kept = everything[:, used].tocsr()
    ends = np.cumsum([0, *sizes])
    return [kept[start:end] for start, end in pairwise(ends.tolist())]


def squared_norms(X: Any) -> Matrix:
    """Squared length of every row of a sparse matrix."""
    return np.asarray(X.multiply(X).sum(axis=1)).reshape(-1)


def check_same_hierarchies(original: Graph, protected: Graph) -> None:
    """Two graphs can be compared only if they speak of the same places and topics, user by user."""
    if len(original) != len(protected):
        raise InvalidInput(
            f"The graphs have {len(original)} and {len(protected)} users; they must correspond row by row."
        )
    same: list[tuple[Hierarchy, Hierarchy]] = [
        (original.places, protected.places),
        (original.interests, protected.interests),
    ]
    if any(one.paths != other.paths for one, other in same):
        raise InvalidInput("The graphs have different hierarchies; read both with the same ones.")
