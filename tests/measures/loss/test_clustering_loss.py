from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal import InvalidInput, as_table, microaggregate
from shoal.datasets import make_census
from shoal.masking import c_median
from shoal.measures import clustering_loss, rand_index

TABLE = as_table({"a": [0, 1, 9, 10], "b": ["x", "x", "y", "y"]}, roles={"quasi": ["a", "b"]})


def test_the_same_file_loses_nothing_and_another_what_the_index_says():
    cluster = partial(c_median, c=2)
    assert clustering_loss(TABLE, TABLE, cluster=cluster, rng=1) == 0
    turned = TABLE.assign(a=[0, 9, 1, 10], b=["x", "y", "x", "y"])
    assert clustering_loss(TABLE, turned, cluster=cluster, rng=1) == 100, "below chance is 100"
    assert clustering_loss(TABLE, turned, cluster=cluster, index=rand_index, rng=1) == pytest.approx(200 / 3)


def test_any_clustering_will_do_and_gets_the_same_random_numbers():
    drawn = []

    def at_random(table, *, rng):
        drawn.append(np.random.default_rng(rng).integers(2, size=len(table)))
        return drawn[-1]

    assert clustering_loss(TABLE, TABLE.assign(a=[3, 3, 3, 3]), cluster=at_random) == 0
    assert drawn[0].tolist() == drawn[1].tolist()
    assert clustering_loss(TABLE, TABLE, cluster=lambda table: [0, 1, 0, 1]) == 0


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_more_protection_loses_more_clusters():
    table = make_census(400, rng=1)
    cluster = partial(c_median, c=4, columns=["age", "sex", "education"])
    losses = [clustering_loss(table, microaggregate(table, k=k), cluster=cluster, rng=1) for k in (2, 100)]
    assert 0 < losses[0] < losses[1] <= 100


def test_files_that_do_not_fit_are_refused():
    with pytest.raises(InvalidInput, match="4 and 2 records"):
        clustering_loss(TABLE, TABLE.take(np.array([0, 1])), cluster=partial(c_median, c=2))
    with pytest.raises(InvalidInput, match="one label per record"):
        clustering_loss(TABLE, TABLE, cluster=lambda table: [0])
