"""Protecting files larger than memory: the same figures as in memory, whole or not at all."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import polars as pl
import pytest

from shoal import Promise, PromiseBroken, Recipe, as_table, check, mask_files, microaggregate
from shoal.distributed.rate import Stopped
from shoal.errors import InvalidInput, NotApplicable

KEYS = ["age", "pay", "town"]
GROUPS = Recipe("groups", {"quasi": KEYS, "identifier": ["name"]}, [{"method": "microaggregate", "k": 3}])


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    module = sys.modules["shoal.distributed.run_stages"]
    monkeypatch.setattr(module, "SHARD_RECORDS", 100)
    monkeypatch.setattr(module, "RANDOM_RECORDS", 90)


def people(n, rng, gaps=0.0):
    frame = pl.DataFrame(
        {
            "name": [f"n{i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "pay": (rng.lognormal(7, 1, n)).round(2),
            "town": rng.choice(["a", "b", "c", "d"], n, p=[0.6, 0.2, 0.1, 0.1]),
            "ill": rng.choice(["flu", "gout"], n),
            "id": np.arange(n),
        }
    )
    hole = pl.Series(rng.random(n) < gaps)
    return frame.with_columns(pl.when(hole).then(None).otherwise(pl.col(n)).alias(n) for n in ("age", "town"))


def pieces(frame, folder, parts=3, kind="parquet"):
    folder.mkdir(exist_ok=True)
    size = -(-frame.height // parts)
    for number in range(parts):
        piece = frame.slice(number * size, size)
        path = folder / f"{number}.{kind}"
        piece.write_parquet(path) if kind == "parquet" else piece.write_csv(path)
    return folder


def nothing_left(folder, *names):
    return sorted(path.name for path in folder.iterdir()) == sorted(names)


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_microaggregated_files_keep_k_and_everything_else(tmp_path, gaps, kind):
    frame = people(700, np.random.default_rng(1), gaps)
    source = pieces(frame, tmp_path / "in", kind=kind)
    done = mask_files(source, GROUPS, tmp_path / "out", rng=1)
    written = pl.read_parquet(tmp_path / "out/*.parquet")
    assert done.kept
    assert done.verdict.records == written.height == 700
    assert written.columns == ["age", "pay", "town", "ill", "id"]
    assert check(as_table(written, roles={"quasi": KEYS}), Promise(k=3)).kept
    assert written.sort("id").select("ill", "id").equals(frame.select("ill", "id"))
    assert written["id"].to_list() != sorted(written["id"].to_list())
    assert nothing_left(tmp_path, "in", "out")
    kept = {column.name: column for column in done.columns}
    assert kept["pay"].mean[0] == pytest.approx(frame["pay"].mean())
    if not gaps:
        assert kept["pay"].mean[1] == pytest.approx(frame["pay"].mean())


@pytest.mark.slow
def test_the_loss_is_that_of_the_whole_file(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4)) @ rng.normal(size=(4, 4))
    frame = pl.DataFrame(X, schema=list("abcd"))
    recipe = Recipe("r", {"quasi": list("abcd")}, [{"method": "microaggregate", "k": 4}])
    sys.modules["shoal.distributed.run_stages"].SHARD_RECORDS = 500
    mask_files(pieces(frame, tmp_path / "in"), recipe, tmp_path / "out.parquet", rng=1)
    written = pl.read_parquet(tmp_path / "out.parquet")
    whole = microaggregate(as_table(frame, roles={"quasi": list("abcd")}), k=4).frame

    def lost(masked):
        return np.mean([1 - masked[n].var() / frame[n].var() for n in "abcd"])

    assert lost(written) <= 1.03 * lost(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.with_columns(age=pl.lit(30), pay=pl.lit(1.0), town=pl.lit("a")),
        lambda f: f.with_columns(
            age=pl.lit(0), pay=pl.when(pl.col("id") % 10 == 0).then("pay").otherwise(0.0)
        ),
        lambda f: f.with_columns(town=pl.lit(None, dtype=pl.String)),
        lambda f: f.with_columns(age=pl.col("age").cast(pl.String) + pl.col("id").cast(pl.String)),
    ],
    ids=["all equal", "nine of ten are zeros", "all missing", "as many categories as records"],
)
def test_files_that_are_hard_to_cut(tmp_path, change):
    frame = change(people(900, np.random.default_rng(2)))
    done = mask_files(pieces(frame, tmp_path / "in"), GROUPS, tmp_path / "out", rng=1)
    assert done.kept
    assert done.verdict.records == 900


def test_a_file_of_one_shard_is_masked_as_in_memory(tmp_path):
    frame = people(80, np.random.default_rng(3)).drop("town", "name")
    recipe = Recipe("r", {"quasi": ["age", "pay"]}, [{"method": "microaggregate", "k": 4}])
    mask_files(pieces(frame, tmp_path / "in"), recipe, tmp_path / "out", rng=5)
    written = pl.read_parquet(tmp_path / "out/*.parquet").sort("id")
    expected = recipe.run(as_table(frame)).frame
    for name in ("age", "pay"):
        assert written[name].to_list() == pytest.approx(expected[name].to_list())


STEPS = [
    {"method": "top_code", "quantile": 0.9, "columns": ["pay"]},
    {"method": "bottom_code", "quantile": 0.07, "replacement": "mean", "columns": ["pay"]},
    {"method": "top_code", "threshold": 70, "columns": ["age"]},
    {"method": "global_recode", "cuts": {"age": [30, 60]}},
    {"method": "global_recode", "merge": {"town": {"rare": ["c", "d"]}}},
    {"method": "global_recode", "levels": {"age": 1}, "hierarchies": {"age": {"widths": [10]}}},
]


@pytest.mark.parametrize("step", STEPS, ids=lambda s: "-".join(map(str, s))[:40])
def test_steps_by_record_are_exact(tmp_path, step):
    frame = people(400, np.random.default_rng(4), gaps=0.1)
    recipe = Recipe("r", {"quasi": KEYS}, [step])
    mask_files(pieces(frame, tmp_path / "in"), recipe, tmp_path / "out", rng=6)
    written = pl.read_parquet(tmp_path / "out/*.parquet").sort("id")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = recipe.run(as_table(frame)).frame
    for name in KEYS:
        found, wanted = written[name].to_list(), expected[name].to_list()
        assert found == (pytest.approx(wanted) if name == "pay" else wanted)


@pytest.mark.slow
def test_steps_follow_each_other_and_see_what_came_before(tmp_path):
    frame = people(600, np.random.default_rng(5))
    steps = [
        {"method": "top_code", "quantile": 0.8, "columns": ["pay"]},
        {"method": "microaggregate", "k": 3},
        {"method": "top_code", "quantile": 0.5, "columns": ["pay"]},
    ]
    recipe = Recipe("r", {"quasi": KEYS}, steps)
    done = mask_files(pieces(frame, tmp_path / "in"), recipe, tmp_path / "out", rng=6)
    written = pl.read_parquet(tmp_path / "out/*.parquet")
    assert done.kept
    assert (written["pay"] == written["pay"].max()).mean() == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_noise_and_pram_draw_by_shard_from_the_moments_of_the_whole(tmp_path):
    frame = people(3000, np.random.default_rng(6))
    steps = [
        {"method": "add_noise", "amount": 0.5, "columns": ["pay"]},
        {"method": "pram", "matrices": {"method": "frequency_matrix", "p": 0.7}, "columns": ["town"]},
    ]
    recipe = Recipe("r", {"quasi": KEYS}, steps)
    source = pieces(frame, tmp_path / "in")
    done = mask_files(source, recipe, tmp_path / "out", rng=6)
    written = pl.read_parquet(tmp_path / "out/*.parquet").sort("id")
    assert done.kept  # no promise was made
    added = (written["pay"] - frame["pay"]).std() / frame["pay"].std()
    assert added == pytest.approx(0.5, rel=0.1)
    assert (written["town"] == frame["town"]).mean() == pytest.approx(0.7, abs=0.03)
    mask_files(source, recipe, tmp_path / "again", rng=6)
    again = pl.read_parquet(tmp_path / "again/*.parquet").sort("id")
    assert again.equals(written)
    mask_files(source, recipe, tmp_path / "other", rng=7)
    assert not pl.read_parquet(tmp_path / "other/*.parquet").sort("id").equals(written)


def test_a_shard_below_k_joins_others_in_the_border_round(tmp_path, monkeypatch):
    from shoal.distributed import run_stages
    from shoal.distributed.shards import kd_cuts

    def lopsided(X, records, shard_records, *, turned=False):
        if turned:
            return kd_cuts.Cuts(kd_cuts.Leaf(0), 1)
        lowest = float(np.sort(X[:, 0])[1])
        return kd_cuts.Cuts(kd_cuts.Cut(0, lowest, kd_cuts.Leaf(0), kd_cuts.Leaf(1)), 2)

    monkeypatch.setattr(run_stages, "kd_cuts", lopsided)
    frame = people(300, np.random.default_rng(7)).with_columns(age=pl.col("id"))
    assert mask_files(pieces(frame, tmp_path / "in"), GROUPS, tmp_path / "out", rng=1).kept


def test_a_broken_promise_leaves_nothing_unless_asked(tmp_path):
    frame = people(300, np.random.default_rng(8))
    recipe = Recipe(
        "r", {"quasi": KEYS}, [{"method": "top_code", "threshold": 50, "columns": "age"}], promise={"k": 3}
    )
    source = pieces(frame, tmp_path / "in")
    with pytest.raises(PromiseBroken, match="nothing was written"):
        mask_files(source, recipe, tmp_path / "out", rng=1)
    assert nothing_left(tmp_path, "in")
    done = mask_files(source, recipe, tmp_path / "out.csv", anyway=True, rng=1)
    assert done.headline.startswith("RELEASED ANYWAY: k = 3 NOT reached")
    assert pl.read_csv(tmp_path / "out.csv").height == 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ([{"method": "global_median", "k": 3}], "global_median has no form"),
        ([{"method": "microaggregate", "k": 3, "t_closeness": 0.2, "confidential": "ill"}], "t_closeness"),
        ([{"method": "microaggregate", "k": 3, "strata": ["town"], "columns": ["age"]}], "strata"),
        ([{"method": "top_code", "quantile": 0.9, "strata": ["town"], "columns": ["age"]}], "strata"),
        ([{"method": "pram", "matrices": "evolve_pram"}], "searched for"),
    ],
)
def test_steps_without_a_form_are_refused_before_a_record_moves(tmp_path, monkeypatch, steps, sentence):
    from shoal.distributed.engines.polars_engine import PolarsEngine

    monkeypatch.setattr(PolarsEngine, "shards", lambda *_: pytest.fail("records moved"))
    source = pieces(people(300, np.random.default_rng(9)), tmp_path / "in")
    with pytest.raises(NotApplicable, match=sentence):
        mask_files(source, Recipe("r", {"quasi": KEYS}, steps), tmp_path / "out")
    with pytest.raises(NotApplicable, match="Households"):
        mask_files(source, Recipe("r", {"quasi": KEYS, "household": ["id"]}, GROUPS.steps), tmp_path / "out")
    assert nothing_left(tmp_path, "in")


def test_targets_that_cannot_be_written(tmp_path):
    source = pieces(people(30, np.random.default_rng(9)), tmp_path / "in")
    for target, sentence in [
        (tmp_path / "in", "exists already"),
        (tmp_path / "no" / "out", "does not exist"),
        (tmp_path / "out.xlsx", "must be a folder"),
    ]:
        with pytest.raises(InvalidInput, match=sentence):
            mask_files(source, GROUPS, target)
    with pytest.raises(InvalidInput, match="from 2 to 30"):
        mask_files(source, Recipe("r", GROUPS.roles, [{"method": "microaggregate", "k": 31}]), tmp_path / "o")
    assert nothing_left(tmp_path, "in")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (pl.Series([1.5] * 29 + [float("inf")]), "'x' has an infinite number"),
        (pl.Series([1] * 29 + [10**9], dtype=pl.Int32).cast(pl.Date), "'x' has a date"),
        (pl.Series([1] * 30).cast(pl.Duration("us")), "'x' holds duration values"),
        (pl.Series([[1]] * 30), "'x' holds list values"),
    ],
)
def test_values_that_no_group_can_hold_are_refused_before_a_record_moves(
    tmp_path, monkeypatch, values, sentence
):
    from shoal.distributed.engines.polars_engine import PolarsEngine

    monkeypatch.setattr(PolarsEngine, "shards", lambda *_: pytest.fail("records moved"))
    monkeypatch.setattr(sys.modules["shoal.distributed.sample_files"], "SAMPLE_RECORDS", 10)
    frame = people(30, np.random.default_rng(9)).with_columns(x=values)
    recipe = Recipe("r", {"quasi": ["age", "x"]}, [{"method": "microaggregate", "k": 3}])
    with pytest.raises(InvalidInput, match=sentence):
        mask_files(pieces(frame, tmp_path / "in"), recipe, tmp_path / "out")
    assert nothing_left(tmp_path, "in")


def test_names_that_a_csv_would_change_are_refused_before_a_record_moves(tmp_path):
    frame = people(30, np.random.default_rng(9)).rename({"age": " age "})
    recipe = Recipe("r", {"quasi": [" age "]}, [{"method": "microaggregate", "k": 3}])
    with pytest.raises(InvalidInput, match="' age ' is another"):
        mask_files(pieces(frame, tmp_path / "in"), recipe, tmp_path / "out.csv")
    assert mask_files(tmp_path / "in", recipe, tmp_path / "out", rng=1).kept


def test_the_work_folder_is_private_and_progress_can_stop_the_job(tmp_path):
    source = pieces(people(500, np.random.default_rng(9)), tmp_path / "in")
    seen = []

    def callback(progress):
        folders = [p for p in tmp_path.iterdir() if p.name.startswith(".shoal-work-")]
        seen.append((oct(folders[0].stat().st_mode & 0o777), (tmp_path / "out").exists(), progress))
        return len(seen) > 4

    with pytest.raises(Stopped, match="nothing was written"):
        mask_files(source, GROUPS, tmp_path / "out", callback=callback)
    assert {mode for mode, *_ in seen} == {"0o700"}
    assert not any(there for _, there, _ in seen)
    assert "a second" in seen[2][2].message
    assert nothing_left(tmp_path, "in")
