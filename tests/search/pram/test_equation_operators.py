"""How equations are made, mutated and crossed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.search.pram.equation_operators import (
    PROGRAM_MUTATIONS,
    cross_subtrees,
    half_and_half,
    mutate_collapse,
    mutate_expansion,
    mutate_hoist,
    mutate_point,
    mutate_subtree,
    random_tree,
)
from shoal.search.pram.equations import OPERATORS, VARIABLES, depth, places, subtree

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
seeds = st.integers(0, 10**6)


@pytest.mark.parametrize("levels", [1, 3, 4])
def test_half_and_half_makes_full_and_grown_trees_of_all_depths(levels):
    trees = half_and_half(24, levels, np.random.default_rng(1))
    full, grown = trees[::2], trees[1::2]
    assert {depth(tree) for tree in full} == set(range(1, levels + 1))
    for tree in full:
        leaves = [place for place in places(tree) if not isinstance(subtree(tree, place), tuple)]
        assert {len(place) for place in leaves} == {depth(tree)}
    assert all(depth(tree) <= levels for tree in grown)
    assert len({str(tree) for tree in grown}) > 3


def is_tree(tree):
    if isinstance(tree, tuple):
        return len(tree) == 3 and tree[0] in OPERATORS and is_tree(tree[1]) and is_tree(tree[2])
    return tree in VARIABLES or isinstance(tree, float)


def branches(tree):
    return [subtree(tree, place) for place in places(tree)]


@given(seeds)
def test_the_five_mutations_do_what_their_names_say(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(3, False, rng)
    made = {mutation: mutation(tree, rng) for mutation in PROGRAM_MUTATIONS}
    assert len(made) == 5
    assert all(is_tree(child) for child in made.values())
    assert made[mutate_hoist] in branches(tree)
    assert len(places(made[mutate_collapse])) <= len(places(tree))
    assert len(places(made[mutate_expansion])) == len(places(tree)) + 6, (
        "a leaf became a full tree of depth 2"
    )
    shape = places(made[mutate_point])
    assert shape == places(tree), "the shape stays"
    changed = [p for p in shape if _head(made[mutate_point], p) != _head(tree, p)]
    assert len(changed) <= 1
    assert depth(made[mutate_subtree]) <= depth(tree) + 2


def _head(tree, place):
    node = subtree(tree, place)
    return node[0] if isinstance(node, tuple) else node


@given(seeds)
def test_crossover_exchanges_two_branches(seed):
    rng = np.random.default_rng(seed)
    one, other = random_tree(3, True, rng), random_tree(3, False, rng)
    first, second = cross_subtrees(one, other, rng)
    assert is_tree(first)
    assert is_tree(second)
    assert len(places(first)) + len(places(second)) == len(places(one)) + len(places(other))
    assert sorted(map(str, map(_top, branches(first) + branches(second)))) == sorted(
        map(str, map(_top, branches(one) + branches(other)))
    )


def _top(tree):
    return tree[0] if isinstance(tree, tuple) else tree


@pytest.mark.parametrize("levels", [1, 2, 4])
def test_no_first_equation_is_a_bare_terminal(levels):
    assert all(depth(tree) >= 1 for tree in half_and_half(400, levels, np.random.default_rng(3)))
