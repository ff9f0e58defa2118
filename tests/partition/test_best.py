from __future__ import annotations

import multiprocessing
import sys
import time
import tracemalloc
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, TimeWarning
from shoal.partition import best, exhaustive, local_search, mdav, projection, sizes, sse
from shoal.partition.best import Watch, pace


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 3), st.booleans())
def test_never_worse_than_the_start_and_never_better_than_the_optimum(seed, k, d, ties):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 13))
    X = rng.integers(0, 3, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    found = best(X, k, iterations=50, start=mdav, certify=True, seconds=1, rng=seed)
    assert k <= sizes(found.labels).min() <= sizes(found.labels).max() < 2 * k
    assert found.sse == pytest.approx(sse(X, found.labels), rel=1e-9, abs=1e-12)
    assert found.sse <= sse(X, mdav(X, k)) + 1e-9
    assert found.bound <= sse(X, exhaustive(X, k)) <= found.sse + 1e-9
    assert 0 <= found.gap <= 1


def test_more_tries_lose_less_than_local_search():
    X = np.random.default_rng(1).normal(size=(400, 4))
    assert sse(X, best(X, 4, iterations=3_000, rng=1)) < sse(X, local_search(X, 4))


@pytest.mark.parametrize("skew", [False, True])
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_the_same_seed_gives_the_same_groups_whoever_works(pool, skew):
    X = np.random.default_rng(2).normal(size=(300, 3))
    X = np.exp(1.5 * X) if skew else X
    alone = best(X, 3, iterations=40, start=mdav, rng=5)
    given = {} if pool is ThreadPoolExecutor else {"mp_context": multiprocessing.get_context("spawn")}
    with pool(2, **given) as several:
        np.testing.assert_array_equal(
            alone, best(X, 3, iterations=40, start=mdav, rng=5, workers=several.map)
        )
    assert (alone != best(X, 3, iterations=40, start=mdav, rng=6)).any()


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 20, 60])
def test_tiny_skewed_files(n):
    X = 10.0 ** np.arange(n)[:, None] if n < 20 else np.random.default_rng(0).lognormal(sigma=3, size=(n, 2))
    labels = best(X, 2, iterations=20, rng=1)
    assert 2 <= sizes(labels).min() <= sizes(labels).max() < 4


def test_any_labels_can_be_improved():
    X = np.random.default_rng(3).normal(size=(200, 3))
    before = projection(X, 3)
    assert sse(X, best(X, 3, iterations=100, start=before, rng=1)) < 0.9 * sse(X, before)


def test_the_callback_sees_loss_bound_and_gap_and_can_stop():
    X = np.random.default_rng(4).normal(size=(200, 3))
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 4

    labels = best(X, 3, iterations=1_000, rng=1, callback=callback)
    assert len(seen) == 4
    assert all(part in seen[0].message for part in ("loss", "bound", "gap"))
    assert sse(X, labels) <= sse(X, seen[-1].best)


def test_a_stop_during_the_certificate_keeps_labels_and_bound():
    X = np.random.default_rng(5).normal(size=(60, 2))
    found = best(X, 3, iterations=5, rng=1, certify=True, callback=lambda p: p.fraction >= 0.5)
    assert 0 < found.bound <= found.sse


@pytest.mark.parametrize("certify", [False, True])
def test_progress_goes_forward(certify):
    seen = []
    X = np.random.default_rng(8).normal(size=(900, 2))
    best(X, 3, iterations=40, rng=1, certify=certify, seconds=5, callback=lambda p: seen.append(p.fraction))
    assert seen == sorted(seen)
    assert 0 <= seen[0] < 0.1
    assert (0.5 if certify else 0.9) < seen[-1] <= 1  # how far a proof comes depends on the machine


def test_a_proof_is_the_second_half_of_the_work():
    seen = []
    watch = Watch(np.eye(4), 2, lambda progress: seen.append(progress.fraction), 0.5, np.inf)
    for fraction in (0.0, 0.4, 1.0):
        watch.stop_proof(np.array([0, 0, 1, 1]), fraction, 1.0)
    assert seen == [0.5, 0.7, 1.0]


@pytest.mark.parametrize("n", [300, 12_000])
@pytest.mark.parametrize("start", [local_search, mdav])
def test_every_call_without_time_to_search_says_so(n, start):
    X = np.random.default_rng(2).normal(size=(n, 2))
    for _ in range(2):  # not only the first one
        with pytest.warns(
            TimeWarning, match="best had no time to search: making the first groups took it all"
        ):
            labels = best(X, 4, seconds=0, start=start, rng=1)
        assert labels.tolist() == best(X, 4, seconds=0, start=start, rng=2).tolist()
        assert sse(X, labels) <= sse(X, start(X, 4))


