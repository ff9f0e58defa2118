from __future__ import annotations

import inspect
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, NotApplicable, PrivacyWarning, Recipe, as_table, microaggregate
from shoal.datasets import make_scattered
from shoal.search import GROUPINGS, all_together, correlated_apart, correlated_together, each_alone, hand_made

NAMES = ["a", "b", "c", "d", "e", "f"]


def two_blocks(n=200, seed=1):
    """a, c, e move together, b, d, f do, and the two blocks are independent."""
    rng = np.random.default_rng(seed)
    blocks = rng.normal(size=(n, 2))
    values = {name: blocks[:, j % 2] * (-1) ** j + 0.1 * rng.normal(size=n) for j, name in enumerate(NAMES)}
    return as_table(values, roles={"quasi": NAMES})


def test_all_together_and_each_alone():
    table = two_blocks()
    assert all_together(table) == [NAMES]
    assert each_alone(table) == [[name] for name in NAMES]
    assert all_together(table, columns=["d", "a"]) == [["d", "a"]]


def test_correlated_columns_come_together_whatever_their_sign():
    assert correlated_together(two_blocks(), size=3) == [["a", "c", "e"], ["b", "d", "f"]]


def test_correlated_columns_are_kept_apart():
    groups = correlated_apart(two_blocks(), size=2)
    assert [sorted(NAMES.index(name) % 2 for name in group) for group in groups] == [[0, 1]] * 3


@settings(max_examples=50)
@given(st.integers(1, 9), st.integers(1, 12), st.integers(0, 99))
def test_groups_are_full_or_one_short_and_hold_every_column_once(d, size, seed):
    table = make_scattered(12, d=d, rng=seed)
    for grouping in (correlated_together, correlated_apart):
        groups = grouping(table, size=size)
        assert sorted(name for group in groups for name in group) == sorted(table.names())
        assert len(groups) == -(-d // size)
        assert max(map(len, groups)) - min(map(len, groups)) <= 1
        assert max(map(len, groups)) <= size


def test_constants_and_huge_values_do_no_harm():
    table = as_table(
        {"a": [1e300, 2e300, 9e300], "b": [5.0] * 3, "c": [1e-300, 2e-300, 9e-300], "d": [7, 1, 2]}
    )
    groups = correlated_together(table, size=2, columns=["a", "b", "c", "d"])
    assert groups == [["a", "c"], ["b", "d"]]


@pytest.mark.parametrize("size", [0, 1.5, True, "two"])
def test_a_wrong_size_is_refused(size):
    with pytest.raises(InvalidInput, match="`size` must be a whole number"):
        correlated_apart(two_blocks(), size=size)


def test_correlation_needs_complete_numbers():
    table = as_table({"a": [1.0, None, 3.0], "b": ["x", "y", "z"], "c": [1, 2, 3]})
    with pytest.raises(InvalidInput, match="'a' has a missing value at row 1"):
        correlated_together(table, size=2, columns=["a", "c"])
    with pytest.raises(NotApplicable, match="'b' is nominal"):
        correlated_together(table, size=2, columns=["b", "c"])
    assert each_alone(table, columns=["a", "b"]) == [["a"], ["b"]]  # nothing is computed here


@pytest.mark.parametrize("grouping", GROUPINGS, ids=lambda f: f.__name__)
def test_every_grouping_is_an_option_of_microaggregate(grouping):
    options = {"size": 2} if "size" in inspect.signature(grouping).parameters else {}
    table = two_blocks(30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        given_groups = microaggregate(table, k=3, groups=grouping(table, **options))
        computed = microaggregate(table, k=3, groups=partial(grouping, **options))
        step = {"method": "microaggregate", "k": 3, "groups": {"method": grouping.__name__, **options}}
        recipe = Recipe("r", {"quasi": NAMES}, [step]).run(table)
    assert computed.frame.equals(given_groups.frame)
    assert recipe.frame.equals(given_groups.frame)


def test_hand_made_groupings_have_names_and_fit_the_search():
    found = hand_made(two_blocks())
    assert list(found) == [
        "all_together",
        "each_alone",
        "correlated_together 3",
        "correlated_apart 3",
        "correlated_together 5",
        "correlated_apart 5",
    ]
    assert all(sorted(name for group in groups for name in group) == NAMES for groups in found.values())
    assert list(hand_made(two_blocks(), columns=["a", "b"])) == ["all_together", "each_alone"]
