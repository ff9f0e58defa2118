"""Budgets of seconds on a machine that has compiled nothing yet."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest

from shoal import TimeWarning
from shoal._kernels.groups.simmer import simmer
from shoal._kernels.jit import kept
from shoal.partition import best, hac, lower_bound, mdav, sse
from shoal.partition._anneal import ahead

X = np.random.default_rng(3).normal(size=(200, 3))


class Compiler:
    """A process that needs a number of looks, or never ends."""

    def __init__(self, looks):
        self.looks = looks

    def poll(self):
        self.looks -= 1
        return 0 if self.looks < 0 else None


@pytest.fixture
def cold(monkeypatch):
    """Nothing is compiled, and the process that compiles is slow."""
    monkeypatch.setattr(ahead, "_compiled", lambda n, proof: False)
    monkeypatch.setattr(ahead, "_compiler", lambda: Compiler(10**9))


def test_without_time_to_compile_the_groups_are_those_of_mdav(cold):
    with pytest.warns(TimeWarning, match="no time to search: it is compiled .* result is that of MDAV"):
        labels = best(X, 3, seconds=0.3, rng=1)
    np.testing.assert_array_equal(labels, mdav(X, 3))


def test_or_the_start_that_was_given(cold):
    start = hac(X, 3)
    with pytest.warns(TimeWarning, match="this result is its start"):
        labels = best(X, 3, seconds=0.1, rng=1, start=start)
    assert sse(X, labels) <= sse(X, start)


def test_a_certificate_of_nothing(cold):
    with pytest.warns(TimeWarning, match="no time to search"):
        found = best(X, 3, seconds=0.1, rng=1, certify=True)
    assert (found.bound, found.gap) == (0.0, 1.0)
    assert found.sse == pytest.approx(sse(X, found.labels))


def test_a_search_without_a_certificate(monkeypatch):
    monkeypatch.setattr(ahead, "_compiled", lambda n, proof: not proof)
    monkeypatch.setattr(ahead, "_compiler", lambda: Compiler(10**9))
    with pytest.warns(TimeWarning, match="no time to prove anything: .* found, but its bound is zero"):
        found = best(X, 3, seconds=1, rng=1, certify=True)
    assert (found.bound, found.gap) == (0.0, 1.0)
    assert found.sse < sse(X, mdav(X, 3))


def test_a_single_group_needs_no_code(cold):
    assert best(X[:5], 3, seconds=60, certify=True).gap < 1e-6
    assert lower_bound(X[:5], 3, seconds=60, method="columns") > 0


def test_a_bound_of_nothing(cold):
    with pytest.warns(TimeWarning, match="lower_bound had no time"):
        assert lower_bound(X, 3, seconds=0.1, method="columns") == 0.0


def test_iterations_wait_for_the_code(cold):
    assert sse(X, best(X, 3, iterations=20, rng=1)) < sse(X, mdav(X, 3))


def test_the_search_begins_when_the_code_is_there(cold, monkeypatch):
    compiler = Compiler(3)
    monkeypatch.setattr(ahead, "_compiler", lambda: compiler)
    assert sse(X, best(X, 3, seconds=2, rng=1)) < sse(X, mdav(X, 3))


def test_where_no_other_process_can_be_started(monkeypatch):
    def forbidden():
        raise OSError

    monkeypatch.setattr(ahead, "_compiled", lambda n, proof: False)
    monkeypatch.setattr(ahead, "_compiler", forbidden)
    assert ahead.compiled_in_time(time.monotonic(), 100, proof=False)


def test_what_is_compiled_is_kept():
    best(X, 3, iterations=1, rng=1)
    assert kept(simmer)
    assert ahead.compiled_in_time(time.monotonic(), 100, proof=False)


def test_the_other_process_compiles_what_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(ahead, "COMPILE", f"open({str(tmp_path / 'done')!r}, 'w')")
    compiler = cache(ahead._compiler.__wrapped__)
    assert compiler() is compiler()
    assert compiler().wait(60) == 0
    assert (tmp_path / "done").exists()
