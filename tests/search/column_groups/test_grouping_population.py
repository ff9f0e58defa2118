from __future__ import annotations

import numpy as np

from search.column_groups.generations import RNG, one_generation, started
from shoal.search.column_groups.grouping_population import Individual


def test_every_operator_is_applied_as_planned():
    first, breeding = started([3.0, 2.0], {"crossover": 2, "element_swap": 3, "group_split": 0})
    children = breeding.vary(first, np.array([3.0, 2.0]), RNG(1))
    assert [child.operator for child in children] == ["crossover"] * 4 + ["element_swap"] * 3
    assert {child.born for child in children} == {1}


def test_a_child_is_compared_with_the_mean_of_its_parents():
    first, breeding = started([3.0, 2.0], {"crossover": 1, "element_move": 5})
    crossed, _, *moved = breeding.vary(first, np.array([3.0, 2.0]), RNG(1))
    assert crossed.expected == 2.5  # two different parents
    assert {child.expected for child in moved} <= {2.0, 3.0}
    assert all(one.used for one in first)


def test_the_best_survive_and_equals_stay_in_the_order_they_came():
    first, breeding = started([1.0, 2.0], {"element_move": 3})
    (_, better, _), survivors = one_generation(breeding, first, [2.0, 0.5, 3.0])
    assert list(survivors) == [better, first[0]]
    assert first[1].died == 1
    assert first[0].died is None


def test_clones_are_two_lives():
    assert Individual((0, 0)) != Individual((0, 0))


def test_an_operator_without_success_five_times_in_a_row_is_dropped():
    population, breeding = started([1.0, 1.0], {"element_move": 1, "element_swap": 1}, idle=5)
    for generation in range(5):  # children come in the order of the menu: swap succeeds, move never does
        children, population = one_generation(breeding, population, [0.5**generation * 0.9, 9.0])
        assert [child.operator for child in children] == ["element_swap", "element_move"]
    children, _ = one_generation(breeding, population, [9.0])
    assert [child.operator for child in children] == ["element_swap"]


def test_success_in_between_starts_the_count_again():
    population, breeding = started([8.0, 8.0], {"element_move": 1}, idle=3)
    for cost in (9.0, 9.0, 1.0, 9.0, 9.0):
        children, population = one_generation(breeding, population, [cost])
        assert len(children) == 1
    one_generation(breeding, population, [9.0])
    assert breeding.vary(population, np.array([1.0, 8.0]), RNG(1)) == []
    assert breeding.generation == 6, "a generation without children is none"


def test_without_a_limit_nothing_is_dropped():
    population, breeding = started([1.0, 1.0], {"element_move": 1})
    for _ in range(12):
        children, population = one_generation(breeding, population, [9.0])
        assert len(children) == 1
