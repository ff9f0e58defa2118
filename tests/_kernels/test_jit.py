from __future__ import annotations

import numpy as np
from numba import njit

from shoal._kernels.jit import inline, kernel_only


@kernel_only
def plus(a: int, b: int) -> int:
    return a + b


@inline
def minus(a: int, b: int) -> int:
    return a - b


@njit
def sums(rows, slots):
    total, first = 0, 0  # first is a plain 0 at first, then a number of eight bytes
    for i in range(len(rows)):
        total += plus(first, 1) + plus(rows[i], slots[i]) + minus(slots[i], slots[i])
        first = 2 * first + 1
    return total


def test_every_kind_of_whole_number_is_right_and_compiled_once():
    top = 2**31 - 1
    assert sums(np.array([1, 2]), np.array([top, top], dtype=np.int32)) == 2 * top + 6
    assert len(plus.compiled.signatures) == len(minus.compiled.signatures) == 1


def test_from_python_it_is_plain_python():
    assert plus(2**70, 1) == 2**70 + 1
