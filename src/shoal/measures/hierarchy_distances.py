"""Distances of categories that a hierarchy knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.encode.categories import Codes
from shoal.hierarchy.tree import as_text
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import became_text
from shoal.table import Table
from shoal.types import Matrix


def named_by_hierarchy(original: Table, masked: Table, name: str) -> bool:
    """Whether the column has a hierarchy that names every value of both files, and no distance of its own.

    Numbers have one, unless masking turned them into labels of the hierarchy; ranks have one.

    >>> from shoal import as_table
    >>> named_by_hierarchy(as_table({"town": ["a"]}), as_table({"town": ["a"]}), "town")
    False
    """
    attribute, hierarchy = original.attribute(name), hierarchy_of_either(original, masked, name)
    if hierarchy is None or not (attribute.kind == "nominal" or became_text(original, masked, name)):
        return False
    node = hierarchy.node
    return all(as_text(category) in node for category in code_pair(original, masked, name)[2])


def hierarchy_of_either(original: Table, masked: Table, name: str) -> Any:
    """The hierarchy of the masked column, else the original's; None if neither has one."""
    return masked.attribute(name).hierarchy or original.attribute(name).hierarchy


def hierarchy_distances(original: Table, masked: Table, name: str) -> Matrix:
    """Levels up to the common ancestor / height, for every record; 1 where either value is missing."""
    before, after, categories = code_pair(original, masked, name)
    hierarchy = hierarchy_of_either(original, masked, name)
    found = [hierarchy.node[as_text(category)] for category in categories]
    nodes: Codes = np.array([*found, 0], dtype=np.intp)
    lines = hierarchy.ancestors[nodes]
    pairs, which = np.unique(np.column_stack([before, after]), axis=0, return_inverse=True)
    meet = np.argmax(lines[pairs[:, 0]] == lines[pairs[:, 1]], axis=1) / max(hierarchy.height, 1)
    meet = np.where(nodes[pairs[:, 0]] == nodes[pairs[:, 1]], 0.0, meet)
    return np.where((pairs < 0).any(axis=1), 1.0, meet)[which.reshape(-1)]
