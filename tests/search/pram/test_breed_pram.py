"""Equations for PRAM matrices: trees, their variation, their text, and what they are applied to."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput, Recipe, as_table, pram
from shoal.encode.categories import categorise
from shoal.masking import frequency_matrix
from shoal.search import Equation, breed_pram, equation_matrices
from shoal.search.pram.breed_pram import tree_matrix, vary_trees
from shoal.search.pram.equation_operators import (
    half_and_half,
    random_tree,
)
from shoal.search.pram.equations import depth

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(4)
COLUMNS = {
    "town": RNG.choice(["a", "b", "c", "d"], 200, p=[0.5, 0.3, 0.15, 0.05]).tolist(),
    "sex": RNG.choice(["f", "m"], 200).tolist(),
}
TABLE = as_table(COLUMNS, roles={"quasi": ["town", "sex"]})
quick = partial(breed_pram, TABLE, population=16, generations=6, rng=1)
seeds = st.integers(0, 10**6)


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
    found = equation_matrices(TABLE, equation=text, invariant=False, columns=["town"])
    counts = [COLUMNS["town"].count(category) for category in "abcd"]
    np.testing.assert_allclose(found["town"], frequency_matrix(counts, p=0.8), atol=1e-12)


@pytest.mark.parametrize("mode", ["generational", "steady"])
@pytest.mark.parametrize("fitness", ["mean", "max"])
def test_breeding_improves(mode, fitness):
    found = quick(mode=mode, fitness=fitness, diagonal=(0.0, 1.0), invariant=False)
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


def test_wrong_calls_are_one_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="`mode` must be one of"):
        quick(mode="both")
    with pytest.raises(InvalidInput, match="`deepest` must be a whole number"):
        quick(deepest=0)
    with pytest.raises(InvalidInput, match="cannot be read"):
        Equation.read(tmp_path / "none.json")
    with pytest.raises(InvalidInput, match="no saved equation"):
        Equation.from_json("[]")


def test_the_frequencies_are_kept_unless_told_otherwise():
    for invariant in (True, False):
        found = quick(invariant=invariant, generations=1)
        same = []
        for name, P in found.items():
            codes, categories = categorise(TABLE, name)
            t = np.bincount(codes[codes >= 0], minlength=len(categories))
            same.append(np.allclose(t @ P, t))
        assert all(same) == invariant
    again = equation_matrices(TABLE, equation=quick(generations=1).equation)
    assert all(np.allclose(again[name], P) for name, P in quick(generations=1).items())
