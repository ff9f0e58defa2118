"""SUDA against a slow, obvious version and the published table of the practice guide."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import MANY, files, guide
from shoal import InvalidInput, as_table
from shoal.measures import (
    sample_uniques,
    suda2,
    suda_scores,
)


def test_scores_of_the_practice_guide():
    scores = suda_scores(guide(), max_size=3)
    assert scores["score"].to_list() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert scores["msus"][4] == 4
    assert scores["smallest"].to_list() == [0, 0, 1, 0, 1, 0, 1, 1, 0, 0]
    assert sample_uniques(guide()).tolist() == [2, 4, 6, 7]
    assert suda2(guide(), guide()) == 40


def test_dis_scores_spread_the_risk_of_the_file():
    """Skinner and Elliot: 0.01 * 4 / (0.01 * 4 + 0.99 * 6), the harmonic mean over the four uniques."""
    scores = suda_scores(guide(), fraction=0.01)
    alone = scores["dis"].to_numpy()[sample_uniques(guide())]
    theta = 0.04 / (0.04 + 0.99 * 6)
    assert 1 / (1 / alone).mean() == pytest.approx(theta)
    assert scores["dis"][4] > scores["dis"][2] > scores["dis"][0] == 0


@pytest.mark.parametrize("fraction", [0.0, 0.01, 0.5, 1.0])
def test_dis_scores_are_chances_and_all_certain_where_nobody_is_in_a_pair(fraction):
    rng = np.random.default_rng(1)
    for seed in range(20):
        columns = {f"c{j}": rng.integers(0, 3 + seed % 4, 25) for j in range(4)}
        scores = suda_scores(as_table(columns), fraction=fraction)
        dis = scores["dis"].to_numpy()
        alone = sample_uniques(as_table(columns, roles={"quasi": list(columns)}))
        assert ((dis >= 0) & (dis <= 1)).all()
        assert fraction == 0 or set(np.flatnonzero(dis)) == set(alone)
    different = as_table({"a": [1, 2, 3, 4], "b": [1, 1, 2, 2]})
    assert suda_scores(different, fraction=fraction)["dis"].to_list() == [1.0 if fraction else 0.0] * 4


@pytest.mark.slow
def test_sizes_are_limited_only_where_counting_would_take_minutes():
    wide = as_table({f"c{j}": np.arange(20) % (2 + j % 5) for j in range(20)})
    assert suda_scores(wide)["smallest"].max() <= 5
    guided = suda_scores(guide())
    assert guided.equals(suda_scores(guide(), max_size=4))


@pytest.mark.slow
@MANY
@given(pair=files(kinds=("ordinal", "nominal"), most=12, columns=4), size=st.integers(1, 5))
def test_minimal_uniques_agree_with_the_slow_version(pair, size):
    original, masked = pair
    d = len(masked.names())
    found = slow.minimal_uniques(masked, masked.names(), min(size, d))
    scores = suda_scores(masked, max_size=size)
    assert scores["msus"].to_list() == [len(found[row]) for row in range(len(masked))]
    assert scores["smallest"].to_list() == [
        min((len(s) for s in found[row]), default=0) for row in range(len(masked))
    ]
    last = min(size, d - 1)
    expected = [
        sum(prod(d - i for i in range(len(s), last + 1)) for s in found[row]) for row in range(len(masked))
    ]
    assert scores["score"].to_list() == expected
    assert suda2(original, masked, max_size=size) == pytest.approx(
        100 * np.mean([bool(s) for s in found.values()])
    )


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_sizes_must_be_whole(size):
    with pytest.raises(InvalidInput, match="max_size"):
        suda_scores(guide(), max_size=size)
