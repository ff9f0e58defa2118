"""A file made ready for a search: records in spatial order, near records of each, and their scale."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.partition.labels import relabel
from shoal.types import Labels, Matrix

LOCAL_SHARE = 0.6  # how much of the local scale goes into the temperature; the rest is that of the whole file


class SpatialFile(NamedTuple):
    """Records close in space are close in memory: a search on a large file is several times faster."""

    X: Matrix  # in spatial order
    order: Labels  # the row position in the file of every record here
    near: NDArray[np.int32]  # near other records of every record, the closest first
    temperature_unit: Matrix  # what a record may be expected to cost, the unit of its temperature

    def in_file_order(self, labels: Labels) -> Labels:
        """Labels of the records here as labels of the rows of the file, 0..g-1 by first appearance."""
        back = np.empty(len(labels), dtype=np.intp)
        back[self.order] = labels
        return relabel(back)


def spatial_file(X: Matrix, k: int, count: int, *, around: int, read: int, busy: int = 0) -> SpatialFile:
    """Sort the records and list `count` near ones for each; see `near_records` for the rest.

    >>> ready = spatial_file(np.array([[0.0], [5.0], [1.0]]), 2, 1, around=8, read=8)
    >>> ready.near.ravel(), ready.order
    (array([2, 2, 0], dtype=int32), array([0, 1, 2]))
    """
    from shoal._kernels.jit import interpreted_if_small
    from shoal._kernels.spatial.near_lists import near_records
    from shoal._kernels.spatial.spatial_order import LEAF, spatial_order

    order, count = np.arange(len(X), dtype=np.int32), min(count, len(X) - 1)
    interpreted_if_small(spatial_order, X.size)(X, order, np.empty(len(order)))
    X = np.ascontiguousarray(X[order])
    enough = count // LEAF + 2  # leaves to fill the list, the last one may be almost empty
    used = min(k - 1, count)
    near, squares = near_records(X, count, max(around, enough), max(read, enough), used, busy=busy)
    return SpatialFile(
        X, order.astype(np.intp), near, _temperature_unit(squares * ((k - 1) / used / (2 * k)))
    )


def _temperature_unit(least: Matrix) -> Matrix:
    """Between the least that a record can cost (see `lower_bound`) and the mean of that over the file.

    One temperature for all would melt the dense parts of a skewed file before it moves anything elsewhere.
    """
    temperature_unit: Matrix = least**LOCAL_SHARE * least.mean() ** (1 - LOCAL_SHARE)
    return temperature_unit
