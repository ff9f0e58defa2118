from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.search.column_groups.grouping_genes import canonical, groups_of
from shoal.search.column_groups.grouping_operators import (
    MUTATIONS,
    OPERATORS,
    _inject,
    crossover,
    element_move,
    element_swap,
    group_create,
    group_eliminate,
    group_split,
)

GENES = st.lists(st.integers(0, 5), min_size=1, max_size=10).map(canonical)
SEEDS = st.integers(0, 2**32).map(np.random.default_rng)
PAIRS = st.integers(1, 10).flatmap(
    lambda d: st.tuples(*[st.lists(st.integers(0, 5), min_size=d, max_size=d).map(canonical)] * 2)
)


def many(operator, *parents, count=3000):
    rng = np.random.default_rng(1)
    return [child for _ in range(count) for child in operator(*parents, rng)]


def together(genes):
    """Pairs of columns that share a group."""
    return {(a, b) for a in range(len(genes)) for b in range(a) if genes[a] == genes[b]}


def test_the_example_of_figure_3_3():
    first, second = canonical("ABCAB"), canonical("DDDEE")
    assert _inject(first, range(1, 3), second) == (2, 0, 1, 3, 0)  # D B C E B, groups B C D E
    assert _inject(second, range(1), first) == (0, 0, 0, 1, 2)  # D D D A B


def test_parents_that_share_names_stay_coherent():
    """Figure 3.4: the same letters in both parents mean different groups."""
    assert _inject(canonical("ABCAB"), range(1, 3), canonical("AAABB")) == (2, 0, 1, 3, 0)


@given(PAIRS, SEEDS)
def test_a_child_has_whole_groups_of_one_parent_and_the_rest_of_the_other(parents, rng):
    for child, (giver, taker) in zip(crossover(*parents, rng), (parents, parents[::-1]), strict=True):
        assert set(child) == set(range(max(child) + 1))
        given_groups = set(groups_of(child)) & set(groups_of(giver))
        assert given_groups, "at least one group is injected"
        rest = [c for c in range(len(child)) if not any(c in group for group in given_groups)]
        assert canonical(child[c] for c in rest) == canonical(taker[c] for c in rest)


def test_crossing_sections_are_neighbours_of_every_size():
    """From ABCD against one single group, exactly the sections of neighbouring groups can be injected."""
    found = set(many(lambda *p: crossover(*p)[:1], (0, 1, 2, 3), (0, 0, 0, 0)))
    sections = [range(a, b) for a in range(4) for b in range(a + 1, 5)]
    assert found == {_inject((0, 1, 2, 3), section, (0, 0, 0, 0)) for section in sections}


@given(GENES, SEEDS)
def test_mutations_give_one_child_without_gaps_in_its_names(parent, rng):
    for mutation in MUTATIONS:
        (child,) = mutation(parent, rng)
        assert set(child) == set(range(max(child) + 1))
        assert len(child) == len(parent)


def test_names_follow_the_order_in_which_groups_came_in():
    """Not the order of the columns: crossing sections are neighbours in the group part."""
    assert (1, 0, 0, 2) in set(many(group_create, (0, 1, 1, 1)))
    assert (2, 0, 1, 2) in set(many(element_swap, (2, 0, 1, 2)))
    assert set(many(group_split, (1, 0, 0))) == {(1, 0, 0), (1, 2, 0), (1, 0, 2)}


@given(GENES, SEEDS)
def test_create_makes_one_group_and_leaves_the_rest(parent, rng):
    (child,) = group_create(parent, rng)
    fits = []
    for created in groups_of(child):
        rest = [c for c in range(len(parent)) if c not in created]
        fits.append(canonical(child[c] for c in rest) == canonical(parent[c] for c in rest))
    assert any(fits)


def test_create_makes_groups_of_every_size_alike():
    """From all alone: 1..5 columns are created equally often, so a single step may reach one group."""
    sizes = [max(map(len, groups_of(child))) for child in many(group_create, (0, 1, 2, 3, 4))]
    assert np.bincount(sizes, minlength=6)[1:] / len(sizes) == pytest.approx(0.2, abs=0.03)


@given(GENES, SEEDS)
def test_eliminate_removes_one_group_and_keeps_the_others(parent, rng):
    (child,) = group_eliminate(parent, rng)
    if max(parent) == 0:
        assert child == parent
    else:
        assert max(child) == max(parent) - 1
        broken = [g for g in groups_of(parent) if not any(set(g) <= set(h) for h in groups_of(child))]
        assert len(broken) <= 1, "only the columns of one group were spread"


def test_eliminate_spreads_columns_over_all_others():
    assert set(map(canonical, many(group_eliminate, (0, 0, 1, 2)))) >= {
        (0, 1, 0, 1),
        (0, 0, 0, 1),
        (0, 1, 1, 0),
    }


@given(GENES, SEEDS)
def test_split_halves_one_group(parent, rng):
    (child,) = group_split(parent, rng)
    if child == parent:
        assert any(len(group) == 1 for group in groups_of(parent))
        return
    assert max(child) == max(parent) + 1
    assert together(child) < together(parent)
    new = [len(g) for g in groups_of(child) if g not in groups_of(parent)]
    assert len(new) == 2
    assert abs(new[0] - new[1]) <= 1


@given(GENES, SEEDS)
def test_swap_keeps_the_sizes_of_groups(parent, rng):
    (child,) = element_swap(parent, rng)
    assert sorted(map(len, groups_of(child))) == sorted(map(len, groups_of(parent)))


def test_swap_reaches_every_pair_and_clones_where_they_share_a_group():
    found = set(map(canonical, many(element_swap, (0, 0, 1, 1))))
    assert found == {(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0)}


@given(GENES, SEEDS)
def test_move_clones_only_a_single_group(parent, rng):
    (child,) = element_move(parent, rng)
    if max(parent) == 0:
        assert child == parent
        return
    assert child != parent
    assert max(child) in (max(parent), max(parent) - 1)


def test_move_never_makes_a_new_group():
    assert set(map(canonical, many(element_move, (0, 0, 1)))) == {(0, 1, 1), (0, 1, 0), (0, 0, 0)}


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda f: f.__name__)
def test_one_column_has_one_grouping(operator):
    parents = [(0,)] * (2 if operator is crossover else 1)
    assert set(many(operator, *parents, count=20)) == {(0,)}


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda f: f.__name__)
def test_same_rng_same_children(operator):
    parents = [(0, 1, 2, 0, 1, 3)] * (2 if operator is crossover else 1)
    assert many(operator, *parents, count=50) == many(operator, *parents, count=50)
