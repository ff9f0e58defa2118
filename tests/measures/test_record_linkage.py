"""Distance and probabilistic linkage against all pairs, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.hierarchy import hierarchy_from_rows, with_hierarchies
from shoal.measures import distance_linkage_risk, linkage_weights, probabilistic_linkage_risk
from shoal.measures.risk.probabilistic_linkage_risk import agreement_patterns, fit_weights

TIES = ("expected", "strict", "optimistic")
BOTH = (distance_linkage_risk, probabilistic_linkage_risk)


@settings(max_examples=150)
@given(pair=files(most=12))
def test_distance_linkage_agrees_with_all_pairs(pair):
    if not any(v is not None for n in pair[0].names() for v in slow.cells(pair[0], n)):
        with pytest.raises(NotApplicable):
            distance_linkage_risk(*pair)
        return
    distances = slow.squared_distances(*pair)
    for ties in TIES:
        assert distance_linkage_risk(*pair, ties=ties) == pytest.approx(slow.linked(distances, ties))


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 400),
    d=st.integers(1, 5),
    grid=st.sampled_from([1, 3, 10, 1000]),
    offset=st.sampled_from([0.0, 1e9]),
    nominal=st.booleans(),
)
def test_distance_linkage_agrees_with_all_pairs_on_larger_files(seed, n, d, grid, offset, nominal):
    """Past the size of a leaf of the tree, on grids where ties abound."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, grid + 1, (n, d)) + offset
    Y = np.where(rng.random((n, d)) < 0.5, X, rng.integers(0, grid + 1, (n, d)) + offset)
    before = as_table({f"c{j}": X[:, j].astype(str if nominal else float) for j in range(d)})
    after = as_table({f"c{j}": Y[:, j].astype(str if nominal else float) for j in range(d)})
    if nominal:
        squared = (X[:, None] != Y).sum(axis=2).astype(float)
    else:
        sd = np.where(np.ptp(X, axis=0) > 0, X.std(axis=0, ddof=1), np.inf)
        moved = np.where(np.ptp(X, axis=0) > 0, 0.0, X[0] != Y)
        squared = (((X[:, None] - Y) / sd) ** 2).sum(axis=2) + moved.sum(axis=1)
    for ties in TIES:
        assert distance_linkage_risk(before, after, ties=ties) == pytest.approx(slow.linked(squared, ties))


@settings(max_examples=100)
@given(pair=files(most=12, columns=3))
def test_probabilistic_linkage_agrees_with_all_pairs(pair):
    A, B = slow.agreement_rows(*pair)
    weight = linkage_weights(*pair)["weight"].to_list()
    for ties in TIES:
        expected = slow.linked(slow.weighed_distances(A, B, weight), ties)
        assert probabilistic_linkage_risk(*pair, ties=ties) == pytest.approx(expected)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), n=st.integers(30, 60), d=st.integers(3, 5), keep=st.floats(0.7, 0.95))
def test_probabilities_are_a_fixed_point_of_expectation_and_maximisation(seed, n, d, keep):
    rng = np.random.default_rng(seed)
    A = rng.integers(0, 6, (n, d))
    B = np.where(rng.random((n, d)) < keep, A, rng.integers(0, 6, (n, d)))
    fit = fit_weights(A, B)
    m, u = slow.em_step(A.tolist(), B.tolist(), fit.m, fit.u)
    assert fit.m == pytest.approx(np.array(m), abs=1e-4)
    assert fit.u == pytest.approx(np.array(u), abs=1e-4)
    expected = np.log(fit.m / fit.u) - np.log((1 - fit.m) / (1 - fit.u))
    assert fit.weight == pytest.approx(np.where(expected > 1e-6, expected, 0.0))


