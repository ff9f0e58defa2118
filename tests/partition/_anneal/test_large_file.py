"""Melting and cooling a large file: never worse than the start, by the dice alone."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.partition import sizes, sse
from shoal.partition._anneal import large_file as room
from shoal.partition._anneal.large_file import melt_and_cool
from shoal.partition._anneal.spatial_file import nearby
from shoal.partition.mdav import mdav

K = 3


def search(X, rounds, stop=lambda fraction, labels: False):
    near = nearby(X, K, 12, around=32, read=32)
    start = mdav(near.X, K)
    rng = np.random.default_rng(1)
    (found,) = melt_and_cool(near, start, K, iter(rounds), rng, map, stop)
    return near.X, start, found


ROUNDS = [(5, number / 40) for number in range(40)]


def test_it_is_better_than_the_start_and_repeats():
    X = np.random.default_rng(1).normal(size=(400, 3))
    Y, start, found = search(X, ROUNDS)
    assert sizes(found).min() >= K
    assert sse(Y, found) < 0.95 * sse(Y, start)
    assert search(X, ROUNDS)[2].tolist() == found.tolist()


@pytest.mark.parametrize("X", [np.zeros((60, 2)), np.repeat(np.arange(20.0), 3)[:, None]])
def test_nothing_to_gain(X):
    Y, _, found = search(X, ROUNDS)
    assert sse(Y, found) == 0


def test_no_round_is_a_descent():
    Y, start, found = search(np.random.default_rng(2).normal(size=(90, 2)), [])
    assert sse(Y, found) <= sse(Y, start)


def test_it_stops():
    asked = []
    search(
        np.random.default_rng(2).normal(size=(90, 2)), ROUNDS, lambda f, labels: asked.append(f) or f > 0.1
    )
    assert asked == [0.0, 0.025, 0.05, 0.075, 0.1, 0.125]


def test_skewed_records_melt_at_more(monkeypatch):
    def hottest(X):
        heats = []
        anneal = room.anneal_parts
        with monkeypatch.context() as patch:
            patch.setattr(
                room,
                "anneal_parts",
                lambda *a, heat, **rest: heats.append(heat) or anneal(*a, heat=heat, **rest),
            )
            search(X, [(20, number / 200) for number in range(200)])
        return max(heats)

    X = np.random.default_rng(3).normal(size=(600, 3))
    assert hottest(np.exp(3 * X)) > 1.5 * hottest(X)
