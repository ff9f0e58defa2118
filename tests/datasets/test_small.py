"""The printed files: their values are settled by the sums of squares that papers report for them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.datasets import load_points, load_sme
from shoal.partition import mdav, relabel, sse


def standardised(table, ddof):
    X = np.column_stack([table.column(name) for name in table.names(role="quasi")])
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=ddof)


def test_sme_shape_and_roles():
    table = load_sme()
    assert isinstance(table.frame, pl.DataFrame)
    assert table.frame.shape == (11, 5)
    assert table.names(role="identifier") == ["company"]
    assert table.names(role="quasi") == ["surface", "employees", "turnover", "net_profit"]
    assert set(table.names(kind="numeric")) == set(table.names(role="quasi"))
    assert table.frame["company"].is_unique().all()
    assert sum(table.missing().values()) == 0


def test_sme_mdav_leaves_the_published_sum_of_squares():
    X = standardised(load_sme(), ddof=0)
    assert sse(X, mdav(X, 3)) == pytest.approx(18.292, abs=5e-4)


def test_sme_optimum_is_the_published_one():
    X = standardised(load_sme(), ddof=0)
    best, value = best_partition(X, 3)
    assert value == pytest.approx(14.827, abs=5e-4)
    published = np.empty(11, dtype=np.intp)
    for group, members in enumerate([(1, 2, 3), (4, 5, 6, 9, 11), (7, 8, 10)]):
        published[np.array(members) - 1] = group
    np.testing.assert_array_equal(relabel(best), relabel(published))


def test_points_shape_and_sum_of_squares():
    table = load_points()
    assert table.frame.shape == (19, 2)
    assert table.names(role="quasi") == ["Var1", "Var2"]
    assert table.frame.row(4) == (2, 12)
    X = standardised(table, ddof=1)
    assert sse(X, mdav(X, 4)) == pytest.approx(8.2036, abs=5e-5)


def best_partition(X, k):
    """Oracle: try every partition of a tiny file into groups of k to 2k-1 records."""
    n = len(X)
    found = (np.zeros(n, dtype=np.intp), np.inf)

    def extend(labels, group, value):
        nonlocal found
        free = np.flatnonzero(labels < 0)
        if value >= found[1]:
            return
        if not len(free):
            found = (labels.copy(), value)
            return
        for members in _groups_with_first(free, k):
            labels[members] = group
            centred = X[members] - X[members].mean(axis=0)
            extend(labels, group + 1, value + (centred**2).sum())
            labels[members] = -1

    extend(np.full(n, -1, dtype=np.intp), 0, 0.0)
    return found


def _groups_with_first(free, k):
    from itertools import combinations

    for size in range(k, min(2 * k, len(free) + 1)):
        if len(free) - size == 0 or len(free) - size >= k:
            for rest in combinations(free[1:], size - 1):
                yield np.array([free[0], *rest])
