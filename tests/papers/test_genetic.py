"""Solanas (2008), Privacy protection with genetic algorithms: Tables 3 to 7."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal.datasets import load_sme, make_clustered, make_scattered
from shoal.encode import encode
from shoal.partition import mdav, members, sse
from shoal.partition.exhaustive import exhaustive
from shoal.partition.genetic import genetic
from shoal.partition.two_step import two_step


def z_scores(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.fixture
def sme():
    table = load_sme()
    return z_scores(np.column_stack([table.column(name) for name in table.names(role="quasi")]))


def random_file(n, d, seed):
    """Attribute values "drawn from the [-10000, 10000] interval by simple random sampling"."""
    return z_scores(np.random.default_rng(seed).uniform(-10_000, 10_000, size=(n, d)))


def test_table_3_optimum_and_mdav(sme):
    labels = exhaustive(sme, 3)
    assert sse(sme, labels) == pytest.approx(14.827, abs=5e-4)
    groups = {tuple((rows + 1).tolist()) for rows in members(labels)}
    assert groups == {(1, 2, 3), (4, 5, 6, 9, 11), (7, 8, 10)}
    assert sse(sme, mdav(sme, 3)) == pytest.approx(18.292, abs=5e-4)


def test_table_3_the_genetic_algorithm_reaches_the_optimum_in_nine_of_ten_runs(sme):
    reached = [sse(sme, genetic(sme, 3, rng=seed)) < 14.828 for seed in range(20)]
    assert np.mean(reached) >= 0.9


@pytest.mark.parametrize(("n", "population"), [(20, 60), (35, 90)])
def test_tables_4_and_5_better_than_mdav_on_small_files(n, population):
    """The paper: 4.29 and 4.61 on average against 5.39 (20 records), 3.13 and 3.59 against 5.01 (35)."""
    found, heuristic = [], []
    for seed in range(3):
        X = random_file(n, 2, seed)
        labels = genetic(X, 3, population=population, generations=10_000, patience=3_000, rng=seed)
        found.append(sse(X, labels))
        heuristic.append(sse(X, mdav(X, 3)))
    assert np.mean(found) < 0.95 * np.mean(heuristic)


def test_tables_4_and_5_worse_than_mdav_on_a_hundred_records():
    """The paper: 15.37 at best and 23.78 on average, against 5.48."""
    X = random_file(100, 2, 0)
    assert sse(X, genetic(X, 3, rng=0)) > 2 * sse(X, mdav(X, 3))


@pytest.mark.parametrize("d", [5, 7, 10])
def test_table_6_the_optimum_for_more_attributes(d):
    """The paper: "around a 90% of the tests output the optimal SSE value"."""
    reached = []
    for seed in range(5):
        X = random_file(11, d, seed)
        reached.append(sse(X, genetic(X, 3, rng=seed)) <= sse(X, exhaustive(X, 3)) * (1 + 1e-9))
    assert sum(reached) >= 4


# Table 7, k = 3: macro-groups of K records, the paper's improvement of MDAV's sum of squares, what we ask.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "seed", "published", "least"),
    [(make_scattered, 1, 8, 5), (make_clustered, 1, 40, 15), (make_clustered, 2, 40, 15)],
)
def test_table_7_synthetic_files(make, seed, published, least):
    X = encode(make(rng=seed))
    before, after = sse(X, mdav(X, 3)), sse(X, two_step(X, 3, macro=18, rng=seed))
    assert least <= 100 * (1 - after / before) <= published * 1.5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "macro", "published", "least"), [("census", 18, 4, 3), ("eia", 12, 13, 9)])
def test_table_7_reference_files(reference_matrix, name, macro, published, least):
    X = reference_matrix(name)
    shorter = partial(genetic, population=50, generations=2_000, patience=500)  # EIA has 340 macro-groups
    before, after = sse(X, mdav(X, 3)), sse(X, two_step(X, 3, macro=macro, fine=shorter, rng=1))
    assert least <= 100 * (1 - after / before) <= published * 1.5
