"""Every masker with a form at scale: k by a stranger's count, and little more lost than in memory."""

from __future__ import annotations

import sys
import warnings
from collections import Counter

import numpy as np
import polars as pl
import pytest

from shoal import Recipe, as_table, mask_files
from shoal.distributed.shards.class_shards import MarkRare
from shoal.distributed.shards.shard_keys import NEXT
from shoal.errors import Infeasible, NotApplicable

KEYS = ["age", "town", "sex"]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    module = sys.modules["shoal.distributed.run_stages"]
    monkeypatch.setattr(module, "SHARD_RECORDS", 300)
    monkeypatch.setattr(module, "RANDOM_RECORDS", 250)


def people(n=1000, seed=1):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, n).astype(float),
            "town": rng.choice(list("abcdef"), n, p=[0.5, 0.2, 0.1, 0.1, 0.06, 0.04]),
            "sex": rng.random(n) < 0.5,
            "zero": rng.choice([0.0, -0.0, np.nan], n),
            "pay": rng.lognormal(7, 1, n),
            "ill": rng.choice(["flu", "gout"], n),
            "id": np.arange(n),
        }
    )
    return frame.with_columns(town=pl.when(pl.col("id") % 13 > 0).then("town"))


def masked(tmp_path, frame, *steps, target="out", **options):
    source = tmp_path / "in"
    source.mkdir(exist_ok=True)
    for number in range(4):
        frame[number::4].write_parquet(source / f"{number}.parquet")
    recipe = Recipe("r", {"quasi": KEYS}, list(steps), **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = mask_files(source, recipe, tmp_path / target, rng=1)
    return done, pl.read_parquet(tmp_path / target / "*.parquet").sort("id")


def smallest(frame, keys=KEYS):
    """k of the printed texts, by plain Python."""
    return min(Counter(tuple(map(str, row)) for row in frame.select(keys).iter_rows()).values())


def in_memory(frame, *steps):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Recipe("r", {"quasi": KEYS}, list(steps)).run(as_table(frame)).frame


def untouched(written, frame, keys=KEYS):
    return written.drop(keys, "zero").equals(frame.drop(keys, "zero"))


@pytest.mark.parametrize("release", ["regions", "centres"])
def test_mondrian(tmp_path, release):
    frame = people()
    done, written = masked(tmp_path, frame, {"method": "mondrian", "k": 4, "release": release})
    assert done.kept
    assert smallest(written) >= 4
    assert untouched(written, frame)
    assert set(written["zero"].cast(pl.String).to_list()) == {"0.0", None}


def test_suppression_moves_only_what_is_rare_and_loses_little_more(tmp_path):
    frame = people()
    step = {"method": "suppress_to_k", "k": 4}
    done, written = masked(tmp_path, frame, step)
    assert done.kept
    assert smallest(written) >= 4
    assert untouched(written, frame)
    for name in KEYS:  # a cell is as it was, or missing
        assert (written[name].is_null() | (written[name] == frame[name])).all()
    gone = sum(written[name].null_count() for name in KEYS)
    assert gone <= 1.25 * sum(in_memory(frame, step)[name].null_count() for name in KEYS)


def test_short_whole_numbers_have_one_type_in_all_shards(tmp_path):
    """Suppression makes them longer, and shards that are not treated must follow."""
    few = pl.when(pl.col("id") % 400 == 0).then(9).otherwise(pl.col("id") % 2)
    frame = people(2000).with_columns(age=few.cast(pl.Int8), town=(pl.col("id") % 7).cast(pl.Int16))
    step = {"method": "suppress_to_k", "k": 4}
    done, written = masked(tmp_path, frame, step, kinds={"town": "nominal", "age": "nominal"})
    assert done.kept
    assert smallest(written) >= 4
    assert written["town"].null_count() + written["age"].null_count() > 0


def test_recoding_is_as_in_memory(tmp_path):
    frame = people()
    ages = {"age": {"widths": [5, 10, 20]}}
    step = {"method": "recode_to_k", "k": 3, "hierarchies": ages}
    done, written = masked(tmp_path, frame, step)
    assert done.kept
    assert written.select(KEYS).equals(in_memory(frame, step).select(KEYS))
    done, written = masked(tmp_path, frame, {**step, "suppression": 0.1}, target="some")
    assert done.kept
    assert smallest(written) >= 3
    missing = (written["town"].is_null() & frame["town"].is_not_null()) | written["age"].is_null()
    assert missing.sum() <= 100


def test_recoding_that_is_too_large_or_impossible_is_refused(tmp_path, monkeypatch):
    step = {"method": "recode_to_k", "k": 3, "hierarchies": {"age": {"widths": [5, 10]}}}
    with pytest.raises(Infeasible):
        masked(tmp_path, people(), {**step, "levels": {"age": 0, "town": 0, "sex": 0}})
    monkeypatch.setattr(sys.modules["shoal.distributed.fit_levels"], "MOST_RECORDS", 100)
    with pytest.raises(NotApplicable, match="different combinations"):
        masked(tmp_path, people(), step)


def test_clusters_are_parted_among_shards(tmp_path):
    frame = people()
    inner = {"method": "microaggregate", "k": 4}
    done, written = masked(tmp_path, frame, {"method": "protect_clusters", "clusters": 8, "masker": inner})
    assert done.kept
    assert smallest(written) >= 4
    assert untouched(written, frame)


def test_ranks_are_swapped_within_their_window_and_nothing_is_lost(tmp_path):
    frame = people(2000).with_columns(age=pl.col("pay"))
    _, written = masked(tmp_path, frame, {"method": "rank_swap", "percent": 5, "columns": ["age"]})
    assert sorted(written["age"]) == pytest.approx(sorted(frame["age"]))
    moved = np.abs(written["age"].rank().to_numpy() - frame["age"].rank().to_numpy()) / len(frame)
    assert 0.01 < moved.mean() < 0.05
    assert moved.max() < 0.15  # 5 percent of a shard of 250, which is itself a sample
    _, written = masked(tmp_path, frame, {"method": "shuffle", "columns": ["age"]}, target="other")
    assert sorted(written["age"]) == pytest.approx(sorted(frame["age"]))
    assert (written["age"] != frame["age"]).mean() > 0.9


@pytest.mark.parametrize("method", ["microaggregate", "mondrian", "suppress_to_k", "recode_to_k"])
def test_a_promise_of_the_recipe_reaches_the_masker(tmp_path, method):
    ages = {"hierarchies": {"age": {"widths": [5, 10, 20]}}} if method == "recode_to_k" else {}
    frame = people().with_columns(ill=pl.when(pl.col("age") < 25).then(pl.lit("flu")).otherwise("ill"))
    promise = {"k": 3, "l": {"ill": 2}}
    done, written = masked(tmp_path, frame, {"method": method, **ages}, promise=promise)
    assert done.kept
    assert smallest(written) >= 3
    assert written.group_by(KEYS).agg(pl.col("ill").n_unique())["ill"].min() >= 2


def test_regions_in_a_csv_are_not_taken_for_missing_numbers(tmp_path):
    source, recipe = tmp_path / "in", Recipe("r", {"quasi": KEYS}, [{"method": "mondrian", "k": 4}])
    source.mkdir()
    people(300).write_parquet(source / "0.parquet")
    done = mask_files(source, recipe, tmp_path / "out.csv", rng=1)
    assert [column.name for column in done.columns] == ["zero", "pay", "id"]
    assert done.columns[0].missing[1] == pl.read_csv(tmp_path / "out.csv")["zero"].null_count()


def test_company_leaves_k_records_behind():
    frame = pl.DataFrame({"a": [1] * 2 + [2] * 8 + [3] * 9 + [4] * 30})
    marked = MarkRare(["a"], 3)(frame, 0).group_by("a").agg(pl.col(NEXT).sum(), n=pl.len()).sort("a")
    assert marked[NEXT].to_list() == [2, 8, 6, 6]
    assert all(left in (0, *range(3, 99)) for left in (marked["n"] - marked[NEXT]).to_list())


def test_steps_of_all_forms_after_one_another(tmp_path):
    steps = [
        {
            "method": "recode_to_k",
            "k": 3,
            "suppression": 0.2,
            "hierarchies": {"age": {"widths": [5, 10, 20]}},
        },
        {"method": "microaggregate", "k": 5, "columns": ["pay"]},
        {"method": "suppress_to_k", "k": 5},
        {"method": "top_code", "quantile": 0.9, "columns": ["pay"]},
    ]
    done, written = masked(tmp_path, people(), *steps)
    assert done.kept
    assert smallest(written) >= 5
    assert written.height == 1000
