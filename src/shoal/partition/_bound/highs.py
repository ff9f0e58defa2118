"""Linear and integer programmes about groups, as HiGHS takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels, Matrix

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

Groups = NDArray[np.int32]  # a group of records in every row, filled up with -1
Triples = NDArray[np.int32]  # three records in every row


def members(groups: Groups, n: int) -> csr_array:
    """Which records (columns) a group (row) holds.

    >>> members(np.array([[0, 2, -1], [0, 1, 2]]), 3).toarray().astype(int)
    array([[1, 0, 1],
           [1, 1, 1]])
    """
    from scipy.sparse import csr_array

    inside = groups >= 0
    starts = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
    return csr_array((np.ones(starts[-1]), groups[inside], starts), shape=(len(groups), n))


def groups_of_labels(labels: Labels, k: int) -> Groups:
    """The groups of a partition into groups of k to 2k-1 records, each in order after its filling.

    >>> groups_of_labels(np.array([0, 1, 0, 1, 1]), 2).tolist()
    [[-1, 0, 2], [1, 3, 4]]
    """
    order, size = np.argsort(labels, kind="stable"), np.bincount(labels)
    groups = np.full((len(size), 2 * k - 1), -1, dtype=np.int32)
    groups[np.arange(2 * k - 1) >= 2 * k - 1 - size[:, None]] = order
    return groups


def holds_two(groups: Groups, triples: Triples, n: int) -> csr_array:
    """Which groups (rows) hold two or all of a triple (columns)."""
    return (members(groups, n) @ members(triples, n).T >= 2).astype(np.float64)


def cover(groups: Groups, triples: Triples, n: int) -> tuple[csc_array, Matrix, Matrix]:
    """Every record is covered once, every three at most once: the rows, and the limits of their sums."""
    from scipy.sparse import vstack

    rows = vstack([members(groups, n).T, holds_two(groups, triples, n).T]).tocsc()
    least = np.concatenate([np.ones(n), np.full(len(triples), -np.inf)])
    return rows, least, np.ones(n + len(triples))


def solver(matrix: csc_array, least: Matrix, most: Matrix, costs: Matrix, upper: float) -> Any:
    """HiGHS, quiet and on one thread, about to find the cheapest values between 0 and `upper`."""
    import highspy

    rows, columns = matrix.shape
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns, rows
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, np.zeros(columns), np.full(columns, upper)
    model.row_lower_, model.row_upper_ = least, most
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    model.a_matrix_.index_ = matrix.indices.astype(np.int32)
    model.a_matrix_.value_ = matrix.data.astype(np.float64)
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(model)
    return highs
