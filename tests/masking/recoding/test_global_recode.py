from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, NotApplicable, as_table
from shoal.hierarchy import with_hierarchies
from shoal.masking.recoding.global_recode import global_recode
from shoal.measures import anonymity_level

TOWNS = [["Vigo", "Galicia", "Spain"], ["Lugo", "Galicia", "Spain"], ["Gijon", "Asturias", "Spain"]]


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_levels_of_a_hierarchy(make):
    table = as_table(make({"town": ["Lugo", "Gijon", None], "x": [1, 2, 3]}))
    for level, expected in enumerate(
        (["Lugo", "Gijon", None], ["Galicia", "Asturias", None], ["Spain", "Spain", None])
    ):
        released = global_recode(table, levels={"town": level}, hierarchies={"town": TOWNS})
        assert to_lists(released.frame) == {"town": expected, "x": [1, 2, 3]}


def test_a_hierarchy_of_the_table_need_not_be_said():
    table = with_hierarchies(as_table({"town": ["Lugo"]}), {"town": TOWNS})
    assert global_recode(table, levels={"town": 1}).frame["town"].to_list() == ["Galicia"]


@settings(max_examples=100)
@given(
    st.lists(st.none() | st.floats(-100, 100), min_size=1, max_size=20),
    st.sets(st.integers(-50, 50), min_size=1),
)
def test_numbers_fall_into_their_interval(values, points):
    cuts = sorted(points)
    table = as_table({"x": [0.5, *values]})
    result = global_recode(table, cuts={"x": cuts})
    assert result.attribute("x").kind == "ordinal"
    assert len(result.attribute("x").order) == len(cuts) + 1
    for value, text in zip([0.5, *values], result.frame["x"].to_list(), strict=True):
        if value is None:
            assert text is None
        elif text.startswith("<"):
            assert value < float(text[2:]) == cuts[0]
        elif text.startswith(">="):
            assert value >= float(text[3:]) == cuts[-1]
        else:
            low, high = map(float, text[1:-1].split(", "))
            assert low <= value < high


def test_merging_keeps_what_is_not_named():
    table = as_table({"town": ["Vigo", "Lugo", "Gijon", None]})
    released = global_recode(table, merge={"town": {"coast": ["Vigo", "Gijon"]}})
    assert released.frame["town"].to_list() == ["coast", "Lugo", "coast", None]
    assert released.attribute("town").kind == "nominal"


def test_integer_codes_can_be_merged():
    table = as_table({"code": [1, 2, 3]}, kinds={"code": "nominal"})
    assert global_recode(table, merge={"code": {"low": [1, 2]}}).frame["code"].to_list() == [
        "low",
        "low",
        "3",
    ]


def test_order_is_kept_where_merging_allows_it():
    table = as_table({"x": ["s", "m", "l"]}, kinds={"x": ["s", "m", "l"]})
    assert global_recode(table, merge={"x": {"small": ["s", "m"]}}).attribute("x").order == ("small", "l")
    assert global_recode(table, merge={"x": {"odd": ["s", "l"]}}).attribute("x").kind == "nominal"


def test_numbers_and_dates_by_level_stay_ordered():
    days = [datetime.date(2024, 3, 31), datetime.date(2023, 1, 1)]
    table = as_table({"age": [18, 35], "day": days})
    hierarchies = {"age": {"widths": [10]}, "day": {"dates": ["month", "year"]}}
    released = global_recode(table, levels={"age": 1, "day": 2}, hierarchies=hierarchies)
    assert released.frame.rows() == [("[10, 20)", "2024"), ("[30, 40)", "2023")]
    assert released.attribute("age").order == ("[10, 20)", "[30, 40)")
    assert released.attribute("day").order == ("2023", "2024")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "Nothing to recode"),
        ({"levels": {"town": 1}}, "Column 'town' has no hierarchy"),
        (
            {"levels": {"town": 3}, "hierarchies": {"town": TOWNS}},
            "`level of town` must be a number from 0 to 2",
        ),
        (
            {"levels": {"town": 1}, "hierarchies": {"town": TOWNS[1:]}},
            "Column 'town' has a value at row 0 that its",
        ),
        ({"cuts": {"age": [40, 20]}}, "cut points of column 'age' must ascend"),
        ({"cuts": {"age": ["x"]}}, "`cuts of age` must be a number"),
        ({"cuts": {"wage": [1]}}, "no column 'wage'"),
        ({"cuts": {"age": [1]}, "merge": {"age": {"x": [1]}}}, "'age' is named twice"),
        ({"merge": {"town": {"coast": ["Vgo"]}}}, "`merge` names 'Vgo' for column 'town', which has no such"),
        ({"merge": {"town": {"a": ["Vigo"], "b": ["Vigo"]}}}, "'Vigo' of column 'town' into two"),
        ({"merge": {"name": {"a": ["x"]}}}, "'name' is an identifier"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence):
    columns = {"town": ["Vigo", "Lugo"], "age": [18, 35], "name": ["x", "y"]}
    with pytest.raises(InvalidInput, match=sentence):
        global_recode(as_table(columns, roles={"identifier": ["name"]}), **options)


def test_cut_points_are_for_numbers():
    with pytest.raises(NotApplicable, match="'town' is not numeric"):
        global_recode(as_table({"town": ["Vigo"]}), cuts={"town": [3]})


def test_recoding_german_credit_raises_k(reference):
    table = reference("german_credit")
    recoded = global_recode(table, cuts={"age": [25, 35, 50]})
    assert anonymity_level(recoded) >= anonymity_level(table)
    assert len(set(recoded.frame["age"].to_list())) == 4
