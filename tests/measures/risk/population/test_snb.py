"""The slide negative binomial: expectations summed over the distribution, and known populations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, nbinom

from measures.risk.population.samples import drawn, samples
from shoal.measures import snb_uniques
from shoal.measures.risk.population.snb import estimate_snb, expected_classes, shlosser
from shoal.table import as_table


@settings(max_examples=200)
@given(q=st.floats(0.05, 0.95), alpha=st.floats(0.1, 3), beta=st.floats(0.1, 0.95))
def test_expected_classes_summed_over_the_distribution(q, alpha, beta):
    others = np.arange(3000)
    share = nbinom.pmf(others, alpha, beta)
    slow = [float((share * binom.pmf(seen, others + 1, q)).sum()) for seen in (1, 2)]
    assert expected_classes(7.0, q, alpha, beta) == pytest.approx([7 * slow[0], 7 * slow[1]], rel=1e-6)


@settings(max_examples=200)
@given(sample=samples())
def test_shlosser_summed_slowly(sample):
    q, pairs = sample.fraction, list(zip(sample.sizes.tolist(), sample.counts.tolist(), strict=True))
    first = sum(i * q**2 * (1 - q**2) ** (i - 1) * c for i, c in pairs)
    second = sum((1 - q) ** i * ((1 + q) ** i - 1) * c for i, c in pairs)
    third = sum((1 - q) ** i * c for i, c in pairs) / sum(i * q * (1 - q) ** (i - 1) * c for i, c in pairs)
    slow = sample.classes + sample.of_size(1) * first / second * third**2
    assert shlosser(sample) == pytest.approx(slow, rel=1e-6)


@pytest.mark.parametrize("fraction", [0.05, 0.3, 0.6])
def test_it_is_near_the_truth(fraction):
    sample, truth = drawn(1.2, fraction, 1)
    assert estimate_snb(sample) == pytest.approx(truth, rel=0.2)  # the draw differs between versions of numpy


def test_the_whole_population_and_nobody_alone():
    table = as_table({"age": [30, 30, 40]}, roles={"quasi": "age"})
    assert snb_uniques(table, fraction=1) == 1
    assert snb_uniques(as_table({"age": [30, 30]}), fraction=0.1) == 0
