"""Similarity of partitions against counting all pairs, and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from shoal import InvalidInput, measures

PAIRS = st.integers(1, 15).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)
INDICES = ("rand_index", "adjusted_rand_index", "jaccard_index", "fowlkes_mallows_index", "wallace_index")
MANY = settings(max_examples=300)


@MANY
@given(pair=PAIRS)
def test_indices_agree_with_counting_pairs(pair):
    both, only_a, only_b, neither = slow.pair_table(*pair)
    total = both + only_a + only_b + neither
    if total:
        assert measures.rand_index(*pair) == pytest.approx((both + neither) / total)
    if both + only_a + only_b:
        assert measures.jaccard_index(*pair) == pytest.approx(both / (both + only_a + only_b))
    if both + only_a:
        assert measures.wallace_index(*pair) == pytest.approx(both / (both + only_a))
    if both + only_a and both + only_b:
        expected = both / math.sqrt((both + only_a) * (both + only_b))
        assert measures.fowlkes_mallows_index(*pair) == pytest.approx(expected)


@MANY
@given(pair=PAIRS)
def test_mantaras_agrees_with_entropies(pair):
    joint = slow.conditional_entropy(list(zip(*pair, strict=True)), [0] * len(pair[0]))
    if joint > 1e-9:
        lost = slow.conditional_entropy(*pair) + slow.conditional_entropy(*pair[::-1])
        assert measures.mantaras_distance(*pair) == pytest.approx(lost / joint, abs=1e-9)
    else:
        assert measures.mantaras_distance(*pair) == 0


@pytest.mark.slow
@MANY
@given(pair=PAIRS)
def test_scikit_learn_agrees(pair):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    assert measures.rand_index(*pair) == pytest.approx(metrics.rand_score(*pair))
    assert measures.adjusted_rand_index(*pair) == pytest.approx(metrics.adjusted_rand_score(*pair))
    both, only_a, only_b, _ = slow.pair_table(*pair)
    if both + only_a and both + only_b:
        assert measures.fowlkes_mallows_index(*pair) == pytest.approx(metrics.fowlkes_mallows_score(*pair))


@pytest.mark.parametrize("name", INDICES)
@given(labels=st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_the_same_groups_under_other_names_are_the_same(name, labels):
    renamed = [f"group {9 - label}" for label in labels]
    assert getattr(measures, name)(labels, renamed) == 1
    assert measures.mantaras_distance(labels, renamed) == pytest.approx(0, abs=1e-12)


def test_counts_do_not_overflow():
    n = 200_000
    assert measures.rand_index(np.zeros(n), np.arange(n)) == 0
    assert measures.adjusted_rand_index(np.arange(n) // 2, np.arange(n) // 2) == 1


@pytest.mark.parametrize("pair", [([], []), ([1], [1, 2]), ([[1]], [[1]])])
def test_partitions_must_fit_together(pair):
    for name in (*INDICES, "mantaras_distance"):
        with pytest.raises(InvalidInput, match="label"):
            getattr(measures, name)(*pair)
