"""Pitman's model: its likelihood and its uniques summed slowly, and known populations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.risk.population.samples import drawn, samples
from shoal import NotApplicable, as_table
from shoal.measures import pitman_uniques
from shoal.measures.risk.population.pitman import estimate_pitman, fit_pitman, log_likelihood


def slow_likelihood(sample, alpha, theta):
    value = sum(np.log(theta + i * alpha) for i in range(1, sample.classes))
    value -= sum(np.log(theta + i) for i in range(1, sample.records))
    for size, count in zip(sample.sizes, sample.counts, strict=True):
        value += count * sum(np.log(j - alpha) for j in range(1, size))
    return value


@pytest.mark.slow
@settings(max_examples=200)
@given(sample=samples(), alpha=st.floats(0.01, 0.99), theta=st.floats(0.01, 1e3))
def test_the_likelihood_summed_slowly(sample, alpha, theta):
    assert log_likelihood(sample, alpha, theta) == pytest.approx(
        slow_likelihood(sample, alpha, theta), rel=1e-7, abs=1e-6
    )


def test_the_fit_is_a_maximum():
    sample, _ = drawn(1.5, 0.05, 3)
    alpha, theta = fit_pitman(sample)
    best = log_likelihood(sample, alpha, theta)
    for other in [(alpha * 1.02, theta), (alpha * 0.98, theta), (alpha, theta * 1.1), (alpha, theta * 0.9)]:
        assert log_likelihood(sample, *other) < best


def test_uniques_are_rising_factorials():
    table = as_table({"age": [30] * 6 + [31, 31, 40, 50]}, roles={"quasi": "age"})
    from shoal.measures.risk.population.sample_classes import sample_classes

    sample = sample_classes(table, 0.1, None)
    alpha, theta = fit_pitman(sample)
    N = sample.population
    slow = N * np.prod([(theta + alpha + j) / (theta + 1 + j) for j in range(int(N) - 1)])
    assert pitman_uniques(table, fraction=0.1) == pytest.approx(0.1 * slow)


@pytest.mark.parametrize("shape", [1.2, 1.5])
def test_it_is_near_the_truth_of_small_samples(shape):
    sample, truth = drawn(shape, 0.05, 1)
    assert estimate_pitman(sample) == pytest.approx(truth, rel=0.15)


@pytest.mark.parametrize("ages", [[1, 2, 3], [1]])
def test_it_needs_records_alone_and_records_in_company(ages):
    with pytest.raises(NotApplicable, match="alone"):
        pitman_uniques(as_table({"age": ages}), fraction=0.1)
