from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from shoal._kernels.partitioners.hac import agglomerate
from shoal.errors import InvalidInput
from shoal.partition import hac, relabel, sizes
from shoal.partition.hac import LINKAGES, VARIANTS
from small_files import make, small_files


def distance(A, B, linkage):
    """Straight from the definitions, over all pairs of members."""
    pairs = cdist(A, B)
    if linkage in ("single", "complete", "average"):
        return {"single": np.min, "complete": np.max, "average": np.mean}[linkage](pairs)
    between = np.linalg.norm(A.mean(axis=0) - B.mean(axis=0))
    weight = 2 * len(A) * len(B) / (len(A) + len(B)) if linkage == "ward" else 1.0
    return np.sqrt(weight) * between


def oracle(X, limit, linkage, priority):
    """Look at all pairs of clusters before every merge."""
    clusters = [[i] for i in range(len(X))]
    while True:
        best = None
        for a in range(len(clusters)):
            for b in range(a + 1, len(clusters)):
                union = len(clusters[a]) + len(clusters[b])
                if union <= limit:
                    key = distance(X[clusters[a]], X[clusters[b]], linkage) / (union if priority else 1)
                    best = min(best or (np.inf, 0, 0), (key, a, b))
        if best is None:
            break
        _, a, b = best
        clusters[a] += clusters.pop(b)
    labels = np.empty(len(X), dtype=int)
    for g, rows in enumerate(clusters):
        labels[rows] = g
    return relabel(labels)


@pytest.mark.parametrize("priority", [False, True])
@pytest.mark.parametrize("linkage", LINKAGES)
@settings(max_examples=60)
@given(st.integers(2, 16), st.integers(1, 3), st.integers(2, 7), st.integers(0, 10**6))
def test_merges_are_those_of_the_definition(linkage, priority, n, d, limit, seed):
    X = make("normal", n, d, seed)
    D = cdist(X, X, "euclidean" if linkage == "average" else "sqeuclidean")
    found = agglomerate(D, limit, LINKAGES.index(linkage), priority)
    np.testing.assert_array_equal(relabel(found), oracle(X, limit, linkage, priority))


@pytest.mark.parametrize("variant", ["maximal", "completion"])
@settings(max_examples=100)
@given(small_files())
def test_as_many_groups_as_there_can_be(variant, file):
    X, k = file
    assert len(sizes(hac(X, k, variant=variant))) == len(X) // k


def test_a_small_cluster_borrows_from_its_closest_group():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [9.0], [9.1], [9.2], [9.3], [9.9], [20.0]])
    labels = hac(X, 3, linkage="single", variant="plain")
    np.testing.assert_array_equal(labels, [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2])


@pytest.mark.parametrize(("option", "value"), [("linkage", "wards"), ("variant", "maximum")])
def test_a_wrong_option_is_one_sentence(option, value):
    with pytest.raises(InvalidInput, match=f"`{option}` must be one of .* Did you mean"):
        hac(np.ones((5, 1)), 2, **{option: value})


def test_too_many_records_are_refused_before_any_memory_is_taken():
    with pytest.raises(InvalidInput, match=r"hac holds all n x n distances \(3.2 GB for 20001 records\)"):
        hac(np.zeros((20_001, 1)), 3)


def test_variants_and_linkages_differ():
    X = make("normal", 200, 3, 5)
    found = {hac(X, 6, linkage=link, variant=v).tobytes() for link in LINKAGES for v in VARIANTS}
    assert len(found) == len(LINKAGES) * len(VARIANTS)
