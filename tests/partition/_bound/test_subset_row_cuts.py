from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition._bound.pricing import Prices, losses
from shoal.partition._bound.subset_row_cuts import LEAST, find_triples, needs_pricing
from shoal.partition.lower_bound import file_of

NONE = np.empty((0, 3), dtype=np.int32)


@settings(max_examples=200)
@given(st.integers(0, 10_000), st.integers(3, 5))
def test_all_broken_threes_are_found(seed, k):
    """Against the definition, one three at a time."""
    rng = np.random.default_rng(seed)
    groups = np.full((12, 6), -1, dtype=np.int32)
    for row in groups:
        size = rng.integers(2, k + 1)
        row[:size] = rng.choice(8, size, replace=False)
    shares = rng.uniform(0.01, 0.6, 12)
    broken = {
        triple
        for triple in combinations(range(8), 3)
        if shares[np.isin(groups, triple).sum(axis=1) >= 2].sum() > 1 + LEAST
        and all(np.isin(groups, pair).sum(axis=1).max() == 2 for pair in combinations(triple, 2))
    }  # shares that cover no record more than once break no three with a pair that is never together
    found = set(map(tuple, find_triples(groups, shares, NONE, 8).tolist()))
    assert found <= broken
    assert bool(found) == bool(broken)  # only a few of every record, but never none


def test_known_threes_are_not_found_again():
    groups = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], dtype=np.int32)
    once = find_triples(groups, np.full(4, 1 / 3), NONE, 4)
    assert len(find_triples(groups, np.full(4, 1 / 3), once, 4)) == 0


@settings(max_examples=200)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_sizes_that_need_no_pricing_never_gain(seed, k):
    """Prices at which no group of k gains: does a larger one?"""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(8, 2))
    file = file_of(X, k)
    triples = np.array(list(combinations(range(8), 3)), dtype=np.int32)[rng.permutation(56)[:6]]
    prices = Prices(4 * file.safe, triples, rng.uniform(0, 2) * rng.uniform(size=6) * file.safe.mean())
    groups = np.array(list(combinations(range(8), k)), dtype=np.int32)
    for number, gain in enumerate(losses(file, prices, groups)):  # who gains pays less, one by one
        del gain
        least = losses(file, prices, groups[number : number + 1])[0]
        if least < 0:
            prices.records[groups[number, 0]] += least
    for size in range(k + 1, min(2 * k, 9)):
        if not needs_pricing(prices.triples, prices.fees, file.safe, k, size):
            larger = np.array(list(combinations(range(8), size)), dtype=np.int32)
            assert losses(file, prices, larger).min() > -1e-12


def test_without_fees_only_groups_of_k_need_pricing():
    assert not any(needs_pricing(NONE, np.empty(0), np.ones(9), 5, size) for size in range(6, 10))
    assert needs_pricing(np.array([[0, 1, 2]]), np.array([1e9]), np.ones(9), 5, 6)


@pytest.mark.parametrize("k", [2, 3, 5, 7])
def test_no_shares_break_no_threes(k):
    assert find_triples(np.arange(k, dtype=np.int32)[None], np.ones(1), NONE, 2 * k).shape == (0, 3)
