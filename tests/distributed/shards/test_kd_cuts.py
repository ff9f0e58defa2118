import numpy as np
import pytest

from shoal.distributed.shards.kd_cuts import kd_cuts, mixed


@pytest.mark.parametrize("turned", [False, True])
def test_shards_are_about_equal_and_all_records_have_one(turned):
    X = np.random.default_rng(0).normal(size=(4000, 3))
    plan = kd_cuts(X, records=40_000, shard_records=5_000, turned=turned)
    found = plan.shards(X, np.arange(len(X)))
    sizes = np.bincount(found, minlength=plan.count)
    assert plan.count == len(sizes) == 8
    assert sizes.min() >= 400


def test_a_column_of_zeros_is_not_cut_but_another_one_is():
    rng = np.random.default_rng(1)
    X = np.column_stack([np.where(rng.random(4000) < 0.9, 0.0, 100 * rng.random(4000)), rng.random(4000)])
    plan = kd_cuts(X, records=4000, shard_records=1000)
    sizes = np.bincount(plan.shards(X, np.arange(len(X))), minlength=plan.count)
    assert plan.count == 4
    assert sizes.min() > 900


def test_equal_records_are_dealt_out_by_number():
    plan = kd_cuts(np.zeros((500, 2)), records=50_000, shard_records=10_000)
    found = plan.shards(np.zeros((10_000, 2)), np.arange(10_000))
    assert plan.count == 5
    assert np.bincount(found).min() > 1800
    assert (found == plan.shards(np.zeros((10_000, 2)), np.arange(10_000))).all()


def test_one_shard_is_enough_for_a_small_file():
    assert kd_cuts(np.arange(10.0)[:, None], records=10, shard_records=20).count == 1


def test_mixed_numbers_are_spread_and_depend_on_the_secret():
    a, b = mixed(np.arange(10_000), 1), mixed(np.arange(10_000), 2)
    assert len(np.unique(a)) == 10_000
    assert (a % np.uint64(10) == b % np.uint64(10)).mean() == pytest.approx(0.1, abs=0.02)
