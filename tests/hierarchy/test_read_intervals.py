"""Many intervals read at once are read as one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.hierarchy.cover import as_covers, read_covers
from shoal.hierarchy.domain import domain_of
from shoal.hierarchy.read_cell import read_cell, whole_domain
from shoal.hierarchy.read_intervals import read_intervals
from shoal.hierarchy.tree import hierarchy_from_rows

ENDS = st.one_of(st.integers(-6, 12), st.sampled_from([-3.5, 0.25, 1e3, 2.5e-3]))
CELLS = st.lists(
    st.one_of(
        st.builds(
            "{}{}{} {}{}".format,
            st.sampled_from("[(]"),
            ENDS,
            st.sampled_from(",;"),
            ENDS,
            st.sampled_from("])["),
        ),
        st.sampled_from(
            ["", "*", "[a, b]", "[1, 2, 3]", "3-9", "< 4", "young", "[-inf, 3]", " [1,2] ", 3, 2.5, None]
        ),
    ),
    unique_by=str,
)
NUMBERS = st.lists(st.one_of(st.integers(-5, 9), st.sampled_from([0.25, 2.5])), min_size=1, unique=True)


@settings(max_examples=300, deadline=None)
@given(cells=CELLS, numbers=NUMBERS)
def test_as_one_by_one(cells, numbers):
    domain = domain_of("numeric", sorted(numbers))
    alone = as_covers([*(read_cell(cell, domain) for cell in cells), whole_domain(domain)], domain)
    together = read_covers(cells, domain)
    assert together.ways == alone.ways
    for name in ("owner", "first", "last", "low", "high", "ncp", "counts", "sizes"):
        np.testing.assert_array_equal(getattr(together, name), getattr(alone, name))


def test_a_label_that_looks_like_an_interval_is_the_hierarchys():
    hierarchy = hierarchy_from_rows([["1", "[1, 9]", "*"], ["2", "[1, 9]", "*"], ["7", "7", "*"]])
    domain = domain_of("numeric", (1, 2, 7), hierarchy)
    assert not len(read_intervals(["[1, 9]"], domain).rows)
    assert read_covers(["[1, 9]", "[1, 8]"], domain).counts.tolist() == [2, 3, 3]


def test_nothing_to_read():
    assert not len(read_intervals(["[a, b]"], domain_of("nominal", ("a", "b"))).rows)
    assert not len(read_intervals([], domain_of("numeric", (1, 2))).rows)


@pytest.mark.parametrize(
    ("label", "covered"),
    [
        ("under 30", 3), ("Under 30 years", 3), ("less than 30", 3), ("unter 30", 3),
        ("up to 30", 4), ("bis 30", 4), ("over 30", 2), ("more than 30", 2),
        ("über 30", 2), ("30 and over", 3), ("30 years and over", 3), ("30 or older", 3),
        ("30 und älter", 3), ("30+", 3), ("25-30 years", 2), ("25 bis 30", 2),
        ("30 years", 0), ("about 30", 0), ("30 or so", 0),
    ],
)  # fmt: skip
def test_bands_in_words(label, covered):
    read = read_cell(label, domain_of("numeric", (18, 20, 25, 30, 41, 65)))
    assert read.way == ("interval" if covered else "unread")
    assert sum(last - first + 1 for first, last in read.runs) == covered
