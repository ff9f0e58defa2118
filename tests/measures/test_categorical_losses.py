"""The categorical losses against slow, obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.hierarchy import hierarchy_from_rows, with_hierarchies
from shoal.measures import ctbil, dbil, ebil

CATEGORICAL = files(kinds=("ordinal", "nominal"))


def known(original) -> bool:
    return any(v is not None for n in original.names() for v in slow.cells(original, n))


@MANY
@given(pair=CATEGORICAL)
def test_dbil_agrees_with_the_slow_version(pair):
    assume(known(pair[0]))
    assert dbil(*pair) == pytest.approx(slow.dbil(*pair))


@pytest.mark.parametrize("order", [1, 2, 3])
@MANY
@given(pair=CATEGORICAL)
def test_ctbil_agrees_with_the_slow_version(order, pair):
    assert ctbil(*pair, order=order) == pytest.approx(slow.ctbil(*pair, order=order))


@MANY
@given(pair=CATEGORICAL)
def test_ebil_agrees_with_the_slow_version(pair):
    assume(known(pair[0]))
    assert ebil(*pair) == pytest.approx(slow.ebil(*pair), abs=1e-9)


def test_ctbil_counts_large_tables_without_making_them(monkeypatch):
    import importlib

    rng = np.random.default_rng(0)
    columns = {f"c{j}": rng.integers(0, 30, 400).astype(str).tolist() for j in range(4)}
    original = as_table(columns)
    masked = original.assign(c0=rng.permutation(columns["c0"]).tolist())
    expected = ctbil(original, masked, order=4)
    monkeypatch.setattr(importlib.import_module("shoal.measures.loss.ctbil"), "DENSE", 10)
    assert ctbil(original, masked, order=4) == expected


def test_ctbil_per_cell_is_the_mean_difference():
    before, after = as_table({"a": ["x", "y", "y", "z"]}), as_table({"a": ["x", "x", "y", "z"]})
    assert ctbil(before, after, per_cell=True) == pytest.approx(2 / 3)


@pytest.mark.parametrize("order", [0, -1, 1.5, True, "2"])
def test_ctbil_refuses_a_wrong_order(order):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="order"):
        ctbil(table, table, order=order)


def test_ebil_takes_the_pram_matrix_by_bayes():
    before = as_table({"a": ["x", "x", "x", "y"]})
    matrix = np.array([[0.8, 0.2], [0.4, 0.6]])
    joint = np.array([3, 1])[:, None] * matrix
    p = joint / joint.sum(axis=0)
    entropy = -(p * np.log(p)).sum(axis=0) / np.log(2)
    expected = 100 * np.mean([entropy[0], entropy[0], entropy[1], entropy[1]])
    after = as_table({"a": ["x", "x", "y", "y"]})
    assert ebil(before, after, matrices={"a": matrix}) == pytest.approx(expected)
    assert ebil(before, after, matrices={"a": np.eye(2)}) == 0


@pytest.mark.parametrize("matrix", [np.eye(3), [[0.5, 0.6], [0, 1]], [[1.5, -0.5], [0, 1]]])
def test_ebil_refuses_a_matrix_that_is_none(matrix):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="matrix"):
        ebil(table, table, matrices={"a": matrix})


def test_suppression_costs_everything_and_filling_nothing():
    before = as_table({"a": ["x", "y", None, "x"]})
    gone = before.assign(a=[None] * 4)
    assert dbil(before, gone) == 100
    assert dbil(before, before.assign(a=["x", "y", "x", "x"])) == 0
    assert ebil(before, before.assign(a=["x", "y", "x", "x"])) == 0


def test_a_hierarchy_measures_how_far_categories_generalise():
    towns = hierarchy_from_rows([["Nice", "Gaul", "*"], ["Lyon", "Gaul", "*"], ["Rome", "Italy", "*"]])
    before = with_hierarchies(as_table({"town": ["Nice", "Lyon", "Rome", None]}), {"town": towns})
    assert dbil(before, before.assign(town=["Gaul", "Gaul", "Rome", None])) == pytest.approx(100 / 3)
    assert dbil(before, before.assign(town=["*", "Nice", "Gaul", None])) == pytest.approx(100 * 2.5 / 3)
    assert dbil(before, before.assign(town=["Atlantis", "Lyon", "Rome", None])) == pytest.approx(100 / 3)


def test_numbers_that_became_labels_of_their_hierarchy_count():
    ages = hierarchy_from_rows([["21", "20s", "*"], ["25", "20s", "*"], ["38", "30s", "*"]])
    before = with_hierarchies(as_table({"age": [21, 25, 38]}), {"age": ages})
    assert dbil(before, before.assign(age=["20s", "20s", "*"])) == pytest.approx(100 * 2 / 3)
    with pytest.raises(NotApplicable):
        dbil(before, before.assign(age=["young", "young", "old"]))


def test_numeric_columns_are_none_of_their_business():
    table = as_table({"a": [1, 2]})
    for measure in (dbil, ctbil, ebil):
        with pytest.raises(NotApplicable, match="ordinal or nominal"):
            measure(table, table)
