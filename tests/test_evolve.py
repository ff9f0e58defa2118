"""The generational loop: what survives, what stops it, and what never changes its result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import InvalidInput
from shoal.evolve import SELECTIONS, evolve, keep_best, replace, roulette, together, tournament

TARGET = np.array([3, 1, 4, 1, 5, 9, 2, 6])


def mismatches(genes):
    return int((genes != TARGET).sum())


def mutate(population, scores, rng):
    """Every gene of every individual is drawn anew with a chance of one in eight."""
    return np.where(rng.random(population.shape) < 0.125, rng.integers(10, size=population.shape), population)


def first_population(count=10):
    return np.random.default_rng(0).integers(10, size=(count, len(TARGET)))


def search(**options):
    chosen = {"vary": mutate, "generations": 60, "rng": 1} | options
    return evolve(first_population(), chosen.pop("fitness", mismatches), **chosen)


@pytest.mark.parametrize("survive", [keep_best, replace, partial(replace, elite=2)])
def test_the_best_ever_seen_is_kept_and_history_tells_how(survive):
    seen = []

    def fitness(genes):
        seen.append(mismatches(genes))
        return seen[-1]

    found = search(fitness=fitness, survive=survive)
    assert found.fitness == min(seen) == mismatches(found.best)
    assert len(found.history) == 61
    assert [g.best for g in found.history] == np.minimum.accumulate([g.best for g in found.history]).tolist()
    assert found.history[0].best == min(seen[:10])
    assert found.history[0].mean == np.mean(seen[:10])
    assert found.history[0].worst == max(seen[:10])
    assert found.history[-1].mean == found.scores.mean()
    assert [mismatches(genes) for genes in found.population] == found.scores.tolist()
    assert found.stopped == "generations"


def test_it_finds_the_target():
    assert search(generations=2_000).best.tolist() == TARGET.tolist()


def test_the_first_population_counts_and_is_not_changed():
    population = np.vstack([first_population(), TARGET])
    before = population.copy()
    found = evolve(population, mismatches, vary=mutate, survive=replace, generations=5, rng=1)
    assert found.fitness == 0
    np.testing.assert_array_equal(population, before)
    assert evolve(population, mismatches, vary=mutate, generations=0).best.tolist() == TARGET.tolist()


def test_same_rng_same_search_other_rng_another():
    first, again, other = search(), search(), search(rng=2)
    assert first.history == again.history
    np.testing.assert_array_equal(first.population, again.population)
    assert first.history != other.history


def test_more_generations_never_give_a_worse_result():
    found = [search(survive=replace, generations=count).fitness for count in (0, 1, 5, 20, 80)]
    assert found == sorted(found, reverse=True)


def test_workers_and_whole_populations_give_the_same_search():
    alone = search()
    with ThreadPoolExecutor(2) as pool:
        assert search(workers=pool.map).history == alone.history
    at_once = search(fitness=lambda population: (population != TARGET).sum(axis=1), workers=together)
    assert at_once.history == alone.history


def test_the_callback_sees_progress_and_changes_nothing():
    seen = []

    def callback(progress):
        seen.append(progress)
        with pytest.raises(ValueError, match="read-only"):
            progress.best[0] = -1

    assert search(callback=callback).history == search().history
    assert [p.fraction for p in seen] == pytest.approx(np.linspace(0, 1, 61))
    assert seen[12].message == "generation 12 of 60"
    assert mismatches(seen[-1].best) == search().fitness


def test_the_callback_stops_with_the_best_so_far():
    found = search(callback=lambda progress: progress.fraction >= 0.25)
    assert found.stopped == "callback"
    assert found.history == search(generations=15).history


def test_patience_ends_a_search_without_progress():
    found = search(vary=lambda population, scores, rng: population, patience=7)
    assert found.stopped == "patience"
    assert len(found.history) == 8


def test_patience_starts_anew_with_every_success():
    steps = iter(range(100, 0, -1))  # a better child in every second generation
    state = {"turn": 0}

    def vary(population, scores, rng):
        state["turn"] += 1
        return [next(steps)] if state["turn"] % 2 == 0 else [1_000]

    found = evolve([500], float, vary=vary, generations=50, patience=2)
    assert found.stopped == "generations"
    assert found.fitness == 76


def test_no_time_left_and_no_children_end_a_search():
    assert search(seconds=0).stopped == "seconds"
    assert len(search(seconds=0).history) == 1
    none = search(vary=lambda population, scores, rng: population[:0])
    assert none.stopped == "no children"
    assert len(none.history) == 1


def test_individuals_may_be_anything_and_children_any_number():
    def vary(population, scores, rng):
        shorter = [text[1:] for text in population if text]
        return [*shorter, *(text + "a" for text in population[:1])]

    found = evolve(["bbbbb", "cc"], len, vary=vary, generations=3)
    assert found.best == ""
    assert found.fitness == 0
    assert len(found.population) == 2


def test_a_child_may_compete_with_its_own_parent_only():
    """Crowding, as the evolution of protected files needs it, is a `survive` of its own."""

    def vary(population, scores, rng):
        return [(value + int(rng.integers(-3, 4)), parent) for parent, (value, _) in enumerate(population)]

    def crowd(population, scores, children, child_scores):
        population, scores = list(population), scores.copy()
        for child, score in zip(children, child_scores, strict=True):
            if score < scores[child[1]]:
                population[child[1]], scores[child[1]] = child, score
        return population, scores

    first = [(100, 0), (-100, 1), (7, 2)]
    found = evolve(first, lambda one: abs(one[0]), vary=vary, survive=crowd, generations=200, rng=1)
    assert [value for value, _ in found.population] == [0, 0, 0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"fitness": lambda genes: np.nan}, "`fitness` is not a number for individual 0"),
        ({"fitness": lambda genes: [1, 2]}, "`fitness` must give one number per individual"),
        ({"generations": -1}, "`generations` must be a number at least 0"),
        ({"patience": 0}, "`patience` must be a number at least 1"),
        ({"seconds": -1}, "`seconds` must be a number at least 0"),
    ],
)
def test_wrong_calls_are_one_sentence(options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        search(**options)


def test_an_empty_population_is_one_sentence():
    with pytest.raises(InvalidInput, match="`population` is empty"):
        evolve([], len, vary=mutate, generations=1)


def test_infinite_fitness_is_allowed():
    found = search(fitness=lambda genes: np.inf, survive=keep_best, generations=3)
    assert found.fitness == np.inf
    assert found.history[0].mean == np.inf


scores = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=8)


@given(scores, scores)
def test_keep_best_is_a_sorted_merge_in_which_parents_win_ties(old, new):
    parents, children = [("parent", i) for i in range(len(old))], [("child", i) for i in range(len(new))]
    merged = sorted(zip(old + new, parents + children, strict=True), key=lambda pair: pair[0])[: len(old)]
    population, kept = keep_best(parents, np.array(old), children, np.array(new))
    assert list(zip(kept.tolist(), population, strict=True)) == merged


@given(scores, scores, st.integers(0, 3))
def test_replace_keeps_the_children_and_the_elite(old, new, elite):
    population, kept = replace(np.array(old), np.array(old), np.array(new), np.array(new), elite=elite)
    assert kept.tolist() == population.tolist() == new + sorted(old)[:elite]


def test_roulette_follows_one_over_score_plus_one():
    values = np.array([0.0, 1.0, 3.0, np.inf])
    drawn = np.bincount(roulette(values, 70_000, np.random.default_rng(1)), minlength=4)
    np.testing.assert_allclose(drawn / 70_000, [4 / 7, 2 / 7, 1 / 7, 0], atol=0.01)


def test_roulette_without_a_winner_is_fair():
    drawn = roulette(np.full(4, np.inf), 40_000, np.random.default_rng(1))
    np.testing.assert_allclose(np.bincount(drawn) / 40_000, 0.25, atol=0.01)


def test_roulette_refuses_negative_scores():
    with pytest.raises(InvalidInput, match="at least 0"):
        roulette(np.array([1.0, -1.0]), 2, np.random.default_rng(1))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_tournament_takes_the_fittest_of_those_drawn(size):
    drawn = tournament(np.array([2.0, 1.0, 3.0, 4.0]), 40_000, np.random.default_rng(1), size=size)
    # the fittest wins whenever it is among the `size` drawn, the worst only if it is drawn every time
    shares = np.bincount(drawn, minlength=4) / 40_000
    assert shares[1] == pytest.approx(1 - 0.75**size, abs=0.01)
    assert shares[3] == pytest.approx(0.25**size, abs=0.01)


@pytest.mark.parametrize("select", SELECTIONS, ids=lambda f: f.__name__)
@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=6), st.integers(0, 20), st.integers(0, 99))
def test_selections_draw_as_many_positions_as_asked(select, values, count, seed):
    drawn = select(np.array(values), count, np.random.default_rng(seed))
    assert drawn.shape == (count,)
    assert np.issubdtype(drawn.dtype, np.integer)
    assert ((drawn >= 0) & (drawn < len(values))).all()
