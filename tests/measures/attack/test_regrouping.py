"""Groups whose centres are found again give away what they share; groups of mixed values do not."""

from __future__ import annotations

import numpy as np
import pytest

from measures.attack.releases import coded, persons, scene
from shoal import NotApplicable, microaggregate
from shoal.measures.attack.regrouping import regrouping


def grouped(shared):
    """Tight clusters of five, averaged; with one illness a cluster, or mixed ones."""
    rng = np.random.default_rng(0)
    centre = np.repeat(rng.uniform(0, 1e4, (60, 3)), 5, axis=0)
    table = persons(n=300)
    ill = np.repeat(table.column("ill")[::5], 5) if shared else table.column("ill")
    columns = dict(zip("abc", (centre + rng.normal(size=centre.shape)).T, strict=True))
    table = table.assign(ill=ill.tolist(), **columns)
    return table, microaggregate(table, k=5)


def test_groups_of_one_illness_are_caught():
    found = regrouping(scene(*grouped(shared=True)))
    assert found.found
    assert found.success > 0.95
    assert found.records


def test_groups_of_mixed_illnesses_are_not():
    found = regrouping(scene(*grouped(shared=False)))
    assert not found.found
    assert found.trials > 200


def test_it_needs_groups():
    for table in (persons(), coded()):
        with pytest.raises(NotApplicable, match="averaged"):
            regrouping(scene(table, table))
