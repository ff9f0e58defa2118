"""Foreseeing how long a partitioner takes, on a clock that the tests turn."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shoal._shared.options import with_known_options
from shoal.errors import NotApplicable
from shoal.workflow import timing
from shoal.workflow.timing import foresee


class Clock:
    """A clock that only a partitioner moves: seconds = compile once + start + unit * n^power."""

    def __init__(self, unit, power, start=0.0, compiling=0.0):
        self.now, self.unit, self.power, self.start, self.compiling = 0.0, unit, power, start, compiling

    def perf_counter(self):
        return self.now

    def takes(self, n):
        return self.start + self.unit * float(n) ** self.power

    def partition(self, X, k):
        self.now += self.takes(len(X)) + self.compiling
        self.compiling = 0.0
        return np.zeros(len(X), dtype=np.intp)


def expect(clock, n, limit=60.0):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timing, "time", clock)
        return foresee(clock.partition, np.zeros((n, 1)), 3, limit)


@settings(max_examples=300)
@given(
    st.floats(1e-9, 1e-2),
    st.floats(1, 3),
    st.floats(0, 0.1),
    st.floats(0, 5),
    st.integers(2, 1_000_000),
)
@example(0.009765625, 1.625, 0.0, 0.0, 170)  # the next sample would be larger than the file
def test_a_method_far_beyond_the_limit_is_refused_and_one_far_below_is_not(unit, power, start, compiling, n):
    clock = Clock(unit, power, start, compiling)
    truth, expected = clock.takes(n), expect(clock, n)
    if truth > 40 * 60 and n > timing.FIRST_RECORDS:  # a fixed cost that hides a cube: up to 29 times, seen
        assert expected > 60
    if truth < 0.8 * 60 and clock.takes(timing.FIRST_RECORDS) < 60 / 8:
        assert expected == 0


@settings(max_examples=300)
@given(st.floats(1e-9, 1e-3), st.floats(1, 3), st.integers(2, 1_000_000))
def test_looking_ahead_takes_little_more_than_the_limit(unit, power, n):
    clock = Clock(unit, power)
    expect(clock, n)
    assert clock.now < 1.5 * 60


def test_a_first_sample_beyond_the_limit_is_enough():
    clock = Clock(1e-2, 3)  # five minutes for 32 records
    assert expect(clock, 10_000) == np.inf
    assert clock.now == clock.takes(6) + clock.takes(32)


def test_the_estimate_is_near_the_truth():
    clock = Clock(1e-6, 2, compiling=30)
    assert expect(clock, 100_000) == pytest.approx(10_000, rel=0.01)


def test_what_a_call_costs_does_not_hide_how_time_grows():
    clock = Clock(5.6e-9, 3, start=2e-4)  # as the method of paths: under a millisecond for 64 records
    assert expect(clock, 4_092, limit=20.0) > 20


def test_small_files_are_just_run():
    clock = Clock(1e9, 1)
    assert expect(clock, timing.FIRST_RECORDS) == 0
    assert clock.now == 0


def test_a_method_that_refuses_samples_is_asked_about_the_file():
    def refuse(X, k):
        raise NotApplicable("Not for this file.")

    assert foresee(refuse, np.zeros((1_000, 1)), 3, 60.0) == 0


def test_a_frozen_generator_does_not_advance():
    def draw(X, k, *, rng):
        rng.integers(9, size=len(X))
        return np.zeros(len(X), dtype=np.intp)

    rng = np.random.default_rng(1)
    foresee(partial(draw, rng=rng), np.zeros((1_000, 1)), 3, 60.0)
    assert rng.integers(10**9) == np.random.default_rng(1).integers(10**9)


def test_only_known_and_free_options_are_passed_on():
    def plain(X, k):
        return "plain"

    def drawing(X, k, *, rng=None, gamma=1):
        return rng, gamma

    assert with_known_options(plain, rng=1, callback=print)(None, 3) == "plain"
    assert with_known_options(drawing, rng=1, callback=print)(None, 3) == (1, 1)
    assert with_known_options(partial(drawing, rng=5, gamma=2), rng=1)(None, 3) == (5, 2)
