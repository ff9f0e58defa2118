from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.errors import InvalidInput
from shoal.partition import relabel, sizes, sse, v_mdav
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.mdav import mdav
from shoal.partition.v_mdav import GAMMAS
from small_files import make, small_files


def oracle(X, k, gamma):
    """The paper step by step, with lists; leftovers go to the group of the closest record."""
    X, k = prepare(X, k)

    def distance(i, j):
        return sum((a - b) ** 2 for a, b in zip(X[i].tolist(), X[j].tolist(), strict=True))

    norm = np.einsum("ij,ij->i", X, X)
    free, groups = list(range(len(X))), []
    while len(free) >= k:
        e = max(free, key=lambda i: (norm[i], -i))
        group = sorted(free, key=lambda i: (distance(i, e), i))[:k]
        free = [i for i in free if i not in group]
        while len(group) < 2 * k - 1 and len(free) > 1:
            near = min(free, key=lambda i: (min(distance(i, j) for j in group), i))
            inside = min(distance(near, j) for j in group)
            outside = min(distance(near, j) for j in free if j != near)
            if not inside < gamma * outside:
                break
            group.append(near)
            free.remove(near)
        groups.append(group)
    owner = {i: g for g, group in enumerate(groups) for i in group}
    late = {i: owner[min(sorted(owner), key=lambda j: (distance(i, j), j))] for i in free}
    labels = np.array([{**owner, **late}[i] for i in range(len(X))])
    return relabel(split_large(X, labels, k, mdav))


@settings(max_examples=200)
@given(small_files(most=20), st.sampled_from([0.0, 0.2, 0.5, 1.1, 3.0]))
def test_it_is_the_algorithm_of_the_paper(file, gamma):
    X, k = file
    np.testing.assert_array_equal(v_mdav(X, k, gamma=gamma), oracle(X, k, gamma))


def test_auto_keeps_the_best_of_its_grid():
    X = make("clusters", 60, 2, 1)
    losses = [sse(X, v_mdav(X, 3, gamma=gamma)) for gamma in GAMMAS]
    assert sse(X, v_mdav(X, 3, gamma="auto")) == min(losses)
    assert min(losses) < max(losses)


def test_a_large_gamma_finds_natural_clusters_a_fixed_size_misses():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [9.0], [9.1], [9.2], [20.0], [20.1], [20.2], [20.3]])
    np.testing.assert_array_equal(sizes(v_mdav(X, 3, gamma=1.1)), [4, 3, 4])
    assert sse(X, v_mdav(X, 3, gamma=1.1)) < sse(X, mdav(X, 3))


@pytest.mark.parametrize("gamma", [-0.1, "automatic", None, np.nan])
def test_a_wrong_gamma_is_one_sentence(gamma):
    with pytest.raises(InvalidInput, match="`gamma` must be a number"):
        v_mdav(np.ones((5, 1)), 2, gamma=gamma)
