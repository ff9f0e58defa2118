from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from frames import LIBRARIES, to_lists
from shoal import Attribute, InvalidInput, Table, as_table
from shoal.table import with_same_kinds

COLUMNS = {"age": [30, 41, 22], "pay": [1.5, None, -999.0], "town": ["a", None, "b"]}


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_any_frame_goes_in_and_the_same_kind_comes_out(make):
    frame = make(COLUMNS)
    table = as_table(frame, roles={"quasi": ["age"], "identifier": "town"})
    assert table.names("quasi") == ["age"]
    assert table.names(kind="nominal") == ["town"]
    assert table.missing() == {"age": 0, "pay": 1, "town": 1}
    changed = table.assign(age=np.array([1.5, np.nan, 2.0]), town=["c", None, "d"])
    assert type(changed.frame) is type(frame)
    assert to_lists(changed.frame) == {
        "age": [1.5, None, 2.0],
        "pay": [1.5, None, -999.0],
        "town": ["c", None, "d"],
    }
    assert to_lists(table.frame) == COLUMNS, "the table itself is never changed"
    if isinstance(frame, pd.DataFrame):
        assert list(changed.frame.index) == list(frame.index)


def test_a_true_minus_999_is_a_number():
    np.testing.assert_array_equal(as_table(COLUMNS).column("pay"), [1.5, np.nan, -999.0])


def test_nan_and_none_and_null_are_all_missing():
    table = as_table(pl.DataFrame({"a": [1.0, float("nan"), None]}))
    assert table.missing() == {"a": 2}
    assert as_table(pd.DataFrame({"t": ["x", None, np.nan]})).column("t").tolist() == ["x", None, None]
    assert as_table(pd.DataFrame({"t": pd.array(["x", pd.NA], dtype="string")})).column("t").tolist() == [
        "x",
        None,
    ]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "numeric"),
        ([1.5, None], "numeric"),
        (["a", "b"], "nominal"),
        ([True, False], "nominal"),
        ([datetime.date(2020, 1, 2), datetime.date(2021, 1, 2)], "ordinal"),
        (pl.Series(["lo", "hi"], dtype=pl.Enum(["lo", "hi"])), "ordinal"),
    ],
)
def test_kinds_are_inferred(values, kind):
    assert as_table(pl.DataFrame({"x": values})).attribute("x").kind == kind


def test_ordered_categories_of_pandas_keep_their_order():
    frame = pd.DataFrame({"x": pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"], ordered=True)})
    assert as_table(frame).attribute("x") == Attribute("x", "ordinal", order=("lo", "mid", "hi"))


def test_kinds_can_be_overridden():
    table = as_table({"code": [1, 2], "size": ["s", "l"]}, kinds={"code": "nominal", "size": ["s", "m", "l"]})
    assert table.attribute("code").kind == "nominal"
    assert table.column("code").tolist() == [1, 2]
    assert table.attribute("size").order == ("s", "m", "l")


@pytest.mark.parametrize("role", ["weight", "household"])
def test_one_weight_and_one_household_at_most(role):
    table = as_table({"a": [1], "b": [2]}, roles={role: "a", "stratum": ["b"]})
    assert table.names(role) == ["a"]
    with pytest.raises(InvalidInput, match=f"At most one column has the role {role}"):
        as_table(table, roles={role: ["a", "b"]})


def test_new_roles_replace_the_old_ones_and_kinds_stay():
    table = as_table({"a": [1], "b": [2]}, roles={"quasi": ["a"]}, kinds={"b": "nominal"})
    again = as_table(table, roles={"confidential": ["b"]})
    assert [(a.role, a.kind) for a in again.attributes] == [("other", "numeric"), ("confidential", "nominal")]
    assert as_table(table).names("quasi") == ["a"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: as_table({"age": [1]}, roles={"quasi": ["agee"]}), "no column 'agee'. Did you mean 'age'"),
        (lambda: as_table({"age": [1]}, roles={"quasy": ["age"]}), "Did you mean 'quasi'"),
        (lambda: as_table({"age": [1]}, roles={"quasi": ["age", "age"]}), "named twice"),
        (lambda: as_table({"a": [1]}, roles={"quasi": ["a"], "identifier": ["a"]}), "two roles"),
        (lambda: as_table({"a": ["1", "x"]}, kinds={"a": "numeric"}), r"text \(first at row 1\)"),
        (lambda: as_table({"a": ["lo", "top"]}, kinds={"a": ["lo", "hi"]}), "category at row 1"),
        (lambda: as_table({"a": ["lo"]}, kinds={"a": ["lo", "lo"]}), "names a category twice"),
        (lambda: as_table({"a": [1]}, kinds={"a": "number"}), "must be one of 'numeric'"),
        (lambda: as_table({"a": [1]}, kinds={"b": "numeric"}), "no column 'b'"),
        (lambda: as_table({}), "no columns"),
        (lambda: as_table(np.ones((2, 2))), "no column names"),
        (lambda: as_table(pl.Series([1])), "pandas, polars or pyarrow is needed, got Series"),
        (lambda: as_table([1, 2]), "A frame of pandas, polars or pyarrow is needed"),
        (lambda: as_table(pd.DataFrame([[1, 2]], columns=["a", "a"])), "same name"),
        (lambda: as_table(pd.DataFrame([[1, 2]])), "Column names must be text"),
        (lambda: as_table({"^a$": [1]}), "read as a pattern"),
        (lambda: as_table({"a": [1, 2]}).assign(a=[1.0]), "needs 2 values, got 1"),
        (lambda: as_table({"a": [1]}).assign(b=[1.0]), "no column 'b'"),
        (lambda: as_table({"a": [1]}).column("A"), "no column 'A'"),
    ],
)
def test_mistakes_are_one_sentence(make, sentence):
    with pytest.raises(InvalidInput, match=sentence) as caught:
        make()
    assert "\n" not in str(caught.value)
    assert "top" not in str(caught.value), "no value of the file"


