"""Copies of records that are grouped among themselves: k holds, and no more is lost than by searching all."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table
from shoal.masking.microaggregation.copies_apart import LEFT, MANY, with_copies_apart
from shoal.masking.microaggregation.group_records import group_records
from shoal.partition import local_search, mdav
from shoal.partition.labels import sizes, sse


@pytest.mark.parametrize("k", [2, 3, 7])
def test_k_holds_and_hardly_more_is_lost(k):
    X = np.random.default_rng(k).poisson([2, 1], (12_000, 2)).astype(np.float64)
    whole, apart = local_search(X, k), with_copies_apart(X, k, local_search)
    assert k <= sizes(apart).min()
    assert sizes(apart).max() < 2 * k
    assert sse(X, apart) <= sse(X, whole) + 1e-3 * sse(X, np.zeros(len(X), dtype=np.intp))


def test_the_partitioner_sees_every_rare_record_and_few_copies():
    seen = []

    def watched(X, k):
        seen.append(X)
        return mdav(X, k)

    X = np.repeat([[0.0, 1.0], [5.0, 5.0], [9.0, 0.0]], [MANY, 7, 1], axis=0)
    labels = with_copies_apart(X, 3, watched)
    assert len(seen[0]) < (LEFT + 1) * 3 + 8
    assert (seen[0] == [9.0, 0.0]).all(axis=1).sum() == 1
    assert sizes(labels).min() == 3


def test_small_files_and_files_without_copies_are_searched_whole():
    for X in (np.zeros((100, 1)), np.arange(float(MANY))[:, None]):
        lengths = []
        with_copies_apart(X, 2, lambda Y, k: lengths.append(len(Y)) or np.arange(len(Y)) // k)  # noqa: B023
        assert lengths == [len(X)]


def test_other_partitioners_see_all_records():
    table = as_table({"age": [1.0] * MANY}, roles={"quasi": ["age"]})
    lengths = []

    def watched(X, k):
        lengths.append(len(X))
        return np.arange(len(X)) // k

    group_records(table, k=2, partition=watched)
    assert lengths == [MANY]
