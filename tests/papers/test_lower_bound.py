"""Lower bounds of the reference files against losses that were published (spec of the reference files)."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.partition import local_search, lower_bound, sse

NEIGHBOURS = {  # percent, worked out apart from this library
    ("census", 3): 3.4438,
    ("census", 10): 7.3363,
    ("tarragona", 5): 13.9273,
    ("eia", 4): 0.3344,
}


def percent(X, squares):
    return 100 * squares / sse(X, np.zeros(len(X), dtype=np.intp))


@pytest.mark.parametrize(("name", "k"), NEIGHBOURS, ids=str)
def test_neighbour_bound(reference_matrix, name, k):
    X = reference_matrix(name)
    assert percent(X, lower_bound(X, k)) == pytest.approx(NEIGHBOURS[name, k], abs=6e-5)


def test_a_published_loss_below_the_bound_is_impossible(reference_matrix):
    X = reference_matrix("census")
    assert percent(X, lower_bound(X, 4)) > 3.9561


def test_columns_come_close_on_census(reference_matrix):
    X = reference_matrix("census")
    bound = lower_bound(X, 3, method="columns", seconds=15, callback=lambda p: percent(X, p.best) > 4.3)
    assert 4.3 < percent(X, bound) < percent(X, sse(X, local_search(X, 3)))
