"""Clusters in networks of their own: a link is cut, as when a machine or a switch is lost."""

from __future__ import annotations

import re
import signal

import polars as pl
import pytest

pytestmark = pytest.mark.slow


def cut_at(moment, job, cut, place, *, stop=False):
    """Cuts a link as soon as a job says so: all the job said."""
    lines = iter(job.stdout)
    assert any(re.match(moment, line) for line in lines)
    cut(place)
    if stop:
        job.send_signal(signal.SIGINT)
    for _ in lines:
        pass
    return job.stderr.read()


@pytest.mark.parametrize("moment", ["step 1 of 3, 0 of", "step 2 of 3, [1-9]"])
def test_a_worker_that_cannot_be_reached_any_more_changes_nothing(apart, cut, people, moment):
    job = apart.job(people / "out")
    said = cut_at(moment, job, cut, "second")
    assert job.wait(120) == 0, said
    assert pl.read_parquet(people / "out" / "*.parquet").sort("id").equals(apart.expected())


def test_a_driver_that_cannot_be_reached_any_more_leaves_nothing(apart, cut, people):
    """Dask ends the job; Spark waits for other executors until somebody stops it."""
    job = apart.job(people / "out")
    said = cut_at("step 1", job, cut, "driver", stop=apart.engine == "spark")
    assert job.wait(120) != 0
    assert ("KeyboardInterrupt" if apart.engine == "spark" else "nothing is released") in said
    assert sorted(path.name for path in people.iterdir()) == ["a.parquet"]
