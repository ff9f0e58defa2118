from __future__ import annotations

import time

import numpy as np
import pytest

from shoal.partition import best, local_search, lower_bound, mdav, sse
from shoal.partition._bound import certify as room
from shoal.partition._bound.certify import certify
from shoal.partition._shared.prepare import prepare

X, K = prepare(np.random.default_rng(0).normal(size=(60, 2)), 3)


def never(fraction, bound):
    return False


def test_a_small_file_is_solved():
    labels, bound = certify(X, K, [mdav(X, K)], time.monotonic() + 60, never)
    assert (1 - 1e-5) * sse(X, labels) < bound <= sse(X, labels) <= sse(X, local_search(X, K))


def test_stopping_keeps_the_labels_and_the_bound_so_far():
    start, seen = mdav(X, K), []
    labels, bound = certify(
        X, K, [start], time.monotonic() + 60, lambda fraction, bound: seen.append(bound) or len(seen) == 3
    )
    assert labels.tolist() == start.tolist()
    assert bound == seen[-1] == max(seen)


def test_a_file_too_large_gets_the_neighbour_bound(monkeypatch):
    monkeypatch.setattr(room, "MOST_RECORDS", 50)
    start = mdav(X, K)
    labels, bound = certify(X, K, [start], time.monotonic() + 60, never)
    assert labels.tolist() == start.tolist()
    assert bound == pytest.approx(lower_bound(X, K), rel=1e-12)


def test_without_time_nothing_is_tried():
    _, bound = certify(X, K, [mdav(X, K)], time.monotonic() - 1, never)
    assert bound == pytest.approx(lower_bound(X, K), rel=1e-12)


def test_a_certificate_holds_and_iterations_give_the_same_groups():
    found = best(X, K, seconds=20, certify=True, iterations=50, rng=1)
    assert found.labels.tolist() == best(X, K, iterations=50, rng=1).tolist()
    assert found.bound <= found.sse == pytest.approx(sse(X, found.labels))
    assert best(X, K, seconds=20, certify=True, rng=1).gap < 1e-5
