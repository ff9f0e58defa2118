"""Groups counted in parts are those of one group-by; a quantile is found near where some values lie."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal import as_table, top_code
from shoal.distributed import fit_files, group_by_parts
from shoal.distributed.group_by_parts import group_counts, parts_needed


def frame_of(n, seed=0):
    rng = np.random.default_rng(seed)
    return pl.LazyFrame(
        {"a": rng.integers(0, 40, n), "b": pl.Series(rng.choice([0.5, 2.0, np.nan], n)).fill_nan(None)}
    )


@pytest.mark.parametrize("bytes_there", [1, 3000, 10**9])
def test_parts_hold_whole_groups_and_all_of_them(monkeypatch, bytes_there):
    monkeypatch.setattr(group_by_parts, "READING", 2)
    frame = frame_of(500)
    parts = list(group_counts(frame, ["a", "b"], bytes_there))
    assert (len(parts) > 1) == (bytes_there < 10**9)
    key = ["a", "b"]
    assert pl.concat(parts).sort(key).rows() == frame.group_by(key).len().sort(key).collect().rows()


def test_more_memory_needs_no_more_parts_and_values_to_count_need_more(monkeypatch):
    monkeypatch.setattr(group_by_parts, "AT_HAND", 10)
    frame = frame_of(3000)
    parts = [parts_needed(frame, ["a"], size) for size in (2_000, 20_000, 200_000)]
    assert parts == sorted(parts, reverse=True)
    assert parts[0] > parts[-1] == 1
    assert parts_needed(frame, ["a"], 20_000, distinct=["b"]) > parts[1]


def test_few_groups_take_no_memory_however_many_records():
    assert parts_needed(frame_of(200_000), ["a"], 100_000) == 1


@pytest.mark.parametrize("few", [1, 7, 100_000])
@pytest.mark.parametrize("order", ["sorted", "drawn", "periodic"])
@pytest.mark.parametrize("share", [0, 0.013, 0.5, 0.9, 1])
def test_a_quantile_is_exact_wherever_some_values_lie(monkeypatch, few, order, share):
    monkeypatch.setattr(fit_files, "FEW_VALUES", few)
    monkeypatch.setattr(fit_files, "SURE", 0.3)  # so that it often lies elsewhere
    rng = np.random.default_rng(few)
    values = np.round(rng.lognormal(0, 2, 700), 1)
    values = {"sorted": np.sort(values), "drawn": values, "periodic": np.tile(values[:7], 100)}[order]
    expected = top_code(as_table({"x": values}, roles={"quasi": "x"}), quantile=share).frame["x"].max()
    found = fit_files._quantile(pl.LazyFrame({"x": values}), "x", share, True, 10**9)
    assert min(found, values.max()) == expected
