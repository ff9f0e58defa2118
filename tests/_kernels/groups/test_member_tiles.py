"""Groups measured at once: the same sums as one by one, to the last bit, and the right members."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from shoal._kernels.groups.groups import groups_of
from shoal._kernels.groups.member_tiles import (
    LANES,
    exchange,
    hand_over,
    measure_group,
    member_tiles,
    spreads,
    squares_from,
)


@numba.njit
def at_once(tiles, g, size, means, h, squares):
    squares_from(tiles, g, size, means, h, squares, 1)


@pytest.mark.parametrize("size", [1, 3, LANES - 1, LANES, LANES + 1, 3 * LANES])
@pytest.mark.parametrize("d", [1, 2, 10, 33])
def test_lanes_add_as_plain_code_does(size, d):
    rng = np.random.default_rng(size)
    tiles, means = rng.normal(size=(3, 3, d, LANES)) * 10.0 ** rng.integers(-9, 9), rng.normal(size=(4, d))
    squares = np.full((2, 3 * LANES), np.nan)
    at_once(tiles, 2, size, means, 1, squares)
    for p in range(size):
        total = 0.0
        for c in range(d):
            difference = tiles[2, p // LANES, c, p % LANES] - means[1, c]
            total += difference * difference
        assert squares[1, p] == total
    assert np.isnan(squares[0]).all()


@numba.njit
def wander(groups, tiles, pairs, places):
    for (a, b), (p, q) in zip(pairs, places):  # noqa: B905 - numba knows no `strict`
        if a != b and p < groups.sizes[a] and q < groups.sizes[b]:
            exchange(groups, tiles, a, p, b, q)
        elif a != b and 1 <= p < groups.sizes[a] and groups.sizes[b] < groups.members.shape[1]:
            hand_over(groups, tiles, a, p, b)
        measure_group(groups, tiles, a)
        measure_group(groups, tiles, b)


def test_members_stay_beside_their_groups():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    groups = groups_of(X, np.repeat(np.arange(8), 5), 5)
    tiles = member_tiles(groups)
    wander(groups, tiles, rng.integers(0, 8, (500, 2)), rng.integers(0, 8, (500, 2)))
    assert len(set(groups.sizes)) > 1
    for g in range(8):
        rows = groups.members[g, : groups.sizes[g]]
        assert (groups.labels[rows] == g).all()
        np.testing.assert_array_equal(groups.place[rows], np.arange(len(rows)))
        members = tiles.values[g].transpose(0, 2, 1).reshape(-1, 3)[: len(rows)]
        np.testing.assert_array_equal(members, X[rows])
        own = ((X[rows] - groups.means[g]) ** 2).sum(axis=1)
        np.testing.assert_allclose(tiles.own[g, : len(rows)], own, rtol=1e-12)
        np.testing.assert_allclose(spreads(groups, tiles)[g], own.mean(), rtol=1e-12)
        np.testing.assert_allclose(groups.means[g], X[rows].mean(axis=0), atol=1e-12)
