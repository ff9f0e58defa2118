from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.partition import mdav, projection
from shoal.partition._anneal.consensus import companions, disputed


def two_partitions(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(2 * k, 30)), 2))
    return X, [mdav(X, k), projection(X, k)], rng


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_companions_share_a_group_and_are_others(seed, k):
    _, population, rng = two_partitions(seed, k)
    found = companions(population, k, rng)
    assert found.shape == (len(population[0]), 2 * (k - 1))
    for number, labels in enumerate(population):
        mine = found[:, number * (k - 1) : (number + 1) * (k - 1)]
        assert (labels[mine] == labels[:, None]).all()
        for row, others in enumerate(mine):
            assert row not in others
            assert len(set(others.tolist())) == k - 1


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_disputed_is_who_is_not_in_the_same_group_everywhere(seed, k):
    _, population, _ = two_partitions(seed, k)
    one, other = population
    slow = [
        i
        for i in range(len(one))
        if set(np.flatnonzero(one == one[i])) != set(np.flatnonzero(other == other[i]))
    ]
    assert disputed(population).tolist() == slow
    assert disputed([one, one]).tolist() == []
