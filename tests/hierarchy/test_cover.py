"""Covers against lists of values: every way of writing a cell, and random hierarchies."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierarchy.trees import PLACES, random_rows
from shoal.hierarchy import domain_of, hierarchy_from_rows, read_covers
from shoal.hierarchy.cover import number_covers

AGES = domain_of("numeric", (18.0, 20.0, 25.0, 30.0, 38.0))


def covered(cell, domain) -> list:
    covers = read_covers([cell], domain)
    return [
        domain.values[p] for p in range(len(domain.values)) if covers.hold(np.array([0]), np.array([p]))[0]
    ]


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("20", [20]),
        (20.0, [20]),
        ("20-29", [20, 25]),
        ("20 – 30", [20, 25, 30]),
        ("[20, 30)", [20, 25]),
        ("[20, 30]", [20, 25, 30]),
        ("(20, 30]", [25, 30]),
        ("[20,30)", [20, 25]),
        ("]20, 30[", [25]),
        ("< 20", [18]),
        ("<=20", [18, 20]),
        (">= 30", [30, 38]),
        ("> 30", [38]),
        ("30+", [30, 38]),
        ("[30, inf)", [30, 38]),
        ("(-inf, 20]", [18, 20]),
        ("{18, 38}", [18, 38]),
        ("*", [18, 20, 25, 30, 38]),
        ("-5--1", []),
        ("[20.5, 31]", [25, 30]),
    ],
)
def test_numbers_are_covered_by_what_a_cell_says(cell, values):
    assert covered(cell, AGES) == values


@pytest.mark.parametrize(
    ("cell", "lost"),
    [
        ("25", 0),
        ("[20, 30)", 9 / 20),
        ("20-29", 9 / 20),
        ("[20, 30]", 0.5),
        ("< 20", 1 / 20),
        (">= 10", 1),
        ("*", 1),
    ],
)
def test_penalties_of_intervals_are_widths(cell, lost):
    assert read_covers([cell], AGES).ncp[0] == pytest.approx(lost)


def test_open_ends_matter_only_between_whole_numbers():
    domain = domain_of("numeric", (0.5, 1.0, 2.0))
    assert read_covers(["[0.5, 1)"], domain).ncp[0] == pytest.approx(0.5 / 1.5)
    assert covered("[0.5, 1)", domain) == [0.5]


@pytest.mark.parametrize("cell", ["young", "{18, 19x}", "[a, b]", "20-", "[30, 20]", "", "nan", "{}"])
def test_anything_else_is_unread(cell):
    covers = read_covers([cell], AGES)
    assert covers.ways == ("unread", "suppressed")
    assert math.isnan(covers.ncp[0])
    assert covered(cell, AGES) == []


def test_members_of_sets_may_hold_the_separator():
    domain = domain_of("nominal", ("a", "b, c", "d", "e}"))
    assert covered("{a, b, c}", domain) == ["a", "b, c"]
    assert covered("{b, c, e}}", domain) == ["b, c", "e}"]
    assert covered("{a,d}", domain) == ["a", "d"]


def test_labels_cover_their_leaves_also_those_the_file_has_not():
    domain = domain_of("nominal", ("Paris", "Rome"), PLACES)
    assert covered("Europe", domain) == ["Paris", "Lyon", "Rome"]
    assert covered("{France, Lima}", domain) == ["Paris", "Lyon", "Lima"]
    assert read_covers(["Europe", "France", "Rome", "*"], domain).ncp.tolist() == [2 / 3, 1 / 3, 0, 1, 1]


def test_ranges_of_ordered_categories_and_dates():
    domain = domain_of("ordinal", ("low", "middle", "high"), ordered=True)
    assert covered("[low, middle]", domain) == ["low", "middle"]
    assert covered("(low, high]", domain) == ["middle", "high"]
    assert read_covers(["[low, middle]"], domain).ncp[0] == 0.5
    days = [datetime.date(2024, 1, day) for day in (3, 9, 20)]
    assert covered("[2024-01-03, 2024-01-09]", domain_of("ordinal", days)) == days[:2]


def test_prefixes_cover_codes_that_begin_so():
    domain = domain_of("nominal", ("1010", "1020", "2010", "01"))
    assert covered("10**", domain) == ["1010", "1020"]
    assert read_covers(["3***"], domain).ways[0] == "unread"


def test_ordinal_numbers_are_read_as_numbers_and_counted_as_categories():
    domain = domain_of("ordinal", (1, 2, 3, 9))
    assert covered("[2, 9]", domain) == [2, 3, 9]
    assert read_covers(["[2, 9]"], domain).ncp[0] == pytest.approx(2 / 3)


def test_bools_and_suppressed_cells():
    domain = domain_of("nominal", (False, True))
    assert covered("{False, True}", domain) == [False, True]
    covers = read_covers([], domain)
    assert covers.ways == ("suppressed",)
    assert covers.ncp.tolist() == [1]
    assert covers.hold(np.array([0, 0]), np.array([0, 1])).all()


def test_numbers_of_a_masked_column_stand_for_themselves():
    covers = number_covers(np.array([18.0, 18.5, 30.0]), AGES)
    assert covers.hold(np.array([0, 1, 2, 3]), np.array([0, 0, 3, 4])).tolist() == [True, False, True, True]
    assert covers.ncp.tolist() == [0, 0, 0, 1]


@given(random_rows(), st.data())
def test_labels_of_random_hierarchies(rows, draw):
    """Against the leaves below each label; a parent never covers less than its child, the top everything."""
    hierarchy = hierarchy_from_rows(rows)
    leaves = [path[0] for path in hierarchy.paths]
    seen = draw.draw(st.lists(st.sampled_from(leaves), unique=True))
    domain = domain_of("nominal", seen, hierarchy)
    assert sorted(domain.values) == sorted(leaves)
    for path in hierarchy.paths:
        covers = read_covers(path, domain)
        for level, label in enumerate(path):
            expected = [p[0] for p in hierarchy.paths if p[level] == label]
            assert sorted(covered(label, domain)) == sorted(expected)
            if len(leaves) > 1:
                assert covers.ncp[level] == pytest.approx((len(expected) - 1) / (len(leaves) - 1))
        assert (np.diff(covers.ncp[: len(path)]) >= 0).all()
        assert len(leaves) == 1 or covers.ncp[len(path) - 1] == 1


@given(st.lists(st.integers(-5, 5), min_size=1), st.integers(-7, 7), st.integers(-7, 7))
def test_random_intervals(values, low, high):
    domain = domain_of("numeric", sorted(set(map(float, values))))
    assert covered(f"[{low}, {high})", domain) == sorted({v for v in values if low <= v < high})
    assert covered(f"({low}, {high}]", domain) == sorted({v for v in values if low < v <= high})


def test_pairs_list_every_covered_value():
    covers = read_covers(["{18, 38}", "[20, 30)"], AGES)
    cells, positions = covers.pairs()
    assert cells.tolist() == [0, 0, 1, 1, 2, 2, 2, 2, 2]
    assert positions.tolist() == [0, 4, 1, 2, 0, 1, 2, 3, 4]
