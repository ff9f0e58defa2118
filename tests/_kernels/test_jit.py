from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from shoal._kernels import jit as jit_module
from shoal._kernels.groups import descend, member_tiles
from shoal._kernels.jit import inline, kernel_only
from shoal._kernels.spatial import near_lists
from shoal.partition import local_search


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


def test_small_files_are_read_by_python_until_compiled(monkeypatch):
    double = njit(lambda x: 2 * x)

    monkeypatch.setattr(jit_module, "is_cached", lambda kernel: False)
    small, large = jit_module.INTERPRETED, jit_module.INTERPRETED + 1
    assert jit_module.interpreted_if_small(double, small) is double.py_func
    assert jit_module.interpreted_if_small(double, large) is double
    assert double(3) == 6
    assert jit_module.interpreted_if_small(double, small) is double


@pytest.mark.parametrize("ties", [False, True])
def test_python_and_compiled_code_give_the_same_groups(ties, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (400, 3)).astype(float) if ties else rng.normal(size=(400, 3))
    compiled = local_search(X, 4)
    for module in (descend, member_tiles, near_lists):
        monkeypatch.setattr(module, "interpreted_if_small", lambda kernel, numbers: kernel.py_func)
    monkeypatch.setattr(jit_module, "interpreted_if_small", lambda kernel, numbers: kernel.py_func)
    np.testing.assert_array_equal(local_search(X, 4), compiled)
