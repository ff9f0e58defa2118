"""The log-linear model against sums over the whole grid of cells, loops, and a known population."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import log_linear_risk
from shoal.measures.risk.population.log_linear import chance_match, main_effects, two_way_interactions


@st.composite
def codes(draw, columns=4):
    n, d = draw(st.integers(2, 25)), draw(st.integers(1, columns))
    found = [draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) for _ in range(d)]
    return np.column_stack([np.unique(column, return_inverse=True)[1] for column in found])


def slow_main(X):
    """Means of all cells under independence, and the score over them."""
    n, cells = len(X), list(product(*(range(m + 1) for m in X.max(axis=0))))
    mean = {c: n * np.prod([(X[:, j] == v).mean() for j, v in enumerate(c)]) for c in cells}
    count = {c: sum(tuple(row) == c for row in X.tolist()) for c in cells}
    score = sum((count[c] - mean[c]) ** 2 - count[c] for c in cells)
    return [mean[tuple(row)] for row in X.tolist()], score / np.sqrt(2 * sum(m**2 for m in mean.values()))


@pytest.mark.slow
@settings(max_examples=200)
@given(X=codes())
def test_main_effects_over_the_whole_grid(X):
    means, score = main_effects(X)
    slow, expected = slow_main(X)
    assert means == pytest.approx(np.array(slow))
    assert score == pytest.approx(expected, abs=1e-7)


@settings(max_examples=100, deadline=None)
@given(X=codes(columns=3))
def test_two_way_interactions_keep_every_pair_of_columns(X):
    """Fitted margins are the file's: checked on the cells that hold records, by the sum over a pair."""
    means, _ = two_way_interactions(X)
    assert (means > 0).all()
    if X.shape[1] == 2:  # the saturated model
        counts = [sum((row == X).all(axis=1)) for row in X]
        assert means == pytest.approx(np.array(counts, dtype=float))


@settings(max_examples=100)
@given(v=st.floats(1e-6, 50))
def test_the_chance_of_a_right_match_is_the_mean_of_one_over_all(v):
    others = np.arange(400)
    logs = others * np.log(v) - v - np.cumsum(np.log(np.maximum(others, 1)))
    assert chance_match(np.array([v]))[0] == pytest.approx(float((np.exp(logs) / (1 + others)).sum()))


def sample(seed, fraction):
    """People with four independent columns, and a sample; truth: uniques and matches among sample uniques."""
    rng = np.random.default_rng(seed)
    people = np.column_stack(
        [np.minimum(rng.geometric(p, 20_000), top) for p, top in ((0.3, 9), (0.2, 15), (0.1, 30), (0.4, 7))]
    )
    rows = rng.random(20_000) < fraction
    number = np.unique(people, axis=0, return_inverse=True)[1].reshape(-1)
    of_all, of_seen = np.bincount(number), np.bincount(number[rows], minlength=number.max() + 1)
    alone = of_all[of_seen == 1]
    table = as_table({f"c{j}": people[rows, j] for j in range(4)})
    return table, int((alone == 1).sum()), float((1 / alone).sum())


def test_independent_columns_give_the_truth():
    found = [(log_linear_risk(t, fraction=0.2), u, m) for t, u, m in (sample(s, 0.2) for s in range(5))]
    assert not any(risk.interactions for risk, _, _ in found)
    assert sum(r.uniques for r, _, _ in found) == pytest.approx(sum(u for _, u, _ in found), rel=0.1)
    assert sum(r.matches for r, _, _ in found) == pytest.approx(sum(m for _, _, m in found), rel=0.1)


def test_columns_that_depend_on_each_other_are_noticed():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 12, 3000)
    table = as_table({"a": a, "b": (a + rng.integers(0, 3, 3000)) % 12, "c": rng.integers(0, 5, 3000)})
    risk = log_linear_risk(table, fraction=0.1)
    assert risk.interactions
    assert risk.score < 0 < 10 < log_linear_risk(table, fraction=0.1, interactions=False).score


def test_weights_give_every_record_its_own_chance():
    columns = {"a": ["x", "y", "z", "z"], "w": [1.0, 100.0, 10.0, 10.0]}
    table = as_table(columns, roles={"quasi": "a", "weight": "w"})
    safe = log_linear_risk(table.assign(w=[100.0, 100.0, 10.0, 10.0]))
    assert log_linear_risk(table).uniques > safe.uniques
    assert log_linear_risk(table).uniques == pytest.approx(1 + np.exp(-99))


def test_too_many_cells_and_missing_fractions_are_said():
    rng = np.random.default_rng(0)
    table = as_table({f"c{j}": rng.integers(0, 60, 500) for j in range(5)})
    with pytest.raises(NotApplicable, match="combinations"):
        log_linear_risk(table, fraction=0.1, interactions=True)
    assert not log_linear_risk(table, fraction=0.1).interactions
    with pytest.raises(InvalidInput, match="fraction"):
        log_linear_risk(table)
