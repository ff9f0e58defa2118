"""scale="robust": distances of coordinates are Mahalanobis distances, and outliers do not stretch them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table, microaggregate
from shoal.encode.robust_covariance import robust_covariance
from shoal.masking import group_records
from shoal.masking.microaggregation.robust_geometry import robust_coordinates


def skew(seed, n=300):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 3 * x + 0.1 * rng.normal(size=n)
    y[:5] = 1e6
    return as_table({"x": x, "y": y}, roles={"quasi": ["x", "y"]})


def test_distances_are_those_of_mahalanobis():
    table = skew(1)
    X = np.column_stack([table.column("x"), table.column("y")])
    unit = np.abs(X).max(axis=0)
    _, C = robust_covariance(X / unit)
    found = robust_coordinates(table, ["x", "y"])
    Y = np.column_stack([found.column("x"), found.column("y")])
    for a, b in ((9, 30), (0, 40), (100, 200)):
        gap = (X[a] - X[b]) / unit
        assert np.sum((Y[a] - Y[b]) ** 2) == pytest.approx(gap @ np.linalg.solve(C, gap), rel=1e-4)


def test_outliers_do_not_hide_the_others():
    table = skew(2)
    plain, robust = (group_records(table, k=5, scale=scale) for scale in ("zscore", "robust"))
    x, y = table.column("x")[5:], table.column("y")[5:]
    off = y - 3 * x  # the small direction, which five outliers hide in standard deviations

    def inside(labels):
        return np.mean([off[labels[5:] == g].var() for g in np.unique(labels[5:])])

    assert inside(robust) < 0.7 * inside(plain)


def test_gaps_names_and_constants_take_part_and_k_holds():
    rng = np.random.default_rng(3)
    pay = rng.normal(size=80)
    pay[::7] = np.nan
    columns = {
        "pay": pay,
        "age": rng.normal(size=80),
        "one": [4.0] * 80,
        "sex": rng.choice(["f", "m"], 80).tolist(),
    }
    table = as_table(columns, roles={"quasi": list(columns)}, kinds={"one": "numeric"})
    masked = microaggregate(table, k=4, scale="robust")
    rows = masked.frame.rows()
    assert min(rows.count(row) for row in rows) >= 4
    with pytest.raises(InvalidInput, match="Did you mean 'robust'"):
        microaggregate(table, k=4, scale="robus")
