from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import Infeasible, as_table
from shoal.masking.microaggregation.constraints import group_constraint
from shoal.masking.microaggregation.merge_groups import check_satisfiable, merge_groups
from shoal.partition import relabel


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data())
def test_groups_are_merged_until_all_keep_the_promise(data):
    n = data.draw(st.integers(6, 30))
    sick = ["x", "y", "x", "y", *data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))]
    stratum = np.array([0, 0, 1, 1, *data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))])
    labels = relabel(
        stratum * 10 + np.array(data.draw(st.lists(st.integers(0, 4), min_size=n + 4, max_size=n + 4)))
    )
    X = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n + 4, max_size=n + 4)), dtype=float)[:, None]
    constraint = group_constraint(as_table({"s": sick}), l_diversity=2, confidential="s")
    merged = merge_groups(X, labels, stratum, constraint)
    for group in range(merged.max() + 1):
        rows = np.flatnonzero(merged == group)
        assert len({sick[row] for row in rows}) >= 2
        assert len(set(stratum[rows])) == 1
    for group in range(labels.max() + 1):
        assert len(set(merged[labels == group])) == 1, "groups are merged, never split"
    fine = [g for g in range(labels.max() + 1) if len({sick[r] for r in np.flatnonzero(labels == g)}) >= 2]
    if len(fine) == labels.max() + 1:
        assert np.array_equal(merged, relabel(labels))


def test_a_stratum_that_cannot_keep_it_is_refused():
    table = as_table({"s": ["x", "y", "x", "x"]})
    constraint = group_constraint(table, l_diversity=2, confidential="s")
    with pytest.raises(
        Infeasible, match=r"1 of 2 strata break the constraint even as a whole \(the one of row 2"
    ):
        check_satisfiable(np.array([0, 0, 1, 1]), constraint)


@pytest.mark.parametrize("size", [1.0, 1e308, 1.7e308])
def test_numbers_so_large_that_distances_overflow_end_all_the_same(size):
    constraint = group_constraint(as_table({"s": ["x", "x", "y", "y"]}), l_diversity=2, confidential="s")
    X = np.array([[1.0], [-1.0], [-0.9], [1.0]]) * size
    merged = merge_groups(X, np.arange(4), np.zeros(4, dtype=np.intp), constraint)
    assert all(len(set(np.flatnonzero(merged == group) // 2)) == 2 for group in merged)
