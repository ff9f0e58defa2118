"""Households as wholes: how many others have the same in all that members share, and as many members."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.models.row_classes import refine, row_classes
from shoal.types import Labels


def household_sizes(codes: NDArray[np.intp], household: NDArray[np.intp], known: str) -> NDArray[np.intp]:
    """For every record how many households look like its own, as wholes.

    `codes` has a row per record and a column per key; `household` may have -1, which is one household.
    An intruder knows the keys that all members share in every household, and how many members there are; with
    "members" also the keys of every one of them, in no order. Time O(n log n), and for "members" as many
    passes over the households as the largest has members.

    >>> codes = np.array([[0, 3], [0, 4], [0, 5], [0, 6], [0, 3]])
    >>> household_sizes(codes, np.array([1, 1, 2, 2, 3]), "size").tolist()
    [2, 2, 2, 2, 1]
    >>> household_sizes(codes, np.array([1, 1, 2, 2, 3]), "members").tolist()
    [1, 1, 1, 1, 1]
    """
    _, first, homes = np.unique(household, return_index=True, return_inverse=True)
    homes = homes.reshape(-1)
    shared = (codes == codes[first[homes]]).all(axis=0)
    members = np.bincount(homes)
    alike = refine(row_classes(codes[first][:, shared]), members)
    if known == "members":
        alike = _with_members(alike, row_classes(codes), homes, members)
    return np.bincount(alike)[alike[homes]]


def _with_members(alike: Labels, labels: Labels, homes: Labels, members: NDArray[np.intp]) -> Labels:
    """Classes of households split by the classes of their members, sorted and taken place by place."""
    order = np.lexsort((labels, homes))
    starts = np.cumsum(members) - members
    for place in range(int(members.max(initial=0))):
        has = members > place
        label = np.full(len(members), -1, dtype=np.intp)
        label[has] = labels[order[starts[has] + place]]
        alike = refine(alike, label)
    return alike
