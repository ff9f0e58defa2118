"""Hierarchies from rows, edges, cuts, widths, prefixes and dates."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput
from shoal.hierarchy import (
    date_hierarchy,
    generalise,
    hierarchy_from_cuts,
    hierarchy_from_edges,
    hierarchy_from_prefixes,
    hierarchy_from_rows,
    hierarchy_from_widths,
    level_of,
    semantic_distance,
)


def test_values_of_one_parent_lie_together_and_row_order_is_kept_else():
    hierarchy = hierarchy_from_rows([["a", "X", "*"], ["b", "Y", "*"], ["c", "X", "*"]])
    assert [path[0] for path in hierarchy.paths] == ["a", "c", "b"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hierarchy_from_rows([]), "has no rows"),
        (lambda: hierarchy_from_rows([["a"]]), "only values"),
        (lambda: hierarchy_from_rows([["a", "*"], ["b", "B", "*"]]), "Row 1 of the hierarchy has 3 levels"),
        (lambda: hierarchy_from_rows([["a", "*"], ["b", "top"]]), "Row 1 of the hierarchy ends in another"),
        (
            lambda: hierarchy_from_rows([["a", "", "*"]]),
            "Row 0 of the hierarchy has an empty label at level 1",
        ),
        (
            lambda: hierarchy_from_rows([["a", "A", "*"], ["b", "B", "*"], ["a", "B", "*"]]),
            "Rows 0 and 2 of the hierarchy give a label of level 0 two parents",
        ),
        (
            lambda: hierarchy_from_rows([["a", "X", "A", "*"], ["b", "X", "B", "*"]]),
            "Rows 0 and 1 of the hierarchy give a label of level 1 two parents",
        ),
        (lambda: hierarchy_from_edges({"a": "b", "b": "a"}), "cycle"),
        (lambda: hierarchy_from_edges({"x": "a", "a": "b", "b": "a"}), "cycle"),
        (
            lambda: hierarchy_from_edges([("a", "b"), ("a", "c")]),
            "Edge 1 of the hierarchy gives a second parent",
        ),
        (lambda: hierarchy_from_edges({"a": "A", "b": "B"}), "has 2 tops"),
        (lambda: hierarchy_from_edges({}), "has no rows"),
        (lambda: hierarchy_from_cuts([1, 2], [3, 2]), "level 1 must ascend"),
        (lambda: hierarchy_from_cuts([1, 2], []), "level 1 must ascend"),
        (lambda: hierarchy_from_cuts([1, 2], [[1, 2], [3]]), "Level 2 has a cut point that level 1 has not"),
        (lambda: hierarchy_from_cuts(["x"], [3]), "Intervals need numbers"),
        (lambda: hierarchy_from_cuts([None], [3]), "no number"),
        (lambda: hierarchy_from_widths([1], [5, 12]), "a multiple of the one before"),
        (lambda: hierarchy_from_widths([1], []), "at least one number above 0"),
        (lambda: hierarchy_from_prefixes(["abc"], [1, 2]), "must fall"),
        (lambda: hierarchy_from_prefixes(["abc"], [1, 0]), "at least 1"),
        (lambda: date_hierarchy(["2024-01-01"], ["year", "month"]), "fine to coarse"),
        (lambda: date_hierarchy(["2024-01-01"], ["weekday"]), "`levels` must be one of"),
        (lambda: date_hierarchy(["2024-01-01", "tomorrow"]), "position 1 is no date"),
    ],
)
def test_wrong_levels_are_one_sentence_without_a_value(make, sentence):
    with pytest.raises(InvalidInput, match=sentence) as caught:
        make()
    assert "tomorrow" not in str(caught.value)


def test_edges_of_unequal_depth_meet_at_the_top():
    hierarchy = hierarchy_from_edges([("a", "A"), ("b", "A"), ("A", "*"), ("c", "*")])
    assert hierarchy.paths == (("a", "A", "*"), ("b", "A", "*"), ("c", "c", "*"))
    assert semantic_distance(hierarchy, "a", "c") == 1
    assert level_of(hierarchy, "c") == 0


def test_a_number_at_a_cut_point_is_above_it():
    hierarchy = hierarchy_from_cuts([19.999, 20, 39.5, 60], [20, 40, 60])
    assert generalise(hierarchy, [19.999, 20, 39.5, 60], 1) == ["< 20", "[20, 40)", "[20, 40)", ">= 60"]


@settings(max_examples=100)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.sampled_from([0.1, 0.3, 1, 5, 2.5]))
def test_intervals_of_widths_hold_their_numbers_and_nest(numbers, width):
    hierarchy = hierarchy_from_widths([*numbers, None], [width, 3 * width])
    for number in numbers:
        for level, label in enumerate(
            generalise(hierarchy, [number] * 1, 1) + generalise(hierarchy, [number], 2)
        ):
            low, high = (float(text) for text in label.strip("[)").split(", "))
            assert low - 1e-6 <= number <= high + 1e-6
            assert high - low == pytest.approx(width * (1, 3)[level], rel=1e-3)


def test_widths_write_short_decimals_and_take_a_start():
    assert hierarchy_from_widths([0.35], [0.1]).paths == (("0.35", "[0.3, 0.4)", "*"),)
    assert hierarchy_from_widths([18], [10], start=15).paths == (("18", "[15, 25)", "*"),)
    assert hierarchy_from_widths([-3], [5]).paths == (("-3", "[-5, 0)", "*"),)


def test_prefixes_of_codes():
    nace = hierarchy_from_prefixes(["A01.1", "A01.2", None, "B05"], [3, 1])
    assert nace.paths == (
        ("A01.1", "A01*", "A*", "*"),
        ("A01.2", "A01*", "A*", "*"),
        ("B05", "B05*", "B*", "*"),
    )
    assert hierarchy_from_prefixes([43215, 43210]).paths[0] == ("43215", "4321*", "432*", "43*", "4*", "*")
    assert hierarchy_from_prefixes(["C50.1"], [4]).paths == (("C50.1", "C50*", "*"),)


def test_dates_of_any_spelling():
    levels = ["day", "month", "quarter", "half", "year", "decade", "century"]
    moment = datetime.datetime(1999, 12, 31, 23, 59)
    (path,) = date_hierarchy([moment, None], levels).paths
    assert path == (
        *("1999-12-31T23:59:00", "1999-12-31", "1999-12", "1999-Q4", "1999-H2", "1999", "1990s", "1900-1999"),
        "*",
    )
    assert generalise(date_hierarchy(["2024-03-31"]), [datetime.date(2024, 3, 31)], 1) == ["2024-03"]
