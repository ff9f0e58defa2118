"""Classes of different coarseness: every node of a lattice takes what it can from the rows that are left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.jit import jit
from shoal._kernels.recoding.count_keys import slot_of

Numbers = NDArray[np.int64]


@jit
def release_classes(
    rows: NDArray[np.int32], counts: Numbers, ids: NDArray[np.int32], used: Numbers, nodes: Numbers, k: int
) -> Numbers:
    """The class of every row, -1 where no node gave it company of k.

    At node levels `nodes[v]`, row r has in column c the label `ids[c, nodes[v, c], rows[r, c]]` out of
    `used[c, level]`; `counts` are the records of every row. Different labels may share a key where there are
    too many combinations for one number: such a class is only coarser than it could be.
    """
    m, d = rows.shape
    labels, left = np.full(m, -1, np.int64), np.arange(m)
    size = 16
    while size < 2 * m:
        size *= 2
    table, total, number = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    slots, found = np.empty(m, np.int64), 0
    for v in range(len(nodes)):
        if len(left) == 0:
            break
        while size > 4 * len(left) + 16:
            size //= 2
        table[:size], total[:size], number[:size] = -1, 0, -1
        for p in range(len(left)):
            row, key, bound = left[p], 0, 1
            for c in range(d):
                key += ids[c, nodes[v, c], rows[row, c]] * bound
                bound *= used[c, nodes[v, c]]
            slot = slot_of(table[:size], key & 0x7FFFFFFFFFFFFFFF)
            table[slot] = key & 0x7FFFFFFFFFFFFFFF
            total[slot] += counts[row]
            slots[p] = slot
        kept = 0
        for p in range(len(left)):
            slot = slots[p]
            if total[slot] >= k:
                if number[slot] < 0:
                    number[slot] = found
                    found += 1
                labels[left[p]] = number[slot]
            else:
                left[kept] = left[p]
                kept += 1
        left = left[:kept]
    return labels
