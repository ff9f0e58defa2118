"""Numbers taken as they are: small noise is caught, shuffled numbers are not."""

from __future__ import annotations

import numpy as np
import pytest

from measures.attack.releases import coded, persons, scene
from shoal import NotApplicable
from shoal.measures.attack.interval_guess import interval_guess


def noisy(table, spread, seed=2):
    rng = np.random.default_rng(seed)
    return table.assign(**{name: table.column(name) + rng.normal(0, spread, len(table)) for name in "abc"})


def test_small_noise_is_caught():
    found = interval_guess(scene(persons(), noisy(persons(), 0.5)))
    assert found.found
    assert found.success > 0.9
    assert found.records


@pytest.mark.parametrize("seed", range(5))
def test_shuffled_numbers_are_not(seed):
    table, rng = persons(seed=seed), np.random.default_rng(seed)
    other = table.assign(**{name: rng.permutation(table.column(name)) for name in "abc"})
    assert not interval_guess(scene(table, other, seed=seed)).found


def test_it_needs_numbers_that_changed():
    for table in (coded(), persons()):
        with pytest.raises(NotApplicable):
            interval_guess(scene(table, table))
