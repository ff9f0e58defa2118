"""Local search against MDAV and against the lowest published losses seen (spec of the reference files)."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.partition import local_search, mdav, sse

PUBLISHED = {  # IMHM (2013), DBA-2 (2010), TFRP-2 (2007): lowest published value seen, percent
    ("census", 3): 5.3668,
    ("census", 5): 8.4165,
    ("census", 10): 12.2284,
    ("tarragona", 3): 16.1527,
    ("tarragona", 5): 21.847,
    ("tarragona", 10): 30.7841,
    ("eia", 3): 0.37499,
}


@pytest.mark.parametrize(("name", "k"), PUBLISHED, ids=str)
def test_loss_is_below_what_was_published(reference_matrix, name, k):
    X = reference_matrix(name)
    total = sse(X, np.zeros(len(X), dtype=np.intp))
    assert 100 * sse(X, local_search(X, k)) / total < PUBLISHED[name, k]


@pytest.mark.parametrize("name", ["census", "tarragona"])
@pytest.mark.parametrize("k", [3, 4, 5, 6, 10])
def test_at_least_seven_percent_below_mdav(reference_matrix, name, k):
    X = reference_matrix(name)
    assert sse(X, local_search(X, k)) < 0.93 * sse(X, mdav(X, k))


def test_at_least_seven_percent_below_mdav_on_gaussian_records():
    X = np.random.default_rng(1).normal(size=(5_000, 10))
    assert sse(X, local_search(X, 5)) < 0.93 * sse(X, mdav(X, 5))
