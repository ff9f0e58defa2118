"""Equations as trees: values, text, simplification."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput
from shoal.search import Equation
from shoal.search.pram.equation_operators import (
    random_tree,
)
from shoal.search.pram.equations import OPERATORS, VARIABLES, places, simplified, value_of

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
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


def is_tree(tree):
    if isinstance(tree, tuple):
        return len(tree) == 3 and tree[0] in OPERATORS and is_tree(tree[1]) and is_tree(tree[2])
    return tree in VARIABLES or isinstance(tree, float)


@pytest.mark.parametrize(
    "text", ["", "f_k +", "f_j", "f_k ** 2", "__import__('os')", "abs(f_k)", "1e999", "'a'", "True + f_k"]
)
def test_what_is_no_equation_is_refused(text):
    with pytest.raises(InvalidInput, match="An equation is made of"):
        Equation.from_text(text)
