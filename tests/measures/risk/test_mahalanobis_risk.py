"""Whole records close to their masked ones: by hand, and against what every plain word of it says."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import mahalanobis_risk


def slow_share(x, y, halves):
    """One column, record by record: the change against the distance from the median."""
    middle = sorted(x)[len(x) // 2] if len(x) % 2 else sum(sorted(x)[len(x) // 2 - 1 : len(x) // 2 + 1]) / 2
    hits = [abs(b - a) <= half / 100 * abs(a - middle) for half in halves for a, b in zip(x, y, strict=True)]
    return 100 * sum(hits) / len(hits)


@pytest.mark.parametrize("seed", range(20))
def test_one_column_by_plain_python(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=int(rng.integers(3, 30))).tolist()
    y = [a + 0.1 * rng.normal() for a in x]
    halves = [5.0, 20.0]
    found = mahalanobis_risk(as_table({"a": x}), as_table({"a": y}), widths=halves)
    assert found == pytest.approx(slow_share(x, y, halves))


def test_an_outlier_is_found_by_a_change_that_hides_others():
    rng = np.random.default_rng(0)
    X = rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], 200)
    X[0] = [30, -30]
    before = as_table({"a": X[:, 0], "b": X[:, 1]})
    after = as_table({"a": X[:, 0] + 0.5, "b": X[:, 1] - 0.5})
    assert mahalanobis_risk(before, after, widths=5) == pytest.approx(0.5)


def test_a_suppressed_number_hides_its_record_and_a_missing_one_says_nothing():
    before = as_table({"a": [1.0, 2.0, 4.0, None], "b": [1.0, 3.0, None, None]})
    after = as_table({"a": [1.0, None, 4.0, 7.0], "b": [1.0, 3.0, 9.0, None]})
    assert mahalanobis_risk(before, after) == pytest.approx(200 / 3)


def test_turning_the_axes_of_both_files_changes_nothing_much():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2)) @ np.array([[3, 0.5], [0, 1]])
    Y = X + rng.normal(0, 0.05, X.shape)
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    plain, turned = (
        mahalanobis_risk(*(as_table({"a": M[:, 0], "b": M[:, 1]}) for M in (A, B)))
        for A, B in ((X, Y), (X @ turn, Y @ turn))
    )
    assert plain == pytest.approx(turned, abs=4)


def test_bad_input_is_one_sentence():
    table = as_table({"a": [1.0, 2.0], "b": [3.0, 3.0]})
    with pytest.raises(InvalidInput, match="empty"):
        mahalanobis_risk(table, table, widths=[])
    with pytest.raises(InvalidInput, match="widths"):
        mahalanobis_risk(table, table, widths=-1)
    with pytest.raises(NotApplicable, match="constant"):
        mahalanobis_risk(table, table, columns=["b"])
    with pytest.raises(NotApplicable):
        mahalanobis_risk(as_table({"a": ["x"]}), as_table({"a": ["x"]}))
