"""The pictures of evolution are drawn from the committed results."""

from __future__ import annotations

import runpy
from pathlib import Path

import polars as pl
import pytest

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "quality"


def test_the_pictures_are_made_by_their_script(tmp_path):
    pytest.importorskip("matplotlib", reason="the pictures need the extra `report`")
    script = runpy.run_path(str(ROOT / "docs" / "make_evolution_pictures.py"))
    script["draw_populations"](tmp_path / "populations.png")
    script["draw_populations"](tmp_path / "without.png", without=10)
    script["draw_curves"](tmp_path / "curves.png")
    script["draw_pram"](tmp_path / "pram.png")
    assert all(path.stat().st_size > 10_000 for path in tmp_path.iterdir())


def test_evolution_was_better_in_every_experiment():
    """What the docs say of the committed results is so."""
    files = pl.read_csv(RESULTS / "evolution.csv")
    assert set(files["file"]) == {"german", "flare", "adult", "housing"}
    assert set(files["without"]) == {0, 5, 10}
    assert (files["score_last"] < files["score_first"]).all()
    pram = pl.read_csv(RESULTS / "evolution_pram.csv", infer_schema_length=None)
    cases = pram.partition_by("file", "fitness", "diagonal")
    assert len(cases) == 16
    for case in cases:
        (evolved,) = case.filter(method="evolve_pram")["score"]
        assert evolved < case.filter(pl.col("method").str.ends_with("_matrix"))["score"].min()
