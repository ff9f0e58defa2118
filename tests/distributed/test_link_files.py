"""Linkage of files larger than memory: the figure of the same records in memory."""

from __future__ import annotations

import json
import sys

import numpy as np
import polars as pl
import pytest

from shoal import Recipe, as_table, mask_files
from shoal.distributed.link_files import targets_of
from shoal.errors import NotApplicable
from shoal.measures import distance_linkage_risk

KEYS = ["age", "pay", "town", "flag", "kids", "one"]
STEPS = {
    "groups": {"method": "microaggregate", "k": 3},
    "noise": {"method": "add_noise", "columns": ["age", "pay"], "amount": 0.1},
    "pram": {"method": "pram", "columns": ["town"], "matrices": {"method": "frequency_matrix", "p": 0.7}},
    "swap": {"method": "rank_swap", "columns": ["age", "pay"], "percent": 10},
}


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    module = sys.modules["shoal.distributed.run_stages"]
    monkeypatch.setattr(module, "SHARD_RECORDS", 100)
    monkeypatch.setattr(module, "RANDOM_RECORDS", 90)


def people(n, gaps):
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, n) + 0.5 * rng.integers(0, 2, n),
            "pay": rng.lognormal(7, 1, n).round(2),
            "town": rng.choice(["a", "b", "c", "d"], n, p=[0.6, 0.2, 0.1, 0.1]),
            "flag": rng.random(n) < 0.5,
            "kids": rng.choice([0, 1, 2, 3, 7], n),
            "one": np.ones(n),
            "id": np.arange(n),
        }
    )
    hole = pl.Series(rng.random(n) < gaps)
    named = ("age", "town", "kids")
    return frame.with_columns(pl.when(hole).then(None).otherwise(pl.col(n)).alias(n) for n in named)


def linked(tmp_path, frame, step, **options):
    frame.write_parquet(tmp_path / "in.parquet")
    recipe = Recipe("r", {"quasi": KEYS}, [step])
    return mask_files(tmp_path / "in.parquet", recipe, tmp_path / "out", linkage=True, anyway=True, **options)


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_all_records_as_targets_give_the_figure_of_memory(tmp_path, step, gaps):
    frame = people(700, gaps)
    done = linked(tmp_path, frame, step, rng=1)
    written = pl.read_parquet(tmp_path / "out/*.parquet").sort("id")
    roles = {"quasi": KEYS}
    expected = distance_linkage_risk(as_table(frame, roles=roles), as_table(written, roles=roles))
    assert done.linkage.percent == pytest.approx(expected)
    assert done.linkage.low == done.linkage.high == done.linkage.percent
    assert 0 < expected < 100
    kinds = {a.name: a.kind for a in as_table(frame, roles=roles).attributes}
    assert (kinds["age"], kinds["kids"], kinds["flag"]) == ("numeric", "ordinal", "nominal")


@pytest.mark.slow
def test_a_sample_of_targets_has_an_interval_around_the_figure(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules["shoal.distributed.link_files"], "TARGETS", 300)
    frame = people(2000, 0.0)
    done = linked(tmp_path, frame, STEPS["swap"], rng=2)
    written = pl.read_parquet(tmp_path / "out/*.parquet").sort("id")
    expected = distance_linkage_risk(*(as_table(f, roles={"quasi": KEYS}) for f in (frame, written)))
    assert 200 < len(done.linkage.rows) < 400
    assert done.linkage.low < expected < done.linkage.high
    facts = json.loads(json.dumps(done.to_dict()))["linkage"]
    assert sorted(facts) == ["high", "low", "percent", "targets"]
    assert "links" in str(done)


def test_steps_that_make_values_coarser_are_refused_before_a_record_moves(tmp_path):
    with pytest.raises(NotApplicable, match="not measured in files larger than memory after mondrian"):
        linked(tmp_path, people(20, 0.0), {"method": "mondrian", "k": 3})
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_a_type_that_will_change_is_refused_before_records_move(tmp_path):
    columns = targets_of([parquet(tmp_path)], as_table(people(20, 0.0), roles={"quasi": KEYS}), 20, secret=1)
    columns.check_types(people(20, 0.0).schema | {"age": pl.Int64()})
    for name in ("town", "flag", "age"):
        with pytest.raises(NotApplicable, match=f"Column '{name}' gets another type"):
            columns.check_types(people(20, 0.0).schema | {name: pl.Date()})


def parquet(folder):
    people(20, 0.0).write_parquet(folder / "in.parquet")
    return folder / "in.parquet"
