"""Confidential values that follow from the keys are learned; those that do not are not."""

from __future__ import annotations

import numpy as np
import pytest

from measures.attack.releases import persons, scene
from shoal import NotApplicable, as_table
from shoal.measures.attack.attribute_inference import attribute_inference

pytest.importorskip("sklearn")


def test_an_illness_that_follows_from_age_is_caught():
    table = persons()
    leaking = table.assign(ill=np.where(table.column("a") > 50, "flu", "cold").tolist())
    found = attribute_inference(scene(leaking, leaking))
    assert found.found
    assert found.success > 0.95
    assert "ill" in found.worst


@pytest.mark.parametrize("seed", range(3))
def test_an_illness_that_follows_from_nothing_is_not(seed):
    table = persons(seed=seed)
    assert not attribute_inference(scene(table, table, seed=seed)).found


def test_numbers_are_learned_by_tenths():
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    columns = {"a": a, "b": rng.normal(size=400), "c": rng.normal(size=400), "ill": 100 * a}
    table = as_table(columns, roles={"quasi": ["a", "b", "c"], "confidential": "ill"})
    assert attribute_inference(scene(table, table)).success > 0.7


def test_it_needs_something_to_learn():
    table = persons(n=30)
    for other in (table.assign(ill=["flu"] * 30), table.assign(ill=[None] * 30)):
        with pytest.raises(NotApplicable):
            attribute_inference(scene(other, other))
