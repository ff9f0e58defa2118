"""MF-TSP on Census: no worse than Maya and Solanas, table IX, who do not say how they find their paths."""

from __future__ import annotations

import pytest

from shoal.partition import mf_tsp, sizes, sse


@pytest.mark.slow
@pytest.mark.parametrize(("k", "loss"), [(3, 6.00), (4, 9.24), (5, 11.6), (10, 25.49)])
def test_information_loss(reference_matrix, k, loss):
    X = reference_matrix("census")
    labels = mf_tsp(X, k)
    assert 100 * sse(X, labels) / (X**2).sum() <= loss
    assert (sizes(labels) == k).all()  # a fixed-size method, and k divides 1080


def test_the_variable_form_beats_the_fixed_one_by_far(reference_matrix):
    X = reference_matrix("census")[::4]
    assert sse(X, mf_tsp(X, 3, variable=True)) < 0.9 * sse(X, mf_tsp(X, 3))
