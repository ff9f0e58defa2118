"""Codes of two files in one numbering."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal._once import once
from shoal.encode.categories import Codes, categorise
from shoal.table import Table
from shoal.types import Matrix


@once
def code_pair(original: Table, masked: Table, name: str) -> tuple[Codes, Codes, tuple[Any, ...]]:
    """One numbering for both files: the original's categories first, then those only the masked file has.

    Numbers are numbered in order, whichever file they come from.

    >>> from shoal import as_table
    >>> code_pair(as_table({"town": ["b", "a"]}), as_table({"town": ["c", None]}), "town")
    (array([1, 0]), array([ 2, -1]), ('a', 'b', 'c'))
    """
    if original.attribute(name).kind == masked.attribute(name).kind == "numeric":
        return _number_pair(original.column(name), masked.column(name))
    codes, categories = categorise(original, name)
    other, others = categorise(masked, name)
    if categories == others:
        return codes, other, categories
    position = {category: code for code, category in enumerate(categories)}
    for category in others:
        position.setdefault(category, len(position))
    renumber = np.array([position[category] for category in others] + [-1], dtype=np.intp)
    return codes, renumber[other], tuple(position)


def _number_pair(x: Matrix, y: Matrix) -> tuple[Codes, Codes, tuple[Any, ...]]:
    seen, codes = np.unique(np.concatenate([x, y]), return_inverse=True)
    codes = np.where(np.isnan(np.concatenate([x, y])), -1, codes.reshape(-1))
    return codes[: len(x)], codes[len(x) :], tuple(seen[~np.isnan(seen)].tolist())