def test_whole_numbers_and_fractions_in_one_list():
    assert as_table({"a": [1, 2, 3]}).assign(a=[1, 1.5, None]).frame["a"].to_list() == [1.0, 1.5, None]


def test_text_for_a_numeric_column_makes_it_nominal():
    assert as_table({"a": [1, 2]}).assign(a=["[1-2]", "[1-2]"]).attribute("a").kind == "nominal"


def test_a_category_unknown_to_pandas_is_not_lost():
    frame = pd.DataFrame({"x": pd.Categorical(["u", "v"])})
    assert as_table(frame).assign(x=["u", "new"]).frame["x"].tolist() == ["u", "new"]


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_rows_are_positions(make):
    table = as_table(make(COLUMNS))
    assert to_lists(table.take(np.array([2, 0])).frame)["age"] == [22, 30]
    assert table.select(["town", "age"]).names() == ["town", "age"]
    assert len(table) == 3


def test_it_prints_kinds_roles_and_missing_values_but_no_value():
    text = repr(as_table(COLUMNS, roles={"quasi": ["age"]}))
    assert "age: numeric, quasi" in text
    assert "pay: numeric, other, 1 missing" in text
    assert "-999" not in text
    assert isinstance(as_table(COLUMNS), Table)


def test_a_column_may_be_called_self_or_have_no_value_at_all():
    table = as_table({"self": [1, 2], "none": [None, None]}, kinds={"none": "numeric"})
    assert table.assign(self=[3, 4]).column("self").tolist() == [3.0, 4.0]
    assert np.isnan(table.column("none")).all()


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_whole_numbers_too_long_for_a_float_stay_apart(make):
    from shoal.encode.categories import categorise
    from shoal.measures import anonymity_level

    table = as_table(make({"code": [2**60, 2**60 + 1, 2**60 + 2]}), roles={"quasi": ["code"]})
    assert categorise(table, "code")[0].tolist() == [0, 1, 2]
    assert anonymity_level(table) == 1
    assert table.column("code").tolist() == [float(2**60)] * 3


def test_equal_tables_have_the_same_roles_and_values_gaps_included():
    one = as_table({"a": [1.0, None], "b": ["x", None]}, roles={"quasi": "a"})
    assert one == as_table({"a": [1.0, float("nan")], "b": ["x", None]}, roles={"quasi": "a"})
    assert one != as_table({"a": [1.0, None], "b": ["x", None]})
    assert one != one.assign(b=["y", None])
    assert one != one.assign(b=["x", "y"])
    assert one != one.take(np.array([0]))
    assert one != "a table"


def test_a_table_shows_in_a_notebook_as_text_only():
    shown = as_table({"<b>": [1, None]}, roles={"quasi": "<b>"})._repr_html_()
    assert "&lt;b&gt;</td><td>numeric</td><td>quasi</td><td>1</td>" in shown
    assert "<b>" not in shown


FEW = list(range(1, 5)) * 25


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (FEW, "ordinal"),
        (FEW[:99], "numeric"),
        (list(range(20)) * 5, "ordinal"),
        (list(range(21)) * 5, "numeric"),
        ([1.0, 2.0] * 50, "numeric"),
        ([1.5, 2.0, None, 1.0] * 25, "numeric"),
        ([True, False] * 50, "nominal"),
        ([None] * 100, "nominal"),
        ([*range(1000), *FEW], "numeric"),
    ],
)
@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_few_whole_numbers_are_ranks_unless_declared(make, values, kind):
    frame = make({"x": values})
    if values[0] is not None:
        assert as_table(frame).attribute("x").kind == kind
        assert as_table(frame, kinds={"x": "nominal"}).attribute("x").kind == "nominal"


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_few_whole_numbers_with_gaps_are_ranks_in_every_library(make):
    table = as_table(make({"x": [1, None, 2, 3] * 25}))
    assert table.attribute("x").kind == "ordinal"


def test_a_weight_is_numeric_however_few_values_it_has():
    assert as_table({"w": FEW}, roles={"weight": "w"}).attribute("w").kind == "numeric"
    assert as_table(as_table({"w": FEW}), roles={"weight": "w"}).attribute("w").kind == "numeric"


def test_two_files_of_one_thing_have_the_same_kinds():
    many, few = as_table({"x": list(range(100))}), as_table({"x": FEW})
    assert with_same_kinds(many, few)[1].attribute("x").kind == "numeric"
    assert with_same_kinds(few, many)[1].attribute("x").kind == "ordinal"
    averaged = as_table({"x": [1.5, 2.5] * 50})
    before, after = with_same_kinds(few, averaged, declared=())
    assert before.attribute("x").kind == after.attribute("x").kind == "numeric"
    before, after = with_same_kinds(few, averaged, declared=["x"])
    assert before.attribute("x").kind == after.attribute("x").kind == "ordinal"


def test_records_are_taken_by_position_or_by_a_truth_value():
    table = as_table({"a": [1, 2, 3]})
    for rows in ([0, 2], (0, 2), np.array([0, 2]), [True, False, True], np.array([True, False, True])):
        assert table.take(rows).frame["a"].to_list() == [1, 3]
    assert len(table.take([])) == 0
    with pytest.raises(InvalidInput, match="positions"):
        table.take([0.5])
