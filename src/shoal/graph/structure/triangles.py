"""Triangles: three users who are all connected."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def user_triangles(links: Any) -> NDArray[np.int64]:
    """How many triangles every user is in; links are a sparse matrix in compressed rows, both ways.

    >>> from scipy.sparse import csr_array
    >>> user_triangles(csr_array(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]])))
    array([1, 1, 1, 0])
    """
    from scipy.sparse import csr_array

    from shoal._kernels.graph.communities import count_triangles

    degrees = np.diff(links.indptr).astype(np.int64)
    entries = links.tocoo()
    a, b = entries.row, entries.col  # as scipy 1.11 names them too
    once = degrees[a] * len(degrees) + a < degrees[b] * len(degrees) + b
    half = csr_array((np.ones(int(once.sum())), (a[once], b[once])), shape=links.shape)
    half.sort_indices()
    return count_triangles(half.indptr.astype(np.int64), half.indices.astype(np.int64))
