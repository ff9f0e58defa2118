from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, as_table
from shoal.datasets.reference import _folders
from shoal.encode import encode, encode_pair
from shoal.hierarchy import (
    Hierarchy,
    as_hierarchy,
    common_ancestor,
    date_hierarchy,
    generalise,
    hierarchy_from_cuts,
    hierarchy_from_edges,
    hierarchy_from_prefixes,
    hierarchy_from_rows,
    hierarchy_from_widths,
    hierarchy_of,
    level_of,
    read_hierarchy,
    semantic_distance,
    with_hierarchies,
    write_hierarchy,
)
from shoal.hierarchy.tree import common_ancestors, nodes_of

PLACES = hierarchy_from_rows(
    [
        ["Paris", "France", "Europe", "*"],
        ["Lyon", "France", "Europe", "*"],
        ["Rome", "Italy", "Europe", "*"],
        ["Lima", "Peru", "America", "*"],
    ]
)


@st.composite
def random_rows(draw):
    """A random tree as rows: every leaf's parent decides all that is above it."""
    height = draw(st.integers(1, 4))
    rows = [["*"]]
    for level in range(height, 0, -1):
        count = draw(st.integers(1, 6))
        picks = [draw(st.integers(0, len(rows) - 1)) for _ in range(count)]
        rows = [[f"{level}.{child}", *rows[pick]] for child, pick in enumerate(picks)]
    return rows


def oracle_ancestor(rows, values):
    paths = {row[0]: row for row in rows}
    for level in range(len(rows[0])):
        labels = {paths[value][level] for value in values}
        if len(labels) == 1:
            return level, labels.pop()
    raise AssertionError


@settings(max_examples=200)
@given(random_rows(), st.data())
def test_common_ancestor_level_and_distance_agree_with_the_oracle(rows, data):
    hierarchy = hierarchy_from_rows(rows)
    leaves = [row[0] for row in rows]
    values = data.draw(st.lists(st.sampled_from(leaves), min_size=1, max_size=5))
    level, label = oracle_ancestor(rows, values)
    assert common_ancestor(hierarchy, values) == label
    assert level_of(hierarchy, label) == level
    a, b, c = (data.draw(st.sampled_from(leaves)) for _ in range(3))
    assert semantic_distance(hierarchy, a, b) == oracle_ancestor(rows, [a, b])[0] / (len(rows[0]) - 1)
    assert semantic_distance(hierarchy, a, b) <= max(
        semantic_distance(hierarchy, a, c), semantic_distance(hierarchy, c, b)
    ), "an ultrametric"


@settings(max_examples=100)
@given(random_rows(), st.data())
def test_ancestors_of_groups_agree_with_one_by_one(rows, data):
    hierarchy = hierarchy_from_rows(rows)
    values = data.draw(st.lists(st.sampled_from([row[0] for row in rows]), min_size=1, max_size=12))
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values))))
    found = common_ancestors(hierarchy, nodes_of(hierarchy, values), labels)
    for group in range(labels.max() + 1):
        inside = [value for value, label in zip(values, labels, strict=True) if label == group]
        expected = oracle_ancestor(rows, inside)[1] if inside else None
        assert (hierarchy.labels[found[group]] if found[group] >= 0 else None) == expected


@settings(max_examples=50)
@given(random_rows())
def test_written_and_read_back_is_the_same(rows):
    import tempfile
    from pathlib import Path

    hierarchy = hierarchy_from_rows(rows)
    path = Path(tempfile.mkdtemp(), "h.csv")
    write_hierarchy(hierarchy, path)
    assert read_hierarchy(path) == hierarchy


def test_labels_with_separators_and_quotes_survive_the_file(tmp_path):
    hierarchy = hierarchy_from_rows([["a;b", 'say "x"', "*"], ["é", "ü", "*"]])
    write_hierarchy(hierarchy, tmp_path / "h.csv")
    assert read_hierarchy(tmp_path / "h.csv") == hierarchy
    with pytest.raises(InvalidInput, match="exists already"):
        write_hierarchy(hierarchy, tmp_path / "h.csv")


def test_generalising_and_inner_labels():
    assert generalise(PLACES, ["Lima", None, "Lyon", "Italy"], 1) == ["Peru", None, "France", "Italy"]
    assert generalise(PLACES, ["Italy"], 2) == ["Europe"]
    assert generalise(PLACES, ["Europe"], 1) == ["Europe"], "a label above the level stays"
    assert common_ancestor(PLACES, ["Paris", "France"]) == "France"
    assert semantic_distance(PLACES, "Paris", "France") == pytest.approx(1 / 3)
    assert semantic_distance(PLACES, "Europe", "Europe") == 0


def test_values_are_compared_as_text():
    ages = hierarchy_from_rows([["39", "30s", "*"], ["40", "40s", "*"]])
    assert generalise(ages, [39, 40.0, np.float64(39), np.int64(40)], 1) == ["30s", "40s", "30s", "40s"]


def test_values_of_one_parent_lie_together_and_row_order_is_kept_else():
    hierarchy = hierarchy_from_rows([["a", "X", "*"], ["b", "Y", "*"], ["c", "X", "*"]])
    assert [path[0] for path in hierarchy.paths] == ["a", "c", "b"]


