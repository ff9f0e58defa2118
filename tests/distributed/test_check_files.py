"""Counting files larger than memory: the same verdict as `check` on all of them joined."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from shoal import Promise, as_table, check, check_files
from shoal.distributed import group_by_parts
from shoal.errors import InvalidInput, NotApplicable

ROLES = {"quasi": ["age", "town"], "confidential": ["ill", "pay"]}


def people(n, rng, gaps=True):
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 24, n).astype(float),
            "town": rng.choice(["a", "b", "a "], n),
            "ill": rng.choice(["flu", "gout", "none"], n),
            "pay": rng.integers(0, 6, n),
            "home": rng.integers(0, max(n // 2, 1), n),
        }
    )
    if gaps:
        hole = pl.Series(rng.random(n) < 0.1)
        frame = frame.with_columns(
            pl.when(hole).then(None).otherwise(pl.col(name)).alias(name) for name in ("age", "ill")
        )
    return frame


def write_pieces(frame, folder, kind="parquet"):
    bounds = [0, frame.height // 3, frame.height // 2, frame.height]
    for number, (start, end) in enumerate(pairwise(bounds)):
        piece = frame[start:end]
        path = folder / f"{number}.{kind}"
        piece.write_parquet(path) if kind == "parquet" else piece.write_csv(path)
    return folder


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("household", [False, True])
def test_the_verdict_is_that_of_check_on_the_joined_file(tmp_path, seed, household):
    rng = np.random.default_rng(seed)
    frame = people(int(rng.integers(20, 400)), rng, gaps=seed % 2 == 0)
    roles = ROLES | ({"household": ["home"]} if household else {})
    promise = Promise(k=4, l={"ill": 2, "pay": 3}, t={"ill": 0.3, "pay": 0.25}, max_risk=0.2)
    expected = check(as_table(frame, roles=roles), promise)
    found = check_files(write_pieces(frame, tmp_path), promise=promise, roles=roles)
    assert found.kept == expected.kept
    assert found.classes == expected.classes
    assert found.records == expected.records
    assert found.breaking == len(expected.breaking_records)
    assert found.reached["t"] == pytest.approx(expected.reached["t"])
    assert {**found.reached, "t": 0} == {**expected.reached, "t": 0}
    notes = expected.notes  # whole households are not counted at scale
    assert found.sentences == tuple(line for line in expected.sentences if line not in notes)


@pytest.mark.parametrize("promise", [Promise(k=3), Promise(k=3, l={"ill": 2}), Promise(k=2, t={"pay": 0.5})])
def test_counting_in_parts_changes_nothing(tmp_path, monkeypatch, promise):
    frame = people(2000, np.random.default_rng(1)).with_columns(age=pl.int_range(2000) // 4)
    folder = write_pieces(frame, tmp_path)
    whole = check_files(folder, promise=promise, roles=ROLES)
    monkeypatch.setattr(group_by_parts, "BESIDE_GROUP", 500_000)
    heard = []
    parts = check_files(folder, promise=promise, roles=ROLES, memory="500MB", callback=heard.append)
    assert len(heard) > 3
    assert heard[-1].fraction == 1
    assert parts.to_dict() == whole.to_dict()


def test_csv_is_counted_as_it_stands(tmp_path):
    (tmp_path / "a.csv").write_text("age,town\n1.0,x\n1,x\n2,\n")
    (tmp_path / "b.csv").write_text('age,town\n1,x\n2,""\n1.0,x\n')
    found = check_files(tmp_path, promise=Promise(k=2), roles={"quasi": ["age", "town"]})
    assert (found.kept, found.classes) == (True, 3)
    assert check_files(str(tmp_path / "?.csv"), promise=Promise(k=3), roles={"quasi": "town"}).breaking == 2


def test_t_of_numbers_in_csv_is_by_their_order(tmp_path):
    frame = people(300, np.random.default_rng(3), gaps=False).with_columns(pay=pl.col("pay") * 5)
    promise = Promise(t={"pay": 0.2})
    expected = check(as_table(frame, roles=ROLES), promise)
    found = check_files(write_pieces(frame, tmp_path, "csv"), promise=promise, roles=ROLES)
    assert found.reached["t"] == pytest.approx(expected.reached["t"])


def test_both_zeros_are_different_and_nan_is_missing(tmp_path):
    pl.DataFrame({"x": [0.0, -0.0, None, float("nan")]}).write_parquet(tmp_path / "a.parquet")
    found = check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "x"})
    assert (found.classes, found.breaking, found.reached) == (3, 2, {"k": 1})


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda f: pl.DataFrame({"age": [1]}).write_parquet(f / "b.parquet"), "column 'town'"),
        (lambda f: pl.DataFrame({"age": ["x"], "town": ["y"]}).write_parquet(f / "b.parquet"), "as one type"),
        (lambda f: (f / "b.parquet").touch(), "empty file of 0 bytes"),
        (lambda f: (f / "b.parquet").write_text("no"), "could not be read as parquet"),
        (lambda f: (f / "b.csv").write_text("age\n1\n"), "those of one kind"),
        (lambda f: (f / "a.parquet").rename(f / "a.xlsx"), "holds no .parquet or .csv"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path, make, sentence):
    pl.DataFrame({"age": [1], "town": ["y"]}).write_parquet(tmp_path / "a.parquet")
    make(tmp_path)
    with pytest.raises(InvalidInput, match=sentence):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "age"})


def test_text_that_is_no_table_is_refused_without_its_values(tmp_path):
    (tmp_path / "a.csv").write_text("age,town\n1,secret,2,3\n1,x\n")
    with pytest.raises(InvalidInput, match=r"Line 2 of a\.csv has not 2 cells"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "age"})
    (tmp_path / "a.csv").write_text("age,town\n1,x\n1\n")
    with pytest.raises(InvalidInput, match="Line 3"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "age"})
    (tmp_path / "a.csv").write_text('age,town\n1,"secret\nb"\n1,"secret\nb"\n')
    assert check_files(tmp_path, promise=Promise(k=2), roles={"quasi": ["age", "town"]}).kept
    (tmp_path / "a.csv").write_bytes(b"age,town\n1,\xff\xfe\n")
    with pytest.raises(InvalidInput, match=r"utf-8|to their end"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": ["age", "town"]})
    (tmp_path / "a.csv").write_text("age,age\n1,2\n")
    with pytest.raises(InvalidInput, match="Two columns are named"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "age"})


def test_questions_that_have_no_answer(tmp_path):
    empty = pl.DataFrame(schema={"age": pl.Int64})
    empty.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(NotApplicable, match="no records"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "age"})
    pl.DataFrame({"age": [1]}).write_parquet(tmp_path / "b.parquet")
    assert check_files(tmp_path, promise=Promise(k=1), roles={"quasi": "age"}).kept
    with pytest.raises(InvalidInput, match="role quasi"):
        check_files(tmp_path, promise=Promise(k=2), roles={})
    with pytest.raises(InvalidInput, match="no column 'agee'"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "agee"})
    with pytest.raises(NotApplicable, match="not counted on files at scale"):
        check_files(
            tmp_path, promise=Promise(k=2, others={"entropy_l_diverse": {"l": 2}}), roles={"quasi": "age"}
        )
    with pytest.raises(InvalidInput, match="size such as 4GB"):
        check_files(tmp_path, promise=Promise(k=2), roles={"quasi": "age"}, memory="lots")
