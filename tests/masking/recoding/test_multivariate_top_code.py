"""Multivariate top coding: who is inside stays exactly, who is outside lands on the border, by definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from shoal import InvalidInput, NotApplicable, as_table
from shoal.masking import multivariate_top_code
from shoal.masking.recoding.multivariate_top_code import bulk_moments

NAMES = ["pay", "tax", "age"]


def people(seed, n=400, gaps=0.0):
    rng = np.random.default_rng(seed)
    pay = rng.normal(3000, 500, n)
    tax = 0.3 * pay + rng.normal(0, 60, n)
    age = rng.integers(18, 90, n)
    tax[:8] = 3000  # not more than others pay, but far too much for these wages
    pay[:8] = 2000
    columns = {"pay": pay, "tax": tax, "age": age.tolist()}
    if gaps:
        columns["tax"] = np.where(rng.random(n) < gaps, np.nan, tax)
    return as_table(columns, roles={"quasi": NAMES}, kinds={"age": "numeric"})


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_inside_nothing_changes_and_outside_lands_on_the_border(seed, gaps):
    table = people(seed, gaps=gaps)
    masked = multivariate_top_code(table, quantile=0.95)
    moments = bulk_moments(table)
    centre = np.array([moments["centre"][name] for name in NAMES])
    C = np.array([[moments["covariance"][a][b] for b in NAMES] for a in NAMES])
    before, after = (
        np.column_stack([t.column(name) for name in NAMES]).astype(float) for t in (table, masked)
    )
    assert np.array_equal(np.isnan(before), np.isnan(after))
    for old, new in zip(before, after, strict=True):
        own = ~np.isnan(old)
        limit = chi2.ppf(0.95, own.sum())
        inverse = np.linalg.inv(C[np.ix_(own, own)])
        d2 = [float((x[own] - centre[own]) @ inverse @ (x[own] - centre[own])) for x in (old, new)]
        if d2[0] <= limit * (1 - 1e-9):
            assert np.array_equal(old[own], new[own])
        else:
            assert d2[1] == pytest.approx(limit, rel=1e-6)
            assert np.allclose((new - centre)[own] * np.sqrt(d2[0] / limit), (old - centre)[own])


def test_who_is_unusual_only_in_the_combination_is_drawn_back():
    table = people(1)
    masked = multivariate_top_code(table, quantile=0.999, columns=["pay", "tax"])
    tax = masked.column("tax")
    assert (tax[:8] < 1500).all(), "eight odd records do not widen the border"
    assert masked.frame["age"].to_list() == table.frame["age"].to_list()


def test_integers_stay_integers_where_asked():
    masked = multivariate_top_code(people(2), quantile=0.5, round=True)
    assert masked.is_integer("age")
    assert not multivariate_top_code(people(2), quantile=0.5).is_integer("age")


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"quantile": 1.5}, InvalidInput, "`quantile` must be"),
        ({"quantile": 0.9, "moments": {"centre": {"pay": 1}}}, InvalidInput, "moments for column"),
        ({"quantile": 0.9, "columns": ["pay", "flat"]}, NotApplicable, "'flat' has one value only"),
        ({"quantile": 0.9, "columns": ["pay", "town"]}, InvalidInput, "'town'"),
    ],
)
def test_bad_input_is_one_sentence(options, error, sentence):
    table = people(1)
    more = {"flat": [1.0] * len(table), "town": ["a"] * len(table)}
    columns = {name: table.cells(name).tolist() for name in NAMES} | more
    table = as_table(columns, roles={"quasi": NAMES}, kinds={"age": "numeric"})
    with pytest.raises((error, NotApplicable), match=sentence):
        multivariate_top_code(table, **options)
