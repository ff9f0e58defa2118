from __future__ import annotations

import sys
import time
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, NotApplicable
from shoal._kernels.spatial import exact_neighbours as neighbours
from shoal.errors import TimeWarning
from shoal.partition import exhaustive, local_search, lower_bound, mdav, sse
from shoal.partition._bound.pricing import Effort, OutOfTime, Prices, costs_of, price_all, without_fees
from shoal.partition._shared.prepare import prepare
from shoal.partition.lower_bound import ascents, file_of

room = sys.modules["shoal.partition.lower_bound"]


def random_file(seed: int, k: int, d: int, kind: str) -> np.ndarray:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 15))
    if kind == "ties":
        return rng.integers(0, 3, (n, d)).astype(float)
    if kind == "outliers":
        return rng.standard_t(1.5, size=(n, d))
    return rng.normal(size=(n, d)) + (1e6 if kind == "offset" else 0.0)


def without_filling(groups: np.ndarray) -> list[np.ndarray]:
    return [rows[rows >= 0] for rows in groups]


@settings(max_examples=200)
@given(
    st.integers(0, 10_000),
    st.integers(2, 5),
    st.integers(1, 3),
    st.sampled_from(["plain", "ties", "outliers", "offset"]),
)
def test_never_above_the_optimum(seed, k, d, kind):
    X = random_file(seed, k, d, kind)
    optimum = sse(X, exhaustive(X, k))
    neighbours = lower_bound(X, k)
    columns = lower_bound(X, k, method="columns", seconds=0.05)
    assert 0 <= neighbours <= columns <= optimum


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_never_above_the_optimum_with_time_to_converge(seed, k):
    X = random_file(seed, k, 2, "outliers")
    assert lower_bound(X, k, method="columns", seconds=2) <= sse(X, exhaustive(X, k))


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans(), st.booleans())
def test_prices_are_valid_however_little_is_looked_at(seed, k, ties, hasty):
    """Against all groups of k: whoever owns a group that gains pays so much less that it gains no more."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (10, 2)).astype(float) if ties else rng.normal(size=(10, 2))
    X, k = prepare(X, k)
    file = file_of(X, k)
    prices = file.safe * rng.uniform(0.5, 3.0, len(X)) + rng.normal(size=len(X)) * 0.01
    priced = price_all(file, without_fees(prices), Effort(4, 1) if hasty else Effort(10, 10**6))
    for size in range(k, 2 * k):
        for rows in map(list, combinations(range(len(X)), size)):
            spread = ((X[rows] - X[rows].mean(axis=0)) ** 2).sum()
            assert priced.lowered.records[rows].sum() <= spread + 1e-12
    for rows in without_filling(priced.groups):
        assert ((X[rows] - X[rows].mean(axis=0)) ** 2).sum() < prices[rows].sum()


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans(), st.floats(0.01, 3))
def test_fees_of_threes_are_paid(seed, k, hasty, dear):
    """Against all groups of k to 2k-1: none pays more than it costs, whether its size was priced or not."""
    rng = np.random.default_rng(seed)
    X, k = prepare(rng.normal(size=(9, 2)), k)
    file = file_of(X, k)
    triples = np.array(list(combinations(range(9), 3)), dtype=np.int32)
    triples = rng.permutation(triples)[: rng.integers(1, 15)]
    fees = dear * rng.uniform(0, 2, len(triples)) * file.safe.mean()
    prices = Prices(file.safe * rng.uniform(0.5, 4.0, len(X)), triples, fees)
    priced = price_all(file, prices, Effort(3, 1) if hasty else Effort(9, 10**6))
    assert priced.bound == pytest.approx(priced.lowered.records.sum() - fees.sum())

    def paid(records, rows):
        return records[rows].sum() - fees[np.isin(triples, rows).sum(axis=1) >= 2].sum()

    for size in range(k, min(2 * k, 10)):
        for rows in map(list, combinations(range(len(X)), size)):
            assert paid(priced.lowered.records, rows) <= costs_of(X, np.array([rows]))[0] + 1e-12
    for rows in without_filling(priced.groups):
        assert costs_of(X, rows[None])[0] < paid(prices.records, rows)


def test_threes_prove_what_shares_of_groups_cannot():
    """Four near records make one group; shares of their four threes would be cheaper."""
    centres = np.arange(12)[:, None] * 1000.0
    X = np.repeat(centres, 4, axis=0) + np.random.default_rng(0).normal(size=(48, 3))
    loss = sse(X, np.repeat(np.arange(12), 4))
    assert lower_bound(X, 3, method="columns", seconds=20) > 0.9995 * loss


def test_the_cheapest_group_is_found():
    X, k = prepare(np.random.default_rng(1).normal(size=(12, 2)), 3)
    file = file_of(X, k)
    prices = 2 * file.safe
    priced = price_all(file, without_fees(prices), Effort(12, 10**6))
    gains = {
        rows: ((X[list(rows)] - X[list(rows)].mean(axis=0)) ** 2).sum() - prices[list(rows)].sum()
        for rows in combinations(range(12), 3)
    }
    assert tuple(sorted(min(gains, key=gains.get))) in {
        tuple(sorted(rows.tolist())) for rows in without_filling(priced.groups)
    }
    assert priced.open == 0


def test_columns_are_much_closer_than_neighbours():
    X = np.random.default_rng(3).normal(size=(150, 3))
    loss = sse(X, local_search(X, 3))
    neighbours, columns = lower_bound(X, 3), lower_bound(X, 3, method="columns", seconds=20)
    assert columns > 0.9 * loss > 1.1 * neighbours


def test_well_separated_groups_are_proven_optimal():
    centres = np.arange(60)[:, None] * 100.0
    X = np.repeat(centres, 4, axis=0) + np.random.default_rng(0).normal(size=(240, 2))
    assert lower_bound(X, 4, method="columns", seconds=20) > 0.9999 * sse(X, mdav(X, 4))


@pytest.mark.parametrize("factor", [1e-150, 1e-3, 1e150])
def test_the_scale_of_the_file_does_not_matter(factor):
    X = np.random.default_rng(4).normal(size=(30, 2))
    assert lower_bound(X * factor, 3) == pytest.approx(lower_bound(X, 3) * factor * factor, rel=1e-8)


def test_bounds_only_grow_and_can_be_stopped():
    X = np.random.default_rng(5).normal(size=(60, 2))
    seen = []
    assert (
        lower_bound(X, 3, method="columns", callback=lambda p: seen.append(p.best) or len(seen) == 5)
        == seen[-1]
    )
    assert len(seen) == 5
    assert seen == sorted(seen)


def test_no_time_is_no_error():
    X = np.random.default_rng(6).normal(size=(60, 2))
    assert lower_bound(X, 3, method="columns", seconds=0) >= lower_bound(X, 3)


def test_fewer_than_two_groups_is_the_whole_spread():
    X = np.random.default_rng(7).normal(size=(5, 2))
    assert lower_bound(X, 3) == pytest.approx(sse(X, np.zeros(5, dtype=int)))


def test_wrong_options_are_one_sentence():
    X = np.random.default_rng(8).normal(size=(9, 2))
    with pytest.raises(InvalidInput, match="`method` must be one of 'neighbours', 'columns'"):
        lower_bound(X, 3, method="column")
    with pytest.raises(InvalidInput, match="`seconds` must be a number at least 0"):
        lower_bound(X, 3, seconds=-1)
    with pytest.raises(InvalidInput, match="`k` must be an integer from 2 to 9"):
        lower_bound(X, 1)
    with pytest.raises(NotApplicable, match="at most 20000, got 20001"):
        next(ascents(np.zeros((20_001, 1)), 3, (), time.monotonic()))


def test_the_clock_stops_an_owner_who_would_take_for_ever():
    X = np.random.default_rng(0).normal(size=(300, 8))
    file = file_of(X, 20)
    prices = without_fees(1.5 * file.safe)
    with pytest.raises(OutOfTime):
        price_all(file, prices, Effort(200, 10**12), time.monotonic() + 0.5)


def test_records_not_reached_in_time_are_free_and_told(monkeypatch):
    X = np.random.default_rng(8).normal(size=(300, 2))
    monkeypatch.setattr(room, "MOST_RECORDS", 100)
    with pytest.warns(TimeWarning, match="lower_bound had time for 0 % of the records"):
        assert lower_bound(X, 3, seconds=0) == 0
    monkeypatch.setattr(neighbours, "POINTS_PER_LOOK", 100)
    clock = iter([0.0, 2.0, 2.0, 2.0])
    monkeypatch.setattr(neighbours, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(neighbours, "useful_threads", lambda numbers: 1)
    part, reached = room.neighbour_bound(X, 3, 1.0)
    assert reached == pytest.approx(0.25)  # one of four shares
    monkeypatch.undo()
    whole, reached = room.neighbour_bound(X, 3, 1.0)
    assert reached == 1
    assert 0 < part < 0.6 * whole
