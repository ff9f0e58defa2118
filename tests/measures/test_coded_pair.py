"""The numbering of categories against a slow, obvious version."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import oracles_measures as slow
from frames import LIBRARIES
from measures.files import MANY, files
from shoal import as_table
from shoal.encode.categories import categorise
from shoal.measures.coded_pair import code_pair
from shoal.models.row_classes import row_classes

COLUMNS = {
    "text": ["b", None, "a", "b", "é"],
    "whole": [3, 1, 7, 3, -2],
    "real": [1.5, None, 2.0, -0.0, 0.0],
    "flag": [True, False, None, True, True],
    "day": [datetime.date(2020, 1, 1), None, datetime.date(2019, 1, 1), None, datetime.date(2020, 1, 1)],
    "gone": [None, None, None, None, "a"],
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", COLUMNS)
def test_codes_agree_with_the_slow_version(library, name):
    table = as_table(LIBRARIES[library](COLUMNS))
    found, expected = categorise(table, name), slow.categorise(table, name)
    assert found[0].tolist() == expected[0]
    assert found[1] == expected[1]


@pytest.mark.slow
@MANY
@given(pair=files())
def test_codes_agree_with_the_slow_version_on_random_files(pair):
    for table in pair:
        for name in table.names():
            found, expected = categorise(table, name), slow.categorise(table, name)
            assert found[0].tolist() == expected[0]
            assert found[1] == expected[1]


@pytest.mark.slow
@MANY
@given(pair=files())
def test_a_pair_agrees_where_values_do(pair):
    original, masked = pair
    for name in original.names():
        before, after, categories = code_pair(original, masked, name)
        known = [*categories, None]
        assert [known[c] for c in before] == [None if v != v else v for v in original.column(name).tolist()]
        assert [known[c] for c in after] == [None if v != v else v for v in masked.column(name).tolist()]


def test_numbers_as_names_meet_numbers():
    original = as_table({"code": [1, 2, 2]}, kinds={"code": "nominal"})
    masked = as_table({"code": [1.0, 2.0, 5.0]})
    before, after, _ = code_pair(original, masked, "code")
    assert before.tolist() == [0, 1, 1]
    assert after.tolist() == [0, 1, 2]


def test_mixed_columns_fall_back_to_the_encoder():
    frame = pl.DataFrame({"odd": pl.Series([1, "a", None, 1], dtype=pl.Object)})
    table = as_table(frame)
    assert categorise(table, "odd")[0].tolist() == [0, 1, -1, 0]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt64])
def test_narrow_and_wide_whole_numbers_do_not_overflow(dtype):
    low, high = (
        (0, 2**64 - 1) if dtype == pl.UInt64 else (-100, 100) if dtype.is_signed_integer() else (0, 255)
    )
    for values in ([low, high, 5, 30, low, None], [high, high - 100, high]):
        table = as_table(pl.DataFrame({"a": pl.Series(values, dtype=dtype)}), kinds={"a": "nominal"})
        found, expected = categorise(table, "a"), slow.categorise(table, "a")
        assert found[0].tolist() == expected[0]
        assert found[1] == expected[1]


def test_large_whole_numbers_are_told_apart():
    table = as_table({"id": [2**53, 2**53 + 1, 2**53]}, kinds={"id": "nominal"})
    assert categorise(table, "id")[0].tolist() == [0, 1, 0]


def test_rows_are_equal_or_not_however_many_columns():
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 1000, (200, 30))
    codes[100:] = codes[:100]
    classes = row_classes(codes)
    assert (classes[100:] == classes[:100]).all()
    assert len(np.unique(classes)) == len(np.unique(codes, axis=0))
