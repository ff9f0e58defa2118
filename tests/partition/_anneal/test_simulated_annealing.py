"""Annealing two copies of a small file, or the parts of a large one: never worse, by the seed alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from shoal.partition import mdav, relabel, sizes, sse
from shoal.partition._anneal import simulated_annealing as room
from shoal.partition._anneal.simulated_annealing import anneal_copies, anneal_parts, descend_to_optimum
from shoal.partition._anneal.spatial_file import spatial_file
from shoal.partition.best import pace

WAYS = [anneal_copies, anneal_parts]


def ready(X, k=3):
    file = spatial_file(X, k, 12, around=32, read=32)
    return file, relabel(mdav(X, k)[file.order])


def normal(n):
    return np.random.default_rng(n).normal(size=(n, 3))


def search(way, X, tries, k=3, stop=lambda fraction, labels: False, workers=map):
    file, labels = ready(X, k)
    rounds = pace(0.0, tries) if tries else []
    found = way(file, labels, k, rounds, np.random.default_rng(1), workers, stop)[0]
    assert k <= sizes(found).min() <= sizes(found).max() < 2 * k
    assert sse(file.X, found) <= sse(file.X, labels) + 1e-12
    return found, sse(file.X, found) / max(sse(file.X, labels), 1e-300)


@pytest.mark.parametrize("way", WAYS)
def test_more_tries_lose_less(way):
    shares = [search(way, normal(300), tries)[1] for tries in (0, 20, 1_500)]
    assert shares[2] < shares[1] < 1
    assert shares[2] < shares[0] < 1


@pytest.mark.parametrize("way", WAYS)
def test_the_seed_decides_and_not_who_works(way):
    with ThreadPoolExecutor(2) as pool:
        once, again = search(way, normal(250), 50), search(way, normal(250), 50, workers=pool.map)
    np.testing.assert_array_equal(once[0], again[0])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("X", [np.zeros((60, 2)), np.repeat(np.arange(20.0), 3)[:, None]])
def test_nothing_to_gain(way, X):
    file, _ = ready(X)
    assert sse(file.X, search(way, X, 40)[0]) == 0


@pytest.mark.parametrize("way", WAYS)
def test_it_stops(way):
    asked = []
    search(way, normal(90), 40, stop=lambda fraction, labels: asked.append(fraction) or fraction > 0.1)
    assert asked == [0.0, 0.025, 0.05, 0.075, 0.1, 0.125]


def test_what_is_told_gets_better():
    seen = []
    file, _ = ready(normal(200))
    search(anneal_copies, normal(200), 600, stop=lambda fraction, labels: seen.append(sse(file.X, labels)))
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] < seen[0]


def test_parts_are_cut_elsewhere_every_time(monkeypatch):
    cuts, cut = [], room.cut_file
    monkeypatch.setattr(room, "cut_file", lambda *given: cuts.append(cut(*given)) or cuts[-1])
    search(anneal_parts, normal(200), 10)
    assert len(cuts) == 10
    assert len({parts[0].tobytes() for parts in cuts}) == 10


def test_after_a_descent_nothing_is_worse():
    file, labels = ready(normal(100), 4)
    shuffled = np.random.default_rng(1).permutation(labels)
    assert sse(file.X, descend_to_optimum(file, shuffled, 4)) < sse(file.X, shuffled)
