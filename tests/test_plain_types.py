"""Types that only one library knows: plain at the door, or one sentence; never a crash further in."""

from __future__ import annotations

import csv
from collections import Counter
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pytest

from shoal import Promise, as_table, microaggregate, release
from shoal.errors import InputWarning, InvalidInput
from shoal.masking import mondrian, suppress_to_k

AGES = [20, 30, 41, 52, 60, 71, 80, 93]
PLAIN = {
    "intervals": (pd.DataFrame({"a": pd.cut(pd.Series(AGES), [0, 50, 99])}), "ordinal"),
    "bare intervals": (pd.DataFrame({"a": pd.arrays.IntervalArray.from_breaks(range(9))}), "nominal"),
    "periods": (pd.DataFrame({"a": pd.period_range("2020", periods=8, freq="M")}), "nominal"),
    "sparse": (pd.DataFrame({"a": pd.arrays.SparseArray([1, 0] * 4)}), "numeric"),
    "128 bits": (pl.DataFrame({"a": pl.Series(AGES, dtype=pl.Int128)}), "numeric"),
    "views": (pa.table({"a": pa.array(["x", "y"] * 4, pa.string_view())}), "nominal"),
    "runs": (pa.table({"a": pyarrow.compute.run_end_encode(pa.array([1, 1, 2, 2] * 2))}), "numeric"),
    "decimals": (pa.table({"a": pa.array([Decimal("1.5"), None] * 4, pa.decimal256(50, 2))}), "numeric"),
    "days": (pa.table({"a": pa.array([0, 86_400_000] * 4, pa.date64())}), "ordinal"),
}
TOO_LONG = {
    "dict": {"a": [2**70, 1]},
    "polars": pl.DataFrame({"a": pl.Series([2**70, 1], dtype=pl.Int128)}),
    "arrow": pa.table({"a": pa.array([Decimal(10) ** 45, None], pa.decimal256(50, 2))}),
    "long doubles": pd.DataFrame({"a": np.array([1, 2], dtype=np.longdouble)}),
}
FINE = ["2020-01-01 00:00:00.000000001", "2020-01-01 00:00:00.000000002", None, "2021-01-01"] * 2


@pytest.mark.parametrize("masker", [microaggregate, mondrian, suppress_to_k])
@pytest.mark.parametrize("name", PLAIN)
def test_a_frame_of_one_library_is_masked_and_released(tmp_path, name, masker):
    frame, kind = PLAIN[name]
    table = as_table(frame, roles={"quasi": "a"})
    assert table.attribute("a").kind == kind
    masked = masker(table, k=3)
    assert type(masked.frame) is type(frame)
    release(table, masked, Promise(k=3), tmp_path / "safe.csv", rng=1)
    with (tmp_path / "safe.csv").open(newline="") as stream:
        assert min(Counter(row["a"] for row in csv.DictReader(stream)).values()) >= 3


@pytest.mark.parametrize("name", TOO_LONG)
def test_numbers_that_do_not_fit_are_one_sentence_without_the_number(name):
    if name == "long doubles" and np.dtype(np.longdouble) == np.float64:
        pytest.skip("long doubles are doubles on this machine")
    with pytest.raises(InvalidInput, match="Column 'a' has numbers of more than 64 bits") as error:
        as_table(TOO_LONG[name])
    assert "1180591620717411303424" not in str(error.value)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": pd.Series(pd.to_datetime(FINE, format="ISO8601")).astype("datetime64[ns]")}),
        pl.DataFrame({"a": pl.Series(FINE).str.to_datetime(time_unit="ns", strict=False)}),
        pa.table({"a": pa.array([1, 2, None, 5_000_000] * 2, pa.timestamp("ns", "Europe/Berlin"))}),
        pl.DataFrame({"a": pl.Series([1, 2, None, 5_000_000] * 2).cast(pl.Time)}),
        pa.table({"a": pa.array([1, 2, None, 5_000_000] * 2, pa.time64("ns"))}),
    ],
    ids=["pandas", "polars", "arrow", "times of polars", "times of arrow"],
)
def test_moments_are_cut_to_the_microsecond_and_that_is_said(tmp_path, frame):
    with pytest.warns(InputWarning, match="'a' has moments finer than a microsecond"):
        table = as_table(frame, roles={"quasi": "a"})
    done = release(table, microaggregate(table, k=2), Promise(k=2), tmp_path / "safe.parquet", rng=1)
    assert done.reached >= 2
