"""Pairs of columns against numpy and scipy on random files."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats.contingency import association

from shoal import as_table
from shoal.measures import pair_changes


@pytest.mark.parametrize("seed", range(20))
def test_correlations_and_associations_by_definition(seed):
    rng = np.random.default_rng(seed)
    n = 60
    columns = {
        "x": rng.normal(size=n),
        "y": rng.integers(0, 5, n).astype(float),
        "a": rng.choice(["p", "q", "r"], n),
        "b": rng.choice(["u", "v"], n),
    }
    columns["y"][rng.random(n) < 0.1] = np.nan
    order = rng.permutation(n)
    masked = {**columns, "x": columns["x"][order], "a": columns["a"][order]}
    found = {(pair.one, pair.other): pair for pair in pair_changes(as_table(columns), as_table(masked))}
    assert set(found) == {("x", "y"), ("a", "b")}
    for file, side in ((columns, "before"), (masked, "after")):
        both = np.isfinite(file["y"])
        assert getattr(found["x", "y"], side) == pytest.approx(
            np.corrcoef(file["x"][both], file["y"][both])[0, 1]
        )
        table = [[int(((file["a"] == a) & (file["b"] == b)).sum()) for b in "uv"] for a in "pqr"]
        assert getattr(found["a", "b"], side) == pytest.approx(association(table, method="cramer"))


def test_most_changed_first_and_what_has_no_spread_is_left_out():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    before = {"x": x, "y": x, "z": x + rng.normal(size=50), "c": [1.0] * 50, "t": ["a"] * 50}
    after = {**before, "y": rng.permutation(x)}
    found = pair_changes(before, after)
    assert [pair.change for pair in found] == sorted((pair.change for pair in found), reverse=True)
    assert {found[0].one, found[0].other} == {"x", "y"}
    assert not {"c", "t"} & {name for pair in found for name in (pair.one, pair.other)}


def test_ranges_and_sets_are_read():
    before = {
        "age": [20, 24, 40, 44] * 10,
        "pay": [1.0, 2.0, 3.0, 4.0] * 10,
        "s": list("abcd") * 10,
        "t": list("uuvv") * 10,
    }
    after = {
        **before,
        "age": ["[20, 24]", "[20, 24]", "[40, 44]", "[40, 44]"] * 10,
        "s": ["{a, b}", "{a, b}", "c", "d"] * 10,
    }
    found = {(pair.one, pair.other): pair for pair in pair_changes(before, after)}
    assert found["age", "pay"].after == pytest.approx(np.corrcoef([22, 22, 42, 42], [1, 2, 3, 4])[0, 1])
    assert found["s", "t"].after == pytest.approx(1.0)
