from __future__ import annotations

import numpy as np
import pytest

from shoal.errors import InvalidInput
from shoal.partition import mdav, path, sse, univariate
from shoal.partition._tour.tour_orders import TOURS, greedy
from small_files import make


def test_any_order_will_do():
    X = make("normal", 30, 1, 1)
    ascending = path(X, 3, tour=lambda X: np.argsort(X[:, 0]), improve=False)
    np.testing.assert_array_equal(ascending, univariate(X, 3))


@pytest.mark.parametrize("tour", TOURS, ids=lambda f: f.__name__)
def test_a_shorter_path_loses_less_here(tour):
    X = make("normal", 300, 2, 2)
    assert sse(X, path(X, 3, tour=tour)) < sse(X, path(X, 3, tour=tour, improve=False))


def test_it_beats_mdav_on_clusters_of_other_sizes():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.uniform(0, 1000, size=(40, 2)), rng.integers(3, 6, size=40), axis=0)
    X += rng.normal(size=X.shape)
    assert sse(X, path(X, 3)) < 0.5 * sse(X, mdav(X, 3))
    assert sse(X, path(X, 3, tour=greedy)) < 0.5 * sse(X, mdav(X, 3))


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [0, 0, 1, 2, 3], [1, 2, 3, 4, 5], [[0, 1, 2, 3, 4]]])
def test_a_tour_that_forgets_a_record_is_refused(order):
    with pytest.raises(InvalidInput, match="each of the 5 row positions exactly once"):
        path(np.ones((5, 1)), 2, tour=lambda X: np.array(order))
