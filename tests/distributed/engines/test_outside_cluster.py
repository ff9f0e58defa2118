"""Clusters that were started apart from the job: they outlive whoever asked them."""

from __future__ import annotations

import signal

import polars as pl
import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("stage", [1, 2])
def test_a_driver_that_is_killed_leaves_nothing_visible_and_the_next_one_cleans_up(cluster, people, stage):
    first = cluster.job(people / "out")
    assert any(line.startswith(f"step {stage}") for line in first.stdout)
    first.kill()
    assert first.wait(60) == -signal.SIGKILL
    (left,) = (path for path in people.iterdir() if path.name != "a.parquet")
    assert left.name.startswith(".shoal-work-")
    second = cluster.job(people / "out")
    said = second.communicate()[1]
    assert second.returncode == 0, said
    assert f"An earlier run was killed and had left {left.name}" in said
    assert pl.read_parquet(people / "out" / "*.parquet").sort("id").equals(cluster.expected())
    assert sorted(path.name for path in people.iterdir()) == ["a.parquet", "here", "out"]
