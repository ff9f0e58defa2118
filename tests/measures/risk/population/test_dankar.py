"""Dankar's rule takes the model it says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from measures.risk.population.samples import drawn, samples
from shoal import NotApplicable, as_table
from shoal.measures import dankar_uniques
from shoal.measures.risk.population.dankar import estimate_dankar
from shoal.measures.risk.population.pitman import estimate_pitman
from shoal.measures.risk.population.snb import estimate_snb
from shoal.measures.risk.population.zayatz import estimate_zayatz


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(sample=samples())
def test_small_samples_pitman_else_the_smaller_one_else_zayatz(sample):
    value, model = estimate_dankar(sample)
    assert 0 <= value <= sample.of_size(1)
    try:
        if sample.fraction <= 0.1:
            assert (value, model) == (estimate_pitman(sample), "pitman")
        else:
            assert value == min(estimate_snb(sample), estimate_zayatz(sample))
    except NotApplicable:
        assert (value, model) == (estimate_zayatz(sample), "zayatz")


@pytest.mark.parametrize(("shape", "fraction"), [(1.2, 0.05), (1.2, 0.5), (1.5, 0.3)])
def test_it_is_near_the_truth(shape, fraction):
    sample, truth = drawn(shape, fraction, 1)
    assert estimate_dankar(sample)[0] == pytest.approx(truth, rel=0.15)


def test_all_alone_is_left_to_zayatz():
    assert dankar_uniques(as_table({"age": [1, 2, 3]}), fraction=0.1) == pytest.approx(3)
