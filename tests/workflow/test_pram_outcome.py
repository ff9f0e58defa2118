"""What PRAM did: before, expected and drawn, and the share that changed."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import Recipe, as_table
from shoal.workflow.pram_outcome import pram_outcome

TABLE = as_table(
    {"town": (["a"] * 60 + ["b"] * 30 + [None] * 10), "age": list(range(100))}, roles={"quasi": ["town"]}
)


def outcome(matrices, **options):
    recipe = Recipe("r", {"quasi": ["town"]}, [{"method": "pram", "matrices": matrices, **options}])
    masked = recipe.run(TABLE, rng=1)
    return masked, pram_outcome(recipe.describe(TABLE), masked, recipe)


def test_a_builder():
    masked, (found,) = outcome({"method": "frequency_matrix", "p": 0.7})
    assert found.before == (60, 30)
    assert found.expected == pytest.approx((60 * 0.7 + 30 * 0.3, 60 * 0.3 + 30 * 0.7))
    after = masked.column("town")
    assert found.drawn == (int((after == "a").sum()), int((after == "b").sum()))
    moved = int((after[:90] != TABLE.column("town")[:90]).sum())
    assert found.changed == pytest.approx(100 * moved / 90)
    assert found.rows()[0][0] == "a"


def test_a_search_keeps_the_frequencies():
    _, found = outcome({"method": "evolve_pram", "population": 4, "generations": 1})
    assert all(one.expected == (60.0, 30.0) for one in found)


def test_a_file_without_pram_has_none():
    recipe = Recipe("r", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 3}])
    assert pram_outcome(TABLE, recipe.run(TABLE, rng=np.random.default_rng(1)), recipe) == []
