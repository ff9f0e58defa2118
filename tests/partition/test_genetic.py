"""The genetic algorithm: its coding, its operators, and what it promises."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import oracles
from shoal._kernels.partitioners.genetic import measure_chromosomes, random_chromosomes
from shoal.errors import InvalidInput
from shoal.evolve import tournament
from shoal.partition import genetic as public
from shoal.partition import mdav, sizes, sse
from shoal.partition._genetic.chromosome_codings import chromosomes_of
from shoal.partition.exhaustive import exhaustive
from shoal.partition.genetic import (
    CROSSOVERS,
    _cost,
    _invert,
    _unit_variance,
    _vary,
    genetic,
    multi_point,
    one_point,
)

quick = partial(genetic, population=12, generations=40)
files = st.tuples(st.integers(2, 14), st.integers(1, 3)).flatmap(
    lambda shape: st.one_of(
        arrays(float, shape, elements=st.integers(-2, 2).map(float)),  # ties, duplicates, constants
        arrays(float, shape, elements=st.floats(-1e3, 1e3)),
        arrays(float, shape, elements=st.floats(0, 1).map(lambda value: value + 1e9)),
    )
)


def check_sizes(labels, k):
    assert set(labels.tolist()) == set(range(labels.max() + 1))
    assert k <= sizes(labels).min() <= sizes(labels).max() < 2 * k


def test_it_is_on_the_menu():
    assert public is genetic


@settings(max_examples=150)
@given(files, st.integers(2, 5), st.integers(0, 9))
def test_it_always_ends_with_groups_of_k_to_2k_minus_1(X, k, seed):
    k = min(k, len(X))
    check_sizes(quick(X, k, rng=seed), k)


@pytest.mark.parametrize(
    "options",
    [
        {"selection": tournament},
        {"selection": partial(tournament, size=4), "elite": 0},
        {"crossover": multi_point},
        {"crossover": partial(multi_point, points=5), "crossover_rate": 1},
        {"inversion_rate": 1},
        {"mutation_rate": 1, "elite": 0},
        {"mutation_rate": 0, "crossover_rate": 0},
        {"population": 2},
        {"population": 3, "elite": 2},
        {"generations": 0},
        {"patience": None},
    ],
)
def test_every_option_ends_with_valid_groups(options):
    X = np.random.default_rng(0).normal(size=(23, 2))
    check_sizes(quick(X, 3, rng=1, **options), 3)


def test_it_finds_the_optimum_of_small_files():
    rng = np.random.default_rng(5)
    reached = 0
    for seed in range(10):
        X = rng.normal(size=(12, 2))
        reached += sse(X, genetic(X, 3, rng=seed)) <= sse(X, exhaustive(X, 3)) * (1 + 1e-9)
    assert reached >= 8


def test_same_rng_same_groups():
    X = np.random.default_rng(0).normal(size=(30, 2))
    np.testing.assert_array_equal(quick(X, 3, rng=7), quick(X, 3, rng=7))
    found = {tuple(quick(X, 3, rng=seed)) for seed in range(5)}
    assert len(found) == 5


def test_scale_and_offset_do_not_matter():
    X = np.random.default_rng(0).integers(-50, 50, size=(20, 2)).astype(float)
    expected = quick(X, 3, rng=1)
    np.testing.assert_array_equal(quick(X * 2.0**40, 3, rng=1), expected)
    np.testing.assert_array_equal(quick(X * 2.0**-40, 3, rng=1), expected)
    np.testing.assert_array_equal(quick(X * 1e200, 3, rng=1), expected)


def test_the_callback_sees_valid_groups_that_get_better_and_changes_nothing():
    X = np.random.default_rng(0).normal(size=(12, 2))
    seen = []
    labels = quick(X, 3, rng=1, callback=seen.append)
    np.testing.assert_array_equal(labels, quick(X, 3, rng=1))
    np.testing.assert_array_equal(labels, seen[-1].best)
    losses = [sse(X, progress.best) for progress in seen]
    assert len(seen) == 41
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]
    for progress in seen:
        check_sizes(progress.best, 3)
    loss = 100 * losses[-1] / sse(X, np.zeros(12, dtype=int))
    assert seen[-1].message == f"generation 40 of 40, loss {loss:.2f} %"


def test_the_callback_stops_with_the_best_so_far():
    X = np.random.default_rng(0).normal(size=(12, 2))
    labels = quick(X, 3, rng=1, callback=lambda progress: progress.fraction >= 0.5)
    np.testing.assert_array_equal(labels, quick(X, 3, rng=1, generations=20))


@settings(max_examples=80)
@given(files, st.integers(2, 4), st.integers(0, 9))
def test_it_is_never_worse_than_where_it_starts(X, k, seed):
    k = min(k, len(X))
    start = mdav(X, k)
    scale = sse(X, np.zeros(len(X), dtype=int))
    assert sse(X, quick(X, k, initial=start, rng=seed)) <= sse(X, start) + 1e-12 * scale


def test_large_groups_to_start_from_are_split():
    X = np.random.default_rng(0).normal(size=(20, 2))
    start = np.zeros(20, dtype=int)
    labels = quick(X, 3, initial=start, rng=1, generations=0)
    check_sizes(labels, 3)
    assert sse(X, labels) <= sse(X, mdav(X, 3)) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("initial", "sentence"),
    [
        ([0] * 9 + [1], "fewer than k = 3 records"),
        ([0] * 9, "one integer for each of the 10 records"),
        ([0.5] * 10, "one integer for each of the 10 records"),
    ],
)
def test_a_wrong_start_is_one_sentence(initial, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        genetic(np.ones((10, 1)), 3, initial=initial)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("population", 1),
        ("elite", 100),
        ("crossover_rate", 1.5),
        ("mutation_rate", -0.1),
        ("inversion_rate", "often"),
        ("generations", -1),
        ("patience", 0),
    ],
)
def test_a_wrong_option_is_one_sentence(option, value):
    with pytest.raises(InvalidInput, match=f"`{option}` must be a number"):
        genetic(np.arange(10.0)[:, None], 3, **{option: value})


# --- coding and penalty -------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.integers(2, 40), st.integers(2, 6), st.integers(0, 99))
def test_first_chromosomes_have_all_groups_and_right_sizes(n, k, seed):
    k = min(k, n)
    for genes in random_chromosomes(5, n, n // k, k, np.random.default_rng(seed)):
        counts = np.bincount(genes, minlength=n // k)
        assert len(counts) == n // k
        assert counts.min() >= k
        assert counts.max() < 2 * k


def test_first_chromosomes_favour_no_record_and_no_group():
    genes = random_chromosomes(20_000, 10, 3, 3, np.random.default_rng(1))
    for group in range(3):
        np.testing.assert_allclose((genes == group).mean(axis=0), (genes == group).mean(), atol=0.02)


@settings(max_examples=80)
@given(st.integers(4, 12), st.integers(0, 999))
def test_cost_is_the_sum_of_squares_with_a_penalty_for_wrong_sizes(n, seed):
    rng = np.random.default_rng(seed)
    X, k = rng.normal(size=(n, 2)), 2
    chromosomes = rng.integers(n // k, size=(6, n))
    total, valid = measure_chromosomes(X, chromosomes, n // k, k)
    for genes, value, right in zip(chromosomes, total, valid, strict=True):
        assert value == pytest.approx(oracles.sse(X, genes), abs=1e-9)
        counts = np.bincount(genes)
        assert right == all(k <= count < 2 * k for count in counts if count)
    costs = _cost(X, chromosomes_of("n-ary", X, k), k, 1_000.0, chromosomes)
    np.testing.assert_array_equal(costs[valid], total[valid])
    assert (costs[~valid] > total[~valid]).all()


def test_a_wrong_size_hardly_reproduces():
    X = _unit_variance(np.random.default_rng(1).normal(size=(12, 3)))
    right, wrong = np.repeat(np.arange(4), 3), np.repeat(np.arange(4), [4, 3, 3, 2])
    costs = _cost(X, chromosomes_of("n-ary", X, 3), 3, 1_000.0, np.array([right, wrong]))
    assert (1 / (costs + 1))[1] < 1e-3 * (1 / (costs + 1))[0]


# --- operators ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 10])
def test_one_point_exchanges_a_tail(n):
    own = one_point(500, n, np.random.default_rng(1))
    assert own.shape == (500, n)
    assert own[:, 0].all()
    assert not own[:, -1].any()
    assert (np.diff(own.astype(int), axis=1) <= 0).all()
    assert set(own.sum(axis=1)) == set(range(1, n))


def test_multi_point_changes_sides_at_every_point():
    own = multi_point(500, 12, np.random.default_rng(1), points=3)
    changes = np.abs(np.diff(own.astype(int), axis=1)).sum(axis=1)
    assert own[:, 0].all()
    assert set(changes) == {1, 3}  # two points at the same place undo each other


def children(parents, *, rates, exchange=one_point, seed=1):
    count = len(parents)
    select = lambda scores, count, rng: np.arange(count)  # noqa: E731
    return _vary(
        parents,
        np.zeros(count),
        np.random.default_rng(seed),
        letters=9,
        count=count,
        select=select,
        exchange=exchange,
        rates=rates,
    )


@pytest.mark.parametrize("exchange", CROSSOVERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("count", [6, 7])
def test_crossover_only_moves_genes_between_the_two_parents(exchange, count):
    parents = np.repeat(np.arange(count)[:, None], 8, axis=1)
    born = children(parents, rates=(1.0, 0.0, 0.0), exchange=exchange)
    half = count // 2
    np.testing.assert_array_equal(
        np.sort(born[:half] + born[half : 2 * half]), np.sort(parents[:half] + parents[half : 2 * half])
    )
    np.testing.assert_array_equal(born[2 * half :], parents[2 * half :])
    assert (born != parents).any()


def test_rates_are_chances():
    parents = np.zeros((20_000, 10), dtype=int)
    mutated = children(parents, rates=(0.0, 0.3, 0.0))
    assert (mutated != 0).mean() == pytest.approx(0.3 * 8 / 9, abs=0.01)
    parents = np.repeat([0, 1], 10_000)[:, None].repeat(10, axis=1)
    crossed = children(parents, rates=(0.4, 0.0, 0.0))
    assert (crossed.min(axis=1) != crossed.max(axis=1)).mean() == pytest.approx(0.4, abs=0.02)
    np.testing.assert_array_equal(children(parents, rates=(0.0, 0.0, 0.0)), parents)


def test_inversion_reverses_one_stretch_and_keeps_sizes():
    genes = np.tile(np.arange(8), (300, 1))
    turned = _invert(genes, 1.0, np.random.default_rng(1))
    for row in turned:
        changed = np.flatnonzero(row != np.arange(8))
        if len(changed):
            first, last = changed[0], changed[-1]
            expected = np.arange(8)
            expected[first : last + 1] = expected[first : last + 1][::-1]
            np.testing.assert_array_equal(row, expected)
    assert (turned != genes).any(axis=1).mean() > 0.7
    np.testing.assert_array_equal(_invert(genes, 0.0, np.random.default_rng(1)), genes)


@pytest.mark.parametrize("coding", ["n-ary", "binary", "gray"])
def test_details_are_the_same_search_with_its_history(coding):
    X = np.random.default_rng(3).normal(size=(14, 2))
    seen = []
    options = {"coding": coding, "population": 12, "generations": 40, "rng": 7}
    found = genetic(X, 3, details=True, callback=lambda p: seen.append(p.value), **options)
    assert (found.best == genetic(X, 3, **options)).all()
    assert found.fitness == pytest.approx(100 * sse(X, found.best) / ((X - X.mean(axis=0)) ** 2).sum())
    assert found.stopped == "generations"
    assert len(found.history) == 41
    assert [g.best for g in found.history] == pytest.approx(seen)
    assert found.history[-1].best == found.fitness
    assert np.asarray(found.population).shape == (12, 14)


def test_details_of_a_file_with_one_group():
    found = genetic([[1.0], [2.0], [4.0]], 2, details=True)
    assert found.best.tolist() == [0, 0, 0]
    assert found.fitness == 100.0


def test_a_penalty_below_one_could_let_a_wrong_partition_win():
    with pytest.raises(InvalidInput, match="penalty"):
        quick(np.arange(8.0)[:, None], 2, penalty=0.5)
    X = np.random.default_rng(1).normal(size=(17, 2))
    for seed in range(10):
        assert sizes(quick(X, 3, penalty=1, rng=seed)).min() >= 3
