"""The groups a search begins with: of a large file in blocks, in time."""

from __future__ import annotations

import time

import numpy as np

from shoal.partition import blockwise, local_search, mdav, sizes, sse
from shoal.partition._anneal import initial as room
from shoal.partition._anneal.initial import first_groups

X = np.random.default_rng(1).normal(size=(3000, 4))
K = 4


def check(labels, most=2 * K - 1):
    assert len(labels) == len(X)
    assert sizes(labels).min() >= K
    assert sizes(labels).max() <= most


def test_a_small_file_begins_with_its_start():
    assert first_groups(X, K, local_search).tolist() == local_search(X, K).tolist()
    assert first_groups(X, K, mdav).tolist() == mdav(X, K).tolist()


def test_a_large_file_is_searched_from_blocks(monkeypatch):
    monkeypatch.setattr(room, "WHOLE", 2999)
    monkeypatch.setattr(room, "LARGE_BLOCK", 1000)
    labels = first_groups(X, K, local_search)
    check(labels)
    assert sse(X, labels) < 1.05 * sse(X, local_search(X, K))
    assert first_groups(X, K, mdav).tolist() == mdav(X, K).tolist()  # whoever asks for MDAV gets it


def test_without_time_for_that_it_is_blocks(monkeypatch):
    monkeypatch.setattr(room, "WHOLE", 2999)
    monkeypatch.setattr(room, "BLOCK", 1000)
    monkeypatch.setattr(room, "SEARCHING", 1.0)
    labels = first_groups(X, K, local_search, time.monotonic() + 60)
    assert labels.tolist() == blockwise(X, K, block_size=1000).tolist()
    check(first_groups(X, K, local_search, time.monotonic() - 1))


def test_a_large_k_needs_large_blocks(monkeypatch):
    monkeypatch.setattr(room, "WHOLE", 2999)
    monkeypatch.setattr(room, "BLOCK", 100)
    monkeypatch.setattr(room, "LARGE_BLOCK", 100)
    for end in (np.inf, time.monotonic()):
        assert sizes(first_groups(X, 700, local_search, end)).min() >= 700