def test_a_call_whose_time_is_over_when_near_records_are_listed_says_so(monkeypatch):
    module = sys.modules["shoal.partition.best"]
    listed = module.spatial_file
    monkeypatch.setattr(
        module, "spatial_file", lambda *given, **more: time.sleep(1.5) or listed(*given, **more)
    )
    X = np.random.default_rng(2).normal(size=(300, 2))
    best(X, 4, iterations=1)
    with pytest.warns(TimeWarning, match="best had no time to search"):
        labels = best(X, 4, seconds=1.5, start=mdav, rng=1)
    assert labels.tolist() == mdav(X, 4).tolist()


@pytest.mark.parametrize("n", [60, 3_000, 12_000])
def test_the_clock_starts_after_compiling(monkeypatch, n):
    module, asked = sys.modules["shoal.partition.best"], []
    monkeypatch.setattr(module, "_compile", lambda *given: asked.append(given) or time.sleep(2.5))
    with pytest.warns(TimeWarning, match=r"best compiled for 2\.\d seconds before its 0\.3 seconds began"):
        best(np.random.default_rng(0).normal(size=(n, 2)), 3, seconds=0.3, rng=1)
    assert asked == [({60: 0, 3_000: 2_000, 12_000: 10_000}[n], True, False, False)]


def test_a_single_group_needs_no_search():
    X = np.random.default_rng(2).normal(size=(5, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert best(X, 3, seconds=0).tolist() == [0] * 5
        assert best(X, 3, seconds=60, certify=True).gap < 1e-6


def test_no_other_process_is_started(monkeypatch):
    def refuse(*given, **options):
        raise AssertionError("a process was started")

    monkeypatch.setattr("subprocess.Popen", refuse)
    monkeypatch.setattr("os.fork", refuse)
    module = sys.modules["shoal.partition.best"]
    monkeypatch.setattr(module, "_compile", module._compile.__wrapped__)
    best(np.random.default_rng(2).normal(size=(50, 2)), 3, seconds=0.2, rng=1)


def test_the_clock_ends_the_search():
    X = np.random.default_rng(6).normal(size=(500, 4))
    best(X, 3, seconds=0.1, rng=1)  # compiles
    begin = time.monotonic()
    best(X, 3, seconds=1, rng=1)
    assert time.monotonic() - begin < 10  # a busy machine may be slow; for ever would be wrong


def test_a_budget_that_was_not_kept_is_told():
    def slow(X, k):
        time.sleep(0.8)
        return mdav(X, k)

    with pytest.warns(TimeWarning, match=r"best took [0-9.]+ seconds instead of 0.1: "):
        best(np.arange(12.0)[:, None], 3, seconds=0.1, start=slow, rng=1)


def test_well_separated_groups_are_proven_optimal():
    X = np.repeat(np.arange(50)[:, None] * 100.0, 3, axis=0) + np.random.default_rng(0).normal(size=(150, 2))
    assert best(X, 3, iterations=10, rng=1, certify=True, seconds=20).gap < 1e-4


def test_rounds_by_the_clock_and_by_count():
    assert sum(sweeps for sweeps, _ in pace(0.0, 7)) == 7
    assert list(pace(time.monotonic() - 1, None)) == []
    fractions = [fraction for _, fraction in pace(time.monotonic() + 0.01, None)]
    assert fractions[0] == 0
    assert fractions == sorted(fractions)


@pytest.mark.parametrize("n", [3_000, 12_000])  # copies of the whole file, and parts of it
def test_twice_the_records_take_twice_the_memory(n):
    peaks = []
    for size in (n, 2 * n):
        X = np.random.default_rng(8).normal(size=(size, 3))
        begin = np.argsort(np.argsort(X[:, 0])) * (size // 3) // size
        best(X, 3, iterations=1, start=begin, rng=1)  # compiles what a file of this size goes through
        tracemalloc.start()
        best(X, 3, iterations=3, start=begin, rng=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert 1.5 * peaks[0] < peaks[1] < 2.5 * peaks[0]


def test_wrong_options_are_one_sentence():
    X = np.random.default_rng(7).normal(size=(9, 2))
    with pytest.raises(InvalidInput, match="`seconds` must be a number at least 0"):
        best(X, 3, seconds=-1)
    with pytest.raises(InvalidInput, match="`iterations` must be a whole number of at least 1"):
        best(X, 3, iterations=0)
    with pytest.raises(InvalidInput, match="`start` must be a partitioner or labels"):
        best(X, 3, start=np.zeros(4, dtype=int))