def test_a_label_may_stay_on_the_next_level():
    hierarchy = hierarchy_from_rows([["Other", "Other", "*"], ["odd", "Other", "*"], ["fox", "animal", "*"]])
    assert common_ancestor(hierarchy, ["Other", "odd"]) == "Other"
    assert semantic_distance(hierarchy, "Other", "odd") == 0.5


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
        (lambda: Hierarchy((("a", "*"), ("a", "*"))), "a value twice"),
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
        (lambda: as_hierarchy({"width": [5]}, []), "Did you mean 'widths'"),
        (lambda: as_hierarchy({"widths": [5], "cuts": [3]}, []), "in one way out of"),
        (lambda: generalise(PLACES, ["Paris", "Oslo"], 1), "does not name the value at position 1"),
        (lambda: generalise(PLACES, ["Paris"], 4), "`level` must be a number from 0 to 3"),
        (lambda: generalise(PLACES, ["Paris"], 1.5), "whole number"),
        (lambda: common_ancestor(PLACES, []), "at least one value"),
        (lambda: level_of(PLACES, "Oslo"), "does not name"),
    ],
)
def test_mistakes_are_one_sentence_without_a_value(make, sentence):
    with pytest.raises(InvalidInput, match=sentence) as caught:
        make()
    assert "Oslo" not in str(caught.value)
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


def test_every_way_a_recipe_can_say_a_hierarchy(tmp_path):
    write_hierarchy(PLACES, tmp_path / "places.csv")
    assert as_hierarchy(str(tmp_path / "places.csv"), []) == PLACES
    assert as_hierarchy(PLACES, []) is PLACES
    assert as_hierarchy([["a", "*"]], []) == as_hierarchy({"rows": [["a", "*"]]}, [])
    assert as_hierarchy({"edges": {"a": "*"}}, []).paths == (("a", "*"),)
    assert as_hierarchy({"cuts": [3]}, [1, 5]).paths == (("1", "< 3", "*"), ("5", ">= 3", "*"))
    assert as_hierarchy({"widths": [5]}, [1]).height == 2
    assert as_hierarchy({"prefixes": [1]}, ["ab"]).paths == (("ab", "a*", "*"),)
    assert as_hierarchy({"dates": ["year"]}, ["2024-05-01"]).paths == (("2024-05-01", "2024", "*"),)


def test_the_hierarchies_of_arx_are_read():
    files = [path for folder in _folders() for path in folder.glob("*/hierarchies/*.csv")]
    if not files:
        pytest.skip("the reference hierarchies are not on this machine")
    for path in files:
        assert read_hierarchy(path).height >= 1, path.name


@settings(max_examples=100)
@given(random_rows(), st.data())
def test_the_encoded_copy_has_semantic_distances(rows, data):
    hierarchy = hierarchy_from_rows(rows)
    values = data.draw(
        st.lists(st.none() | st.sampled_from([row[0] for row in rows]), min_size=2, max_size=8)
    )
    values[0] = values[0] or rows[0][0]
    X = encode(with_hierarchies(as_table({"a": values}), {"a": rows}), ["a"])
    for i, one in enumerate(values):
        assert np.isnan(X[i]).all() == (one is None)
        for j, other in enumerate(values):
            if one is not None and other is not None:
                expected = semantic_distance(hierarchy, one, other)
                assert np.linalg.norm(X[i] - X[j]) == pytest.approx(expected, abs=1e-12)


def test_a_hierarchy_changes_the_distance_of_nominal_columns_only():
    table = as_table({"age": [18, 35], "size": ["s", "l"]}, kinds={"size": ["s", "m", "l"]})
    ways = {"age": {"widths": [10]}, "size": [["s", "x", "*"], ["m", "x", "*"], ["l", "y", "*"]]}
    assert np.array_equal(encode(with_hierarchies(table, ways), table.names()), encode(table, table.names()))


def test_generalised_and_foreign_labels_of_a_masked_file_can_be_compared():
    original = with_hierarchies(as_table({"place": ["Paris", "Lima"]}), {"place": PLACES})
    X, Y = encode_pair(original, as_table({"place": ["France", "Lima"]}), ["place"])
    assert 0 < np.linalg.norm(X[0] - Y[0]) < np.linalg.norm(X[0] - Y[1])
    X, Y = encode_pair(original, as_table({"place": ["{Paris, Lima}", "Lima"]}), ["place"])
    assert np.linalg.norm(X[0] - Y[0]) == pytest.approx(1), "no label of the hierarchy: simply different"


def test_attaching_checks_every_value():
    table = as_table({"place": ["Paris", None, "Oslo"]})
    with pytest.raises(
        InvalidInput, match="Column 'place' has a value at row 2 that its hierarchy does not"
    ) as e:
        with_hierarchies(table, {"place": PLACES})
    assert "Oslo" not in str(e.value)
    with pytest.raises(InvalidInput, match="no column 'plaice'"):
        with_hierarchies(table, {"plaice": PLACES})
    with pytest.raises(InvalidInput, match="Column 'place' has no hierarchy"):
        hierarchy_of(table, "place")
    assert with_hierarchies(table, None) == table


def test_weights_multiply_squared_distances():
    table = as_table({"a": [0.0, 1.0], "b": ["x", "y"]})
    X = encode(table, ["a", "b"], scale="none", weights={"a": 4, "b": 0})
    assert np.linalg.norm(X[0] - X[1]) == pytest.approx(2)
    with pytest.raises(InvalidInput, match="`weight of a` must be a number from 0"):
        encode(table, ["a"], weights={"a": -1})
    with pytest.raises(InvalidInput, match="no column 'b'"):
        encode(table, ["a"], weights={"b": 1})