@settings(max_examples=100)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 60),
    d=st.integers(1, 7),
    count=st.integers(1, 9),
    keep=st.floats(0, 1),
)
def test_agreement_patterns_are_those_of_all_pairs(seed, n, d, count, keep):
    rng = np.random.default_rng(seed)
    A = rng.integers(0, count, (n, d))
    B = np.where(rng.random((n, d)) < keep, A, rng.integers(0, count, (n, d)))
    expected = slow.agreement_patterns(A.tolist(), B.tolist())
    found = agreement_patterns(A, B)
    assert found.sum() == n * n
    for pattern, pairs in enumerate(found.tolist()):
        assert pairs == expected[tuple(pattern >> j & 1 for j in range(d))]


def test_weights_find_the_truth_of_a_known_model():
    rng = np.random.default_rng(3)
    n, m = 2000, np.array([0.95, 0.8, 0.9, 0.7])
    A = rng.integers(0, 20, (n, 4))
    B = np.where(rng.random((n, 4)) < m, A, rng.integers(0, 20, (n, 4)))
    fit = fit_weights(A, B)
    assert fit.m == pytest.approx(m + (1 - m) / 20, abs=0.03)
    assert fit.u == pytest.approx(1 / 20, abs=0.01)
    assert (fit.weight > 0).all()


def test_weights_are_shown_per_column():
    table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "b", "a", "b"]})
    assert linkage_weights(table, table).columns == ["column", "m", "u", "weight"]


@pytest.mark.parametrize("measure", BOTH)
def test_ties_share_a_hit(measure):
    table = as_table({"a": ["x", "x", "y", "z"]})
    assert measure(table, table) == 75
    assert measure(table, table, ties="strict") == 50
    assert measure(table, table, ties="optimistic") == 100


@pytest.mark.parametrize("measure", BOTH)
def test_knowing_less_finds_less_and_sets_are_averaged(measure):
    table = as_table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    assert measure(table, table) == 100
    assert measure(table, table, known=["a"]) == measure(table, table, known="a") == 50
    assert measure(table, table, known=[["a"], ["a", "b"]]) == 75


@pytest.mark.parametrize("measure", BOTH)
def test_wrong_knowledge_and_ties_are_refused(measure):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="known"):
        measure(table, table, known=[])
    with pytest.raises(InvalidInput, match="aa"):
        measure(table, table, known=["aa"])
    with pytest.raises(InvalidInput, match="ties"):
        measure(table, table, ties="some")


def test_an_unreadable_column_is_not_applicable():
    before, after = as_table({"age": [21, 34]}), as_table({"age": ["20-29", "30-39"]})
    for measure in BOTH:
        with pytest.raises(NotApplicable, match="age"):
            measure(before, after)


def test_generalised_names_are_still_found_through_the_hierarchy():
    towns = hierarchy_from_rows([["Nice", "Gaul", "*"], ["Lyon", "Gaul", "*"], ["Rome", "Italy", "*"]])
    before = with_hierarchies(as_table({"town": ["Nice", "Lyon", "Rome"]}), {"town": towns})
    after = before.assign(town=["Gaul", "Gaul", "Italy"])
    assert distance_linkage_risk(before, after) == pytest.approx(100 * 2 / 3)


def test_huge_offsets_do_no_harm():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    Y = X + 0.3 * rng.normal(size=X.shape)
    plain, moved = ([as_table(dict(zip("abc", (M + c).T, strict=True))) for M in (X, Y)] for c in (0.0, 1e6))
    assert distance_linkage_risk(*moved) == pytest.approx(distance_linkage_risk(*plain))


def test_too_many_columns_to_weigh_is_said():
    table = as_table({f"c{j}": ["x", "y"] for j in range(21)})
    with pytest.raises(NotApplicable, match="21 columns"):
        probabilistic_linkage_risk(table, table)


@pytest.mark.parametrize("bins", [1, 0, 2.5, True])
def test_wrong_bins_are_refused(bins):
    table = as_table({"a": [1.0, 2.0]})
    with pytest.raises(InvalidInput, match="bins"):
        probabilistic_linkage_risk(table, table, bins=bins)
