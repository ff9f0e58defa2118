"""Distance linkage against all pairs, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import files
from shoal import NotApplicable, as_table
from shoal.hierarchy import hierarchy_from_rows, with_hierarchies
from shoal.measures import cover_linkage, distance_linkage_risk
from shoal.measures.risk.distance_linkage_risk import told_by_covers

TIES = ("expected", "strict", "optimistic")


@pytest.mark.slow
@settings(max_examples=150)
@given(pair=files(most=12))
def test_distance_linkage_agrees_with_all_pairs(pair):
    if not any(v is not None for n in pair[0].names() for v in slow.cells(pair[0], n)):
        with pytest.raises(NotApplicable):
            distance_linkage_risk(*pair)
        return
    if told_by_covers(*pair, pair[0].names()):  # see test_cover_linkage
        assert distance_linkage_risk(*pair) == cover_linkage(*pair).percent
        return
    distances = slow.squared_distances(*pair)
    for ties in TIES:
        assert distance_linkage_risk(*pair, ties=ties) == pytest.approx(slow.linked(distances, ties))


@pytest.mark.slow
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
    assume(not told_by_covers(before, after, before.names()))  # names that are new are taken for labels
    if nominal:
        squared = (X[:, None] != Y).sum(axis=2).astype(float)
    else:
        sd = np.where(np.ptp(X, axis=0) > 0, X.std(axis=0, ddof=1), np.inf)
        moved = np.where(np.ptp(X, axis=0) > 0, 0.0, X[0] != Y)
        squared = (((X[:, None] - Y) / sd) ** 2).sum(axis=2) + moved.sum(axis=1)
    for ties in TIES:
        assert distance_linkage_risk(before, after, ties=ties) == pytest.approx(slow.linked(squared, ties))


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
