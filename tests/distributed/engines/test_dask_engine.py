"""Workers of a cluster that are not as this machine are said before a record moves."""

from __future__ import annotations

import pytest

pytest.importorskip("distributed", reason="dask is not installed")

from shoal.distributed.engines.dask_engine import check_versions
from shoal.errors import InvalidInput


class Cluster:
    """What a client of Dask tells about a scheduler and two workers."""

    def __init__(self, scheduler="spec", worker="spec", polars="2.1"):
        self.scheduler, self.worker, self.polars = scheduler, worker, polars

    def run_on_scheduler(self, *asked):
        return self.scheduler

    def run(self, *asked, on_error):
        return {"tcp://a": "spec", "tcp://b": self.worker}

    def get_versions(self, packages):
        here, there = ({"packages": {"shoal": "1", "polars": p}} for p in ("2.1", self.polars))
        return {"client": here, "workers": {"tcp://a": here, "tcp://b": there}}


@pytest.mark.parametrize(
    ("cluster", "said"),
    [
        (Cluster(scheduler=None), "Dask has no shoal at its scheduler"),
        (Cluster(worker=None), "Dask has no shoal at tcp://b"),
        (Cluster(polars="2.0"), r"Dask has polars 2\.0 at tcp://b, and here it is 2\.1"),
    ],
)
def test_a_worker_that_is_not_as_here(cluster, said):
    with pytest.raises(InvalidInput, match=said):
        check_versions(cluster)
    check_versions(Cluster(polars=None))  # not known: not refused
