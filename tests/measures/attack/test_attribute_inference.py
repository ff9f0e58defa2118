"""What a release tells about those who are in it is caught; what holds for everybody is not."""

from __future__ import annotations

import numpy as np
import pytest

from measures.attack.releases import persons, scene
from shoal import NotApplicable, as_table, mdav, microaggregate
from shoal.masking import group_records
from shoal.measures.attack.attribute_inference import attribute_inference

pytest.importorskip("sklearn")


def released(table, k=5):
    return microaggregate(table, k=k, partition=mdav)


def test_classes_that_share_an_illness_by_accident_are_caught():
    table = persons()
    groups = group_records(table, k=5, partition=mdav)
    ill = np.random.default_rng(3).permutation(groups.max() + 1) % 2
    leaking = table.assign(ill=np.array(["flu", "cold"])[ill[groups]].tolist())
    found = attribute_inference(scene(leaking, released(leaking)))
    assert found.found
    assert found.success > 0.95
    assert found.baseline < 0.7
    assert "not in the file" in found.sentence
    assert "ill" in found.worst
    shares = np.unique(leaking.column("ill"), return_counts=True)[1] / len(leaking)
    assert f"right for {100 * shares.max():.1f} of 100" in found.worst


def test_an_illness_that_follows_from_age_everywhere_is_no_leak():
    table = persons()
    ordinary = table.assign(ill=np.where(table.column("a") > 50, "flu", "cold").tolist())
    found = attribute_inference(scene(ordinary, released(ordinary)))
    assert not found.found
    assert found.baseline > 0.85


def test_who_is_alone_in_the_release_has_told_the_value():
    table = persons()
    found = attribute_inference(scene(table, table))
    assert (found.found, found.success) == (True, 1.0)


@pytest.mark.parametrize("seed", range(3))
def test_an_illness_that_follows_from_nothing_is_not_learned(seed):
    table = persons(seed=seed)
    assert not attribute_inference(scene(table, released(table), seed=seed)).found


@pytest.mark.slow
def test_numbers_are_learned_by_tenths():
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    columns = {"a": a, "b": rng.normal(size=400), "c": rng.normal(size=400), "ill": 100 * a}
    table = as_table(columns, roles={"quasi": ["a", "b", "c"], "confidential": "ill"})
    assert attribute_inference(scene(table, table)).baseline > 0.6


def test_it_needs_something_to_learn():
    table = persons(n=30)
    for other in (table.assign(ill=["flu"] * 30), table.assign(ill=[None] * 30)):
        with pytest.raises(NotApplicable):
            attribute_inference(scene(other, other))
