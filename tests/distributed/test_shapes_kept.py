"""Correlations and contingency tables of files: the figures of the measures in memory."""

from __future__ import annotations

import warnings

import numpy as np
import polars as pl
import pytest

from shoal import Recipe, as_table, mask_files
from shoal.distributed import shapes_kept
from shoal.distributed.shapes_kept import shapes_changed, shapes_of
from shoal.measures import ctbil, il5

KINDS = {"age": "numeric", "pay": "numeric", "town": "nominal", "sex": "nominal", "grade": "ordinal"}
ROLES = {"quasi": list(KINDS)}


def people(n=600, seed=1):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    return pl.DataFrame(
        {
            "age": age,
            "pay": age * 20 + rng.lognormal(6, 1, n),
            "town": pl.Series(rng.choice(["Köln", "Łódź", None], n).tolist(), dtype=pl.String),
            "sex": rng.random(n) < 0.5,
            "grade": rng.choice([-0.0, 0.0, 1.0, 2.0], n),
            "id": np.arange(n),
        }
    )


@pytest.mark.parametrize("target", ["out", "out.csv"])
def test_the_figures_are_those_of_the_measures_in_memory(tmp_path, target):
    frame = people()
    frame.write_parquet(tmp_path / "a.parquet")
    steps = [
        {"method": "add_noise", "amount": 0.4, "columns": ["age", "pay"]},
        {"method": "pram", "matrices": {"method": "frequency_matrix", "p": 0.6}, "columns": ["town", "sex"]},
    ]
    done = mask_files(
        tmp_path / "a.parquet", Recipe("r", ROLES, steps, kinds=KINDS), tmp_path / target, rng=1
    )
    read = (
        pl.read_csv(tmp_path / target) if "." in target else pl.read_parquet(tmp_path / target / "*.parquet")
    )
    before = as_table(frame.with_columns(grade=pl.col("grade").abs()), roles=ROLES, kinds=KINDS)
    after = as_table(read.sort("id"), roles=ROLES, kinds=KINDS)
    assert done.losses["il5"] == pytest.approx(il5(before, after))
    assert done.losses["ctbil"] == pytest.approx(ctbil(before, after))
    assert min(done.losses.values()) > 1
    assert f"{done.losses['il5']:.2f} % on average (il5)" in str(done)
    assert done.to_dict()["losses"] == done.losses


def test_columns_that_became_labels_or_constant_are_no_error(tmp_path):
    people().write_parquet(tmp_path / "a.parquet")
    steps = [
        {"method": "global_recode", "cuts": {"age": [30, 60]}},
        {"method": "top_code", "threshold": 0.0, "columns": ["pay"]},
        {"method": "global_recode", "merge": {"town": {"all": ["Köln", "Łódź"]}}},
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = mask_files(
            tmp_path / "a.parquet", Recipe("r", ROLES, steps, kinds=KINDS), tmp_path / "out", rng=1
        )
    assert done.losses == {"ctbil": 0.0}  # sex and grade


def test_a_table_of_too_many_cells_is_left_out(monkeypatch):
    monkeypatch.setattr(shapes_kept, "CELLS", 5)
    frame = pl.LazyFrame({"a": range(9), "b": [1, 2, 3] * 3, "c": [1, 2, 1] * 3})
    shapes = shapes_of(frame, [], ["a", "b", "c"])
    assert set(shapes.tables) == {("b", "b"), ("c", "c")}
    assert shapes_changed(shapes, shapes) == {"ctbil": 0.0}
