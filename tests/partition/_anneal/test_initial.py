"""The groups a search begins with: of a large file in blocks, in time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from shoal.errors import TimeWarning
from shoal.partition import best, blockwise, local_search, mdav, sizes, sse
from shoal.partition._anneal import initial as room
from shoal.partition._anneal.initial import first_groups, quick_groups, quick_seconds

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


def test_groups_without_compiled_code_come_in_time():
    assert quick_groups(X, K, 1e9, np.inf).tolist() == mdav(X, K).tolist()
    for seconds in (0.0, 0.01, 0.1):
        check(quick_groups(X, K, seconds, np.inf))
        assert (
            quick_seconds(X, K, seconds) <= max(seconds / 3, X.size * room.LEAST / K / room.BY_NUMPY) + 0.01
        )
    check(quick_groups(X, K, 0.1, time.monotonic() - 1))


def test_a_large_k_needs_large_blocks(monkeypatch):
    monkeypatch.setattr(room, "WHOLE", 2999)
    monkeypatch.setattr(room, "BLOCK", 100)
    monkeypatch.setattr(room, "LARGE_BLOCK", 100)
    for end in (np.inf, time.monotonic()):
        assert sizes(first_groups(X, 700, local_search, end)).min() >= 700
    assert sizes(quick_groups(X, 700, 0.0, np.inf)).min() >= 700


def test_best_tells_that_there_was_no_time_to_search():
    large = np.random.default_rng(2).normal(size=(12_000, 2))
    with pytest.warns(TimeWarning, match=r"best had no time to search: making the first groups"):
        labels = best(large, K, seconds=1e-3, rng=1)
    assert labels.tolist() == local_search(large, K).tolist()
