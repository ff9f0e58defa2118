"""Equations for PRAM matrices: trees, their variation, their text, and what they are applied to."""

from __future__ import annotations

import ast
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput, Recipe, as_table, pram
from shoal.masking import frequency_matrix
from shoal.search import Equation, breed_pram, equation_matrices
from shoal.search.pram.breed_pram import tree_matrix, vary_trees
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
from shoal.search.pram.equations import OPERATORS, VARIABLES, depth, places, simplified, subtree, value_of

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(4)
COLUMNS = {
    "town": RNG.choice(["a", "b", "c", "d"], 200, p=[0.5, 0.3, 0.15, 0.05]).tolist(),
    "sex": RNG.choice(["f", "m"], 200).tolist(),
}
TABLE = as_table(COLUMNS, roles={"quasi": ["town", "sex"]})
quick = partial(breed_pram, TABLE, population=16, generations=6, rng=1)
seeds = st.integers(0, 10**6)


def slow_value(tree, f, k, n, other):
    """The same for one k and l, by hand."""
    if not isinstance(tree, tuple):
        return {"f_k": f[k], "f_l": f[other], "n": float(n)}.get(tree, tree)
    a, b = (slow_value(side, f, k, n, other) for side in tree[1:])
    if tree[0] == "/":
        return 1.0 if abs(b) < 1e-12 else a / b
    return a + b if tree[0] == "+" else a - b if tree[0] == "-" else a * b


@given(seeds)
def test_values_are_those_of_the_tree(seed):
    rng = np.random.default_rng(seed)
    tree, counts = random_tree(4, False, rng), rng.integers(1, 9, 3).astype(float)
    values, f = value_of(tree, counts), counts / counts.sum()
    expected = [[slow_value(tree, f, k, 3, other) for other in range(3)] for k in range(3)]
    np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


@given(seeds)
def test_text_goes_both_ways_and_means_the_same_to_python(seed):
    rng = np.random.default_rng(seed)
    equation = Equation(random_tree(5, False, rng))
    again = Equation.from_text(str(equation))
    assert str(again) == str(equation)
    counts = np.array([5.0, 3.0, 1.0])
    np.testing.assert_allclose(
        value_of(again.tree, counts), value_of(equation.tree, counts), rtol=1e-6, atol=1e-9
    )
    assert again.tree == equation.tree
    ast.parse(str(equation), mode="eval")
    assert equation.latex().count("{") == equation.latex().count("}")


@given(seeds)
def test_a_simplified_tree_has_the_same_value(seed):
    rng = np.random.default_rng(seed)
    tree, counts = random_tree(4, False, rng), rng.integers(1, 9, 3).astype(float)
    short = simplified(tree)
    assert is_tree(short)
    assert len(places(short)) <= len(places(tree))
    np.testing.assert_allclose(value_of(short, counts), value_of(tree, counts), rtol=1e-9, atol=1e-9)


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


@given(seeds, st.integers(1, 4))
def test_no_child_is_deeper_than_allowed(seed, deepest):
    rng = np.random.default_rng(seed)
    population = half_and_half(10, deepest, rng)
    children = vary_trees(population, rng.random(10), rng, count=25, deepest=deepest)
    assert len(children) == 25
    assert max(map(depth, children)) <= deepest


@given(seeds)
def test_matrices_are_stochastic_whatever_the_equation(seed):
    rng = np.random.default_rng(seed)
    counts = np.append(rng.integers(0, 9, 4), 0).astype(float)
    P = tree_matrix(random_tree(5, False, rng), counts, (0.2, 0.9))
    assert (P >= 0).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)
    gone = np.flatnonzero(counts[:-1] == 0)
    assert (P[gone, gone] == 1).all()
    assert (P[:, gone].sum(axis=0) == 1).all(), "what nobody has is never drawn"


def test_the_builders_equation_gives_the_builders_matrix():
    text = "0.2 * (1 - f_k - f_l) / ((n - 2) * (1 - f_k))"
    found = equation_matrices(TABLE, equation=text, columns=["town"])
    counts = [COLUMNS["town"].count(category) for category in "abcd"]
    np.testing.assert_allclose(found["town"], frequency_matrix(counts, p=0.8), atol=1e-12)


@pytest.mark.parametrize("mode", ["generational", "steady"])
@pytest.mark.parametrize("fitness", ["mean", "max"])
def test_breeding_improves(mode, fitness):
    found = quick(mode=mode, fitness=fitness, diagonal=(0.0, 1.0))
    assert found.score < found.history[0].best
    assert depth(found.equation.tree) <= 5
    assert found.score == pytest.approx(found.figures.score(fitness))
    bests = [generation.best for generation in found.history]
    assert bests == sorted(bests, reverse=True)
    assert len(bests) == (1 + 6 * 8 if mode == "steady" else 1 + 6)


def test_same_rng_same_equation():
    assert str(quick().equation) == str(quick().equation)
    assert str(quick(rng=2).equation) != str(quick().equation)


def test_an_equation_is_printed_saved_and_applied_to_another_file(tmp_path):
    found = quick()
    assert str(found.equation) in str(found)
    found.equation.save(tmp_path / "equation.json")
    again = Equation.read(tmp_path / "equation.json")
    assert again == found.equation
    same = equation_matrices(TABLE, equation=again)
    for name in ("town", "sex"):
        np.testing.assert_allclose(same[name], found[name])
    other = as_table({"job": ["x", "y", "z", "z"]}, roles={"quasi": ["job"]})
    matrices = equation_matrices(other, equation=again)
    assert matrices["job"].shape == (3, 3)
    assert len(pram(other, matrices=matrices, rng=1)) == 4


def test_pram_and_recipes_take_it():
    masked = pram(TABLE, matrices=partial(breed_pram, population=4, generations=1, rng=1), rng=1)
    assert masked.frame["town"].to_list() != COLUMNS["town"]
    step = {"method": "pram", "matrices": {"method": "equation_matrices", "equation": "0.3 * f_l"}}
    recipe = Recipe("equation", {"quasi": ["town", "sex"]}, [step])
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert recipe.run(TABLE, rng=1).frame.equals(recipe.run(TABLE, rng=1).frame)


@pytest.mark.parametrize(
    "text", ["", "f_k +", "f_j", "f_k ** 2", "__import__('os')", "abs(f_k)", "1e999", "'a'", "True + f_k"]
)
def test_what_is_no_equation_is_refused(text):
    with pytest.raises(InvalidInput, match="An equation is made of"):
        Equation.from_text(text)


def test_wrong_calls_are_one_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="`mode` must be one of"):
        quick(mode="both")
    with pytest.raises(InvalidInput, match="`deepest` must be a whole number"):
        quick(deepest=0)
    with pytest.raises(InvalidInput, match="cannot be read"):
        Equation.read(tmp_path / "none.json")
    with pytest.raises(InvalidInput, match="no saved equation"):
        Equation.from_json("[]")
