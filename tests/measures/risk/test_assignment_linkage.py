"""Assignment linkage against all permutations."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.coarse_files import coarse_files
from shoal import as_table, microaggregate
from shoal.measures import assignment_linkage, distance_linkage_risk
from shoal.measures._shared.cover_classes import cover_classes
from shoal.measures.risk import assignment_linkage as module


@pytest.mark.slow
@settings(max_examples=100)
@given(pair=coarse_files(ways=("kept", "coarser", "mixed", "changed"), least=2, most=6))
def test_no_permutation_is_cheaper(pair):
    """The links are those of some cheapest permutation of the released records."""
    original, masked = pair
    classes, n = cover_classes(original, masked, original.names()), len(original)
    cost = np.concatenate([part for _, part in module.pair_costs(classes, n)])[:, classes.own]
    totals = {p: cost[np.arange(n), list(p)].sum() for p in permutations(range(n))}
    least = min(totals.values())
    credit = {
        tuple(
            1 / classes.copies[classes.own[i]] if classes.own[p[i]] == classes.own[i] else 0.0
            for i in range(n)
        )
        for p, total in totals.items()
        if total <= least * (1 + 1e-12) + 1e-9
    }
    assert tuple(assignment_linkage(original, masked).chances) in credit


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), noise=st.sampled_from([0.05, 0.3, 1.0]))
def test_the_matching_of_large_files_agrees_where_neighbours_suffice(seed, noise):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    before, after = (
        as_table(dict(zip("abc", M.T, strict=True))) for M in (X, X + noise * rng.normal(size=X.shape))
    )
    classes = cover_classes(before, after, ["a", "b", "c"])
    dense, sparse = module._dense(classes, 60), module._sparse(classes, 60)
    if noise < 1:
        assert dense.tolist() == sparse.tolist()
    assert sorted(sparse) == sorted(classes.own)


def test_a_shift_of_all_does_not_hide_anybody_from_an_assignment():
    before, after = as_table({"pay": [10.0, 20.0, 30.0]}), as_table({"pay": [16.0, 26.0, 36.0]})
    assert distance_linkage_risk(before, after, assignment=True) == 100
    assert distance_linkage_risk(before, after) < 100


@pytest.mark.parametrize("dense", [5_000, 10])
def test_groups_of_k_give_one_in_k_at_most(dense, monkeypatch):
    monkeypatch.setattr(module, "DENSE", dense)
    rng = np.random.default_rng(2)
    table = as_table({"a": rng.normal(size=90), "b": rng.normal(size=90)}, roles={"quasi": ["a", "b"]})
    assert 0 < assignment_linkage(table, microaggregate(table, k=3)).percent <= 100 / 3 + 1e-9
