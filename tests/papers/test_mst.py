"""Spanning tree partitions with divided groups (M-d) on Census: the losses of Laszlo and Mukherjee."""

from __future__ import annotations

import pytest

from shoal.partition import mst, sse


@pytest.mark.parametrize(("k", "loss"), [(3, 6.11), (4, 8.24), (5, 10.30), (10, 17.17)])
def test_information_loss(reference_matrix, k, loss):
    """Within 0.4 %: which of two equally distant records comes first is not said, and moves the result."""
    X = reference_matrix("census")
    assert 100 * sse(X, mst(X, k)) / (X**2).sum() == pytest.approx(loss, rel=0.004)


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_dividing_large_groups_pays(reference_matrix, k):
    X = reference_matrix("census")
    assert sse(X, mst(X, k)) < sse(X, mst(X, k, split=False))
