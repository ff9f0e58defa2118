"""Clusters in networks of their own: a link is cut, as when a machine or a switch is lost."""

from __future__ import annotations

import polars as pl
import pytest

pytestmark = pytest.mark.slow


def cut_in(stage, job, cut, place):
    """Cuts a link when a stage has begun (Spark) or its first records are done (Dask): what the job said."""
    lines = iter(job.stdout)
    assert any(line.startswith(f"step {stage}") for line in lines)
    cut(place)
    for _ in lines:
        pass
    return job.stderr.read()


@pytest.mark.parametrize("stage", [1, 2])
def test_a_worker_that_cannot_be_reached_any_more_changes_nothing(apart, cut, people, stage):
    job = apart.job(people / "out")
    said = cut_in(stage, job, cut, "second")
    assert job.wait(120) == 0, said
    assert pl.read_parquet(people / "out" / "*.parquet").sort("id").equals(apart.expected())


def test_a_driver_that_cannot_be_reached_any_more_ends_and_leaves_nothing(apart, cut, people):
    job = apart.job(people / "out")
    said = cut_in(1, job, cut, "driver")
    assert job.wait(120) != 0
    assert "nothing is released" in said
    assert sorted(path.name for path in people.iterdir()) == ["a.parquet"]
