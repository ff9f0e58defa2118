"""EBIL: how uncertain the original category is once the masked one is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.encode.categories import Codes, categorise
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import column_covers
from shoal.measures.compared_columns import compared_columns
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def ebil(
    original: Table,
    masked: Table,
    *,
    matrices: Mapping[str, Matrix] | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """Mean entropy of the original category given the masked one, in percent of the largest possible.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    matrices
        PRAM matrices by column name: row i, column j is the probability that category i becomes j, categories
        in the order of the original (`shoal.encode.categories.categorise`). Columns without one, or all if
        not given, are judged by the pairs of categories that occur in the two files.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
        Only ordinal and nominal ones count.

    Returns
    -------
    float
        0 (every masked category gives its original away) to 100 (it says nothing).

    Notes
    -----
    H(V | V' = v') by Bayes' rule, divided by log(number of categories seen in the original), averaged
    over records and columns. A label that may be anything counts 100, a suppressed cell is a masked category
    of its own; cells missing in the original do not count. With few records per pair of categories the
    entropy is underestimated. Time O(n d).

    References
    ----------
    Kooiman, Willenborg, Gouweleeuw: PRAM: a method for disclosure limitation of microdata, Statistics
    Netherlands (1998); Domingo-Ferrer, Torra: Disclosure control methods and information loss for
    microdata, in: Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> ebil(as_table({"town": ["a", "b", "a", "b"]}), as_table({"town": ["a", "a", "b", "b"]}))
    100.0
    """
    names = compared_columns(original, masked, columns, kinds=("ordinal", "nominal"))
    check_names(matrices or (), names, what="compared categorical column")
    total, cells = 0.0, 0
    for name in names:
        before, after, categories = code_pair(original, masked, name)
        after, before = after[before >= 0] + 1, before[before >= 0]  # 0 is the category "suppressed"
        if matrices is not None and name in matrices:
            entropies = _expected_entropies(original, name, matrices[name], len(categories) + 1)
        else:
            entropies = _observed_entropies(before, after, len(categories) + 1)
        most = np.log(max(len(np.unique(before)), 2))
        for code in _says_nothing(original, masked, name, categories):
            entropies[code + 1] = most
        total += float(entropies[after].sum()) / most
        cells += len(before)
    if not cells:
        raise NotApplicable("No categorical column has a value in the original.")
    return float(100.0 * total / cells)


def _says_nothing(original: Table, masked: Table, name: str, categories: tuple[Any, ...]) -> list[int]:
    """The codes of labels that may stand for anything."""
    if len(categories) == len(categorise(original, name)[1]):
        return []
    covers = column_covers(original, masked, name).covers
    released = categorise(masked, name)[1]
    coarse = {value for value, whole in zip(released, covers.everything[:-1], strict=True) if whole}
    return [code for code, value in enumerate(categories) if value in coarse]


def _observed_entropies(before: Codes, after: Codes, count: int) -> Matrix:
    """Entropy of the original category among the records of every masked one, 0 if there are none."""
    pairs, records = np.unique(after * count + before, return_counts=True)
    total = np.bincount(after, minlength=count)
    weighted = np.bincount(pairs // count, weights=records * np.log(records), minlength=count)
    seen = np.maximum(total, 1)
    return np.maximum(np.log(seen) - weighted / seen, 0.0)


def _expected_entropies(original: Table, name: str, matrix: Any, count: int) -> Matrix:
    """The same from frequencies times the PRAM matrix; a masked category it cannot make has entropy 0."""
    codes, categories = categorise(original, name)
    P = _checked(name, matrix, len(categories))
    joint = np.bincount(codes[codes >= 0], minlength=len(categories))[:, None] * P
    total = joint.sum(axis=0)
    p = joint / np.where(total > 0, total, 1.0)
    entropies = np.zeros(count)
    entropies[1 : len(categories) + 1] = -np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0)), 0.0).sum(
        axis=0
    )
    return entropies


def _checked(name: str, matrix: Any, count: int) -> Matrix:
    P: Matrix = np.asarray(matrix, dtype=np.float64)
    if P.shape != (count, count):
        raise InvalidInput(f"The matrix of column {name!r} must be {count} by {count}, got shape {P.shape}.")
    if (P < 0).any() or not np.allclose(P.sum(axis=1), 1.0, atol=1e-8):
        raise InvalidInput(f"The rows of the matrix of column {name!r} must be probabilities that sum to 1.")
    return P
