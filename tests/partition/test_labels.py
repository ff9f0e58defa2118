from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import oracles
from shoal.partition import labels as facts

LABELS = arrays(np.intp, st.integers(1, 30), elements=st.integers(0, 6))


@given(LABELS)
def test_relabel_keeps_groups_and_names_them_by_first_appearance(labels):
    new = facts.relabel(labels)
    np.testing.assert_array_equal(labels[:, None] == labels, new[:, None] == new)
    assert list(dict.fromkeys(new.tolist())) == list(range(new.max() + 1))


@given(LABELS, st.sampled_from([0.0, 1e9]))
def test_sse_agrees_with_exact_summation(labels, offset):
    labels = facts.relabel(labels)
    X = np.random.default_rng(len(labels)).normal(size=(len(labels), 2)) + offset
    np.testing.assert_allclose(facts.sse(X, labels), oracles.sse(X, labels), rtol=1e-6, atol=1e-9)


@given(LABELS)
def test_members_are_the_rows_of_each_group(labels):
    labels = facts.relabel(labels)
    for group, rows in enumerate(facts.members(labels)):
        np.testing.assert_array_equal(rows, np.flatnonzero(labels == group))
