"""The sampling fraction, given or from weights, and refusals of fractions that cannot be."""

from __future__ import annotations

import pytest

from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures.risk.population.sample_classes import sample_classes, sampling_fraction

PEOPLE = {"age": [30, 30, 40, 50], "w": [10.0, 20.0, 30.0, 20.0]}
WEIGHTED = as_table(PEOPLE, roles={"quasi": "age", "weight": "w"})


def test_the_fraction_comes_from_the_weights_unless_given():
    assert sampling_fraction(WEIGHTED, None) == 0.05
    assert sampling_fraction(WEIGHTED, 0.5) == 0.5


def test_classes_are_counted_by_size():
    sample = sample_classes(WEIGHTED, 0.5, None)
    assert (sample.records, sample.classes, sample.population) == (4, 3, 8)
    assert [sample.of_size(size) for size in (1, 2, 3)] == [2, 1, 0]


def test_without_weights_the_fraction_is_asked_for():
    with pytest.raises(InvalidInput, match="fraction"):
        sampling_fraction(as_table(PEOPLE, roles={"quasi": "age"}), None)


@pytest.mark.parametrize("fraction", [0, -0.1, 1.5, float("nan"), "x"])
def test_fractions_lie_between_0_and_1(fraction):
    with pytest.raises(InvalidInput, match="fraction"):
        sampling_fraction(WEIGHTED, fraction)


@pytest.mark.parametrize("weights", [[1.0, 0.0], [1.0, None], [-1.0, 2.0], [1.0, float("inf")]])
def test_weights_are_positive_numbers(weights):
    table = as_table({"a": ["x", "y"], "w": weights}, roles={"quasi": "a", "weight": "w"})
    with pytest.raises(InvalidInput, match=r"'w'.*row"):
        sampling_fraction(table, None)


def test_no_records_say_nothing():
    with pytest.raises(NotApplicable):
        sampling_fraction(as_table({"a": []}), 0.1)
