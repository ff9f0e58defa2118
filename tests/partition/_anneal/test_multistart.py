from __future__ import annotations

import sys

import numpy as np

from shoal.partition import mdav, relabel, sizes, sse
from shoal.partition._anneal.multistart import FIRST, LATER, generations, improved
from shoal.partition._anneal.parallel import anneal_whole
from shoal.partition._anneal.spatial_file import nearby
from shoal.partition.best import pace


def ready(n, k, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    near = nearby(X, k, 12, around=16, read=16)
    return near, relabel(mdav(X, k)[near.order])


def search(near, labels, k, iterations, stop=lambda fraction, found: False):
    rng = np.random.default_rng(0)
    return generations(near, labels, k, pace(0.0, iterations), rng, map, stop)[0]


def test_more_tries_lose_less():
    near, labels = ready(200, 3)
    losses = [sse(near.X, labels)] + [sse(near.X, search(near, labels, 3, tries)) for tries in (50, 4_000)]
    assert losses[2] < losses[1] <= losses[0]


def test_all_generations_pass_and_a_stop_keeps_the_best():
    near, labels = ready(60, 3)
    seen = []

    def stop(fraction, found):
        seen.append((fraction, sse(near.X, found)))
        return False

    search(near, labels, 3, 400, stop)
    losses = [loss for _, loss in seen]
    assert losses == sorted(losses, reverse=True)
    assert len([fraction for fraction, _ in seen if fraction >= FIRST]) >= LATER
    stopped = search(near, labels, 3, 400, lambda fraction, found: True)
    assert sse(near.X, stopped) <= sse(near.X, labels)


def test_equal_records_leave_nothing_to_dispute():
    near, labels = ready(30, 3)
    near = near._replace(X=np.zeros_like(near.X), warmth=np.zeros(30))
    found = search(near, labels, 3, 40)
    assert 3 <= sizes(found).min() <= sizes(found).max() < 6


def test_no_member_gets_worse():
    near, labels = ready(100, 4)
    shuffled = np.random.default_rng(1).permutation(labels)
    found = improved(near, [labels, shuffled], [shuffled, labels], 4)
    for one in found:
        assert sse(near.X, one) <= min(sse(near.X, labels), sse(near.X, shuffled))


def test_few_disputed_records_get_as_many_tries_as_all(monkeypatch):
    """Or the round after them, with everyone again, would take a thousand times as long as planned."""
    near, labels = ready(300, 3)
    module, real, tries = sys.modules["shoal.partition._anneal.multistart"], anneal_whole, []

    def counting(near, population, guide, k, *, sweeps, **options):
        tries.append((len(guide.turns), sweeps * len(guide.turns) * len(population)))
        return real(near, population, guide, k, sweeps=1, **options)

    monkeypatch.setattr(module, "anneal_whole", counting)
    rounds = ((40, fraction) for fraction in np.linspace(0, 1, 60))
    generations(near, labels, 3, rounds, np.random.default_rng(0), map, lambda fraction, found: False)
    assert min(turns for turns, _ in tries) < 300
    assert all(0.5 * 40 * 300 < total <= 40 * 300 for _, total in tries)
