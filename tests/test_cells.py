"""Cells that other libraries get wrong: -0.0, truth values, missing values of pandas, long numbers, lists."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from frames import LIBRARIES, to_lists
from shoal import (
    InputWarning,
    InvalidInput,
    as_table,
    evaluate,
    global_median,
    global_recode,
    microaggregate,
    mondrian,
    protect_clusters,
    read_table,
    suppress_to_k,
    write_table,
)

MASKERS = {
    "microaggregate": partial(microaggregate, k=2),
    "mondrian": partial(mondrian, k=2),
    "median": partial(global_median, k=2),
    "suppress": partial(suppress_to_k, k=2),
    "clusters": partial(protect_clusters, clusters=1, masker=partial(suppress_to_k, k=2), rng=1),
}
EVERY = pytest.mark.parametrize("masker", MASKERS.values(), ids=MASKERS)
FRAMES = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
BERLIN = ZoneInfo("Europe/Berlin")
TWICE = dt.datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)


def written_k(table, tmp_path):
    """Of the file as text: how many lines look like the rarest one."""
    path = write_table(table, tmp_path / "safe.csv", overwrite=True, rng=1)
    return min(Counter(path.read_text().splitlines()[1:]).values())


@EVERY
@FRAMES
def test_zeros_with_a_sign_are_zeros(masker, make, tmp_path):
    table = as_table(make({"a": [0.0, -0.0, 0.0, 1.0, 1.0]}), roles={"quasi": "a"})
    assert not np.signbit(table.column("a")).any()
    assert written_k(masker(table), tmp_path) >= 2


def test_a_zero_with_a_sign_is_not_written(tmp_path):
    table = as_table({"a": [0.0, 1.0]})
    odd = type(table)(pl.DataFrame({"a": [-0.0, 1.0]}), table.attributes)
    path = write_table(odd, tmp_path / "a.csv", shuffle=False)
    assert path.read_text().split() == ["a", "0.0", "1.0"]


@FRAMES
def test_truth_values_are_released_as_labels(make):
    """pandas took the text "{False, True}" for true."""
    table = as_table(make({"a": [True, False, True, False], "b": [1, 1, 9, 9]}), roles={"quasi": ["a", "b"]})
    assert to_lists(mondrian(table, k=4).frame)["a"] == ["{False, True}"] * 4
    merged = global_recode(table, merge={"a": {"any": ["True", "False"]}})
    assert to_lists(merged.frame)["a"] == ["any"] * 4


@EVERY
@FRAMES
def test_the_hour_a_clock_shows_twice(masker, make, tmp_path):
    moments = [TWICE, TWICE.replace(fold=1), TWICE, TWICE.replace(fold=1), TWICE, TWICE]
    if make is LIBRARIES.get("polars"):
        moments = pl.Series(moments).dt.convert_time_zone("Europe/Berlin")
    table = as_table(make({"a": moments}), roles={"quasi": "a"}, kinds={"a": "ordinal"})
    assert written_k(masker(table), tmp_path) >= 2


def test_clusters_that_differ_in_the_hour_only(tmp_path):
    moments = pl.Series([TWICE, TWICE.replace(fold=1)] * 2).dt.convert_time_zone("Europe/Berlin")
    table = as_table(pl.DataFrame({"a": moments, "b": [1, 2, 3, 4]}), roles={"quasi": ["a"]})
    swapped = partial(
        protect_clusters, clusters=np.zeros(4, dtype=int), masker=lambda t: t.take(np.array([1, 0, 3, 2]))
    )
    assert swapped(table, rng=1).frame["a"].to_list() == moments.gather([1, 0, 3, 2]).to_list()
    assert [m.fold for m in swapped(table, rng=1).frame["a"].to_list()] == [1, 0, 1, 0]


@EVERY
@pytest.mark.parametrize(
    "values", [[1, 2, None, 2, 1, None], [True, False, None, True, False, None], list("xy") * 3]
)
def test_nullable_columns_of_pandas(masker, values, tmp_path):
    frame = pd.DataFrame({"a": pd.array(values).astype(pd.array(values).dtype)})
    assert written_k(masker(as_table(frame, roles={"quasi": "a"})), tmp_path) >= 2


@EVERY
@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, pd.DataFrame], ids=["polars", "pyarrow", "pandas"])
def test_decimals_with_gaps(masker, make, tmp_path):
    numbers = [Decimal("1.50"), None, Decimal("2.50"), None, None, Decimal("2.50")]
    assert written_k(masker(as_table(make({"a": numbers}), roles={"quasi": "a"})), tmp_path) >= 2
    few = [None, None, None, Decimal(1), Decimal(1)]
    assert written_k(masker(as_table(make({"a": few}), roles={"quasi": "a"})), tmp_path) >= 2


def test_decimals_beyond_floats_stay_apart(tmp_path):
    near = [Decimal("1.00000000000000000001"), Decimal("1.00000000000000000002")]
    table = as_table(pl.DataFrame({"a": near * 2 + near[:1]}), roles={"quasi": "a"})
    assert suppress_to_k(table, k=2).missing() == {"a": 0}
    assert written_k(suppress_to_k(table.take(np.array([0, 1, 2])), k=2), tmp_path) >= 2


@EVERY
@FRAMES
def test_the_largest_whole_numbers(masker, make, tmp_path):
    top = np.array([2**64 - 1, 2**64 - 2, 2**64 - 1, 2**63, 2**63, 0, 0], dtype=np.uint64)
    masked = masker(as_table(make({"a": top}), roles={"quasi": "a"}))
    assert written_k(masked, tmp_path) >= 2


@FRAMES
def test_suppression_keeps_every_digit_of_the_others(make):
    long = [2**60 + 1, 2**60 + 1, 2**60 + 3, 7, 7]
    table = as_table(make({"a": long}), roles={"quasi": "a"})
    assert set(suppress_to_k(table, k=2).cells("a")) - {None} <= {2**60 + 1, 7}


@EVERY
@FRAMES
def test_lists_are_refused_by_the_name_of_their_column(masker, make):
    table = as_table(make({"a": [[1], [2], [1]], "b": [1, 1, 2]}), roles={"quasi": ["a"]})
    with pytest.raises(InvalidInput, match="Column 'a' holds values that are no numbers"):
        masker(table)


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int16, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64])
@pytest.mark.parametrize("ending", [".dta", ".sav", ".xpt"])
def test_small_whole_numbers_in_files_of_other_packages(dtype, ending, tmp_path):
    pytest.importorskip("pyreadstat", reason="needs the extra `stat`")
    table = as_table(pl.DataFrame({"a": pl.Series([1, 2, None, 100], dtype=dtype)}))
    path = write_table(table, tmp_path / f"a{ending}", shuffle=False)
    assert read_table(path).cells("a").tolist() == [1, 2, None, 100]


@pytest.mark.parametrize("ending", [".dta", ".sav", ".xpt"])
def test_numbers_no_package_holds_are_refused(ending, tmp_path):
    pytest.importorskip("pyreadstat", reason="needs the extra `stat`")
    table = as_table(pl.DataFrame({"a": pl.Series([2**64 - 1, 1], dtype=pl.UInt64)}))
    with pytest.raises(InvalidInput, match="cannot hold column 'a' exactly"):
        write_table(table, tmp_path / f"a{ending}")


def test_too_many_columns_are_said_at_once(tmp_path):
    wide = {f"c{number}": [1, 2, 3, 4] for number in range(10_001)}
    with pytest.raises(InvalidInput, match="The file has 10001 columns, at most 10000"):
        as_table(pl.DataFrame(wide))
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([",".join(wide), *[",".join("1" * len(wide))] * 4]))
    with pytest.raises(InvalidInput, match="The file has 10001 columns"):
        read_table(path)


def test_the_first_record_is_not_shown(tmp_path):
    path = tmp_path / "headerless.csv"
    path.write_text("39,State-gov,2174\n50,Private,0\n38,Private,0\n")
    with pytest.warns(InputWarning, match="2 of the 3 names are numbers"):
        table = read_table(path)
    for call in (lambda: table.attribute("State"), lambda: microaggregate(table, k=2, columns=["State_gov"])):
        with pytest.raises(InvalidInput) as refused:
            call()
        assert "State-gov" not in str(refused.value)
        assert "39" not in str(refused.value)
    path.write_text("39,Private,0,0\n50,Private,0,1\n")
    with pytest.warns(InputWarning), pytest.raises(InvalidInput, match="Columns 3 and 4 of the first line"):
        read_table(path)


def test_years_are_names(tmp_path):
    path = tmp_path / "years.csv"
    path.write_text("town,2018,2019\na,1,2\nb,3,4\n")
    table = read_table(path)
    assert table.names() == ["town", "2018", "2019"]
    assert evaluate(table, table, columns=["2018"]).k == 1


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]"])
def test_truth_values_with_gaps_stay_truth_values_of_pandas(dtype):
    pandas = pytest.importorskip("pandas")
    truths = pandas.array([True, None, False, True, False, None] * 5, dtype=dtype)
    masked = shoal.microaggregate(pandas.DataFrame({"member": truths}), k=3, columns=["member"])
    assert str(masked["member"].dtype) == dtype
    assert masked["member"].isna().sum() == 10
    whole = shoal.as_table(pandas.DataFrame({"member": [True, False]}))
    assert str(whole.assign(member=[True, None]).frame["member"].dtype) == "boolean"
