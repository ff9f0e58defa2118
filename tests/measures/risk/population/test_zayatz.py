"""Zayatz's estimate against scipy's hypergeometric distribution and against known populations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from scipy.stats import hypergeom

from measures.risk.population.samples import drawn, samples
from shoal import as_table
from shoal.measures import zayatz_uniques
from shoal.measures.risk.population.zayatz import estimate_zayatz


@settings(max_examples=200)
@given(sample=samples())
def test_bayes_with_hypergeometric_chances(sample):
    N, n = round(sample.population), sample.records
    once = {size: hypergeom.pmf(1, N, size, n) for size in sample.sizes.tolist()}
    share = {s: c / sample.classes for s, c in zip(sample.sizes.tolist(), sample.counts, strict=True)}
    chance = share[1] * once[1] / sum(share[s] * once[s] for s in share)
    assert estimate_zayatz(sample) == pytest.approx(sample.of_size(1) * min(chance, 1), rel=1e-3)


@pytest.mark.parametrize("fraction", [0.05, 0.3, 0.6])
def test_it_is_near_the_truth(fraction):
    sample, truth = drawn(1.2, fraction, 1)
    assert estimate_zayatz(sample) == pytest.approx(truth, rel=0.1)


def test_the_whole_population_and_nobody_alone():
    table = as_table({"age": [30, 30, 40]}, roles={"quasi": "age"})
    assert zayatz_uniques(table, fraction=1) == 1
    assert zayatz_uniques(as_table({"age": [30, 30]}), fraction=0.1) == 0
