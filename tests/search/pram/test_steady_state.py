"""One tournament at a time: winners have children, losers make room, nobody else is touched."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.search.pram.equation_operators import half_and_half
from shoal.search.pram.equations import depth
from shoal.search.pram.steady_state import SteadyState


@pytest.mark.parametrize("count", [2, 3, 4, 11])
@pytest.mark.parametrize("seed", range(20))
def test_only_losers_of_the_tournament_are_replaced(count, seed):
    rng = np.random.default_rng(seed)
    population, scores = half_and_half(count, 3, rng), rng.random(count)
    rule = SteadyState(4)
    for _ in range(30):
        children = rule.vary(population, scores, rng)
        assert 1 <= len(children) <= 2
        assert max(map(depth, children)) <= 4
        child_scores = rng.random(len(children)) + 1  # worse than anybody there
        living, kept = rule.survive(population, scores, children, child_scores)
        changed = [p for p in range(count) if kept[p] != scores[p]]
        assert len(changed) == len(children)
        assert int(np.argmin(scores)) not in changed, "the fittest is never lost"
        assert sorted(kept[changed]) == sorted(child_scores)
        assert all(living[p] == population[p] for p in range(count) if p not in changed)


def test_any_but_the_fittest_may_be_replaced_not_only_the_worst():
    rng = np.random.default_rng(1)
    population, scores = half_and_half(10, 3, rng), np.arange(10.0)
    lost = set()
    for _ in range(400):
        rule = SteadyState(4)
        children = rule.vary(population, scores, rng)
        kept = rule.survive(population, scores, children, np.full(len(children), 99.0))[1]
        lost |= set(np.flatnonzero(kept == 99.0).tolist())
    assert lost == set(range(2, 10))  # the two fittest of four win
