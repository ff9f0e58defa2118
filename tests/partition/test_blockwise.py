from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from shoal import InvalidInput
from shoal.partition import blockwise, mdav, sizes, sse

X = np.random.default_rng(0).normal(size=(3_001, 4))


@pytest.mark.parametrize(("k", "block_size"), [(3, 100), (7, 14), (10, 999), (2, 3_001), (1_500, 3_000)])
def test_groups_keep_k_and_blocks_keep_their_size(k, block_size):
    seen = []

    def spy(block, k):
        seen.append(len(block))
        return mdav(block, k)

    labels = blockwise(X, k, partition=spy, block_size=block_size)
    assert sizes(labels).min() >= k
    assert sizes(labels).max() < 2 * k
    assert max(seen) <= block_size
    assert sum(seen) == len(X)
    assert sum(size % k != 0 for size in seen) <= 1, "only one block has records left over"


def test_one_block_is_the_partitioner_itself():
    np.testing.assert_array_equal(blockwise(X[:200], 5), mdav(X[:200], 5))


@pytest.mark.parametrize("d", [4, 10])
def test_little_is_lost_by_cutting_and_nothing_after_mending(d):
    X = np.random.default_rng(1).normal(size=(3_001, d))
    whole = sse(X, mdav(X, 5))
    cut, mended = (blockwise(X, 5, block_size=500, mend=mend) for mend in (False, True))
    assert whole < sse(X, cut) < 1.15 * whole
    assert sse(X, mended) < whole
    assert sizes(cut).max() == 6, "not mended: the sizes are those of MDAV"


def test_workers_do_not_change_the_result(monkeypatch):
    monkeypatch.setattr("shoal.partition._blocks.mend.BLOCK_RECORDS", 400)
    alone = blockwise(X, 4, block_size=300)
    monkeypatch.setattr("shoal.partition._blocks.cut_blocks.BATCH", 3)
    with ThreadPoolExecutor(2) as pool:
        np.testing.assert_array_equal(blockwise(X, 4, block_size=300, workers=pool.map), alone)


def test_workers_may_be_processes():
    some = X[:400]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = blockwise(some, 4, block_size=150, workers=pool.map)
    np.testing.assert_array_equal(found, blockwise(some, 4, block_size=150))


@pytest.mark.parametrize("after", [1, 2, 20])
def test_stopping_keeps_the_promise(after, monkeypatch):
    monkeypatch.setattr("shoal.partition._blocks.mend.BLOCK_RECORDS", 400)
    seen = []

    def stop(progress):
        seen.append(progress.fraction)
        return len(seen) == after

    labels = blockwise(X, 5, block_size=300, callback=stop)
    assert len(seen) == after
    assert sizes(labels).min() >= 5
    assert sizes(labels).max() < 10


@pytest.mark.parametrize("wrong", [lambda X, k: np.arange(len(X)), lambda X, k: np.zeros(3, dtype=int)])
def test_a_partitioner_that_breaks_its_promise_is_told(wrong):
    with pytest.raises(InvalidInput, match="groups of at least k = 4; on a block of 184 records it"):
        blockwise(X, 4, partition=wrong, block_size=300)


def test_groups_may_be_larger_if_they_are_not_mended():
    def one_group(X, k):
        return np.full(len(X), 7)

    assert sizes(blockwise(X, 4, partition=one_group, block_size=300, mend=False)).max() == 189
    assert sizes(blockwise(X, 4, partition=one_group, block_size=300)).max() < 8


def test_equal_records_can_be_cut_anywhere():
    assert sizes(blockwise(np.ones((1_000, 2)), 3, block_size=10)).min() >= 3


@pytest.mark.parametrize("size", [5, 0, 2.5, True, "all"])
def test_a_block_must_hold_two_groups(size):
    with pytest.raises(InvalidInput, match="`block_size` must be an integer of at least 2k = 6"):
        blockwise(X[:20], 3, block_size=size)
