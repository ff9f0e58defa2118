"""V-MDAV with gamma 0.2 on Census: the losses of Maya and Solanas, table IX, to their last digit."""

from __future__ import annotations

import pytest

from shoal.partition import sse, v_mdav


@pytest.mark.parametrize(("k", "loss"), [(3, 5.69), (4, 7.52), (5, 8.98), (10, 14.07)])
def test_information_loss(reference_matrix, k, loss):
    X = reference_matrix("census")
    assert 100 * sse(X, v_mdav(X, k)) / (X**2).sum() == pytest.approx(loss, abs=0.005)


@pytest.mark.parametrize(("k", "loss"), [(3, 5.66), (4, 7.51), (5, 9.01), (10, 14.07)])
def test_without_extension_it_is_what_that_table_calls_mdav(reference_matrix, k, loss):
    X = reference_matrix("census")
    assert 100 * sse(X, v_mdav(X, k, gamma=0)) / (X**2).sum() == pytest.approx(loss, abs=0.005)


@pytest.mark.parametrize("k", [3, 5])
def test_gamma_auto_never_loses_more(reference_matrix, k):
    X = reference_matrix("tarragona")
    assert sse(X, v_mdav(X, k, gamma="auto")) < sse(X, v_mdav(X, k))
