"""Rows that do not correspond are said; files that maskers made are not doubted."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal import as_table, evaluate, microaggregate
from shoal.errors import InvalidInput
from shoal.hierarchy import with_hierarchies
from shoal.masking import frequency_matrix, global_recode, mondrian, pram, suppress_to_k
from shoal.measures.attack.panel import attack
from shoal.measures.row_order import row_doubts

KEYS = ["age", "sex", "town"]
MASKERS = {
    "centres": lambda table: microaggregate(table, k=3),
    "regions": lambda table: mondrian(table, k=5),
    "gaps": lambda table: suppress_to_k(table, k=3),
    "labels": lambda table: global_recode(table, levels={"age": 2, "town": 1}),
    "chance": lambda table: pram(
        table, matrices=partial(frequency_matrix, p=0.6), columns=["sex", "town"], rng=1
    ),
}


def people(seed, n=200):
    """Ages and two columns of names; no column that masking leaves as it is."""
    rng = np.random.default_rng(seed)
    table = as_table(
        {
            "age": rng.integers(18, 80, n).tolist(),
            "sex": rng.choice(["f", "m", None], n, p=[0.5, 0.45, 0.05]).tolist(),
            "town": rng.choice(["a1", "a2", "b1", "b2", "b3"], n).tolist(),
        },
        roles={"quasi": KEYS},
    )
    return with_hierarchies(table, {"age": {"widths": [5, 10]}, "town": {"prefixes": [1]}})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mask", MASKERS.values(), ids=MASKERS)
def test_masked_rows_are_trusted_and_shuffled_ones_are_not(mask, seed):
    table = people(seed)
    masked = mask(table)
    assert row_doubts(table, masked, KEYS) == []
    turned = masked.take(np.random.default_rng(seed).permutation(len(table)))
    (doubt,) = row_doubts(table, turned, KEYS)
    assert "row by row" in doubt


def test_names_alone_are_enough_to_see_it():
    """Nothing numeric: the case in which every figure was wrong without a word."""
    table = people(0).select(["sex", "town"])
    turned = table.take(np.random.default_rng(0).permutation(len(table)))
    assert evaluate(table, turned, rows="checked").score is None
    with pytest.raises(InvalidInput, match="say which row is which"):
        attack(table, turned, rows="checked")
    assert attack(table, turned, intruders=[]).warnings


def test_cells_that_say_nothing_are_no_sign():
    table = people(0)
    gone = table.assign(**{name: [None] * len(table) for name in KEYS})
    assert row_doubts(table, gone, KEYS) == []


@pytest.mark.parametrize("seed", range(20))
def test_files_by_chance_are_doubted(seed):
    """Two files that have nothing to do with each other, at most one in twenty taken for related."""
    assert row_doubts(people(seed), people(100 + seed), KEYS)
