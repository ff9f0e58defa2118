from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from shoal._kernels.partitioners.hac import agglomerate
from shoal.errors import InvalidInput
from shoal.partition import hac, relabel, sizes
from shoal.partition._shared.prepare import prepare
from shoal.partition.hac import DISTANCES, LINKAGES, VARIANTS, _distances
from shoal.partition.labels import members
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


@settings(max_examples=60)
@given(small_files())
def test_listed_leftovers_are_taken_cluster_by_cluster(file):
    X, k = file
    X = X + np.random.default_rng(len(X)).normal(scale=1e-3 * (1 + np.ptp(X)), size=X.shape)  # no two alike
    X, k = prepare(X, k)
    for linkage in LINKAGES:
        D = cdist(X, X, "euclidean" if linkage == "average" else "sqeuclidean")
        clusters = members(relabel(agglomerate(D, k, LINKAGES.index(linkage), False)))
        listed = [row for rows in clusters if len(rows) < k for row in rows]
        labels = hac(X, k, linkage=linkage, leftovers="listed")
        assert sizes(labels).min() >= k
        for first in range(0, len(listed) - k + 1, k):
            assert len(set(labels[listed[first : first + k]])) == 1
        for rows in clusters:
            assert len(rows) < k or len(set(labels[rows])) == 1


@pytest.mark.parametrize("name", DISTANCES)
@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_any_distance_merges_by_the_definition(name, linkage):
    X, k = prepare(np.random.default_rng(8).normal(size=(14, 3)), 3)
    scipy_name = {"manhattan": "cityblock"}.get(name, name)
    D = cdist(X, X, scipy_name)
    clusters = [[i] for i in range(len(X))]
    choose = {"single": np.min, "complete": np.max, "average": np.mean}[linkage]
    while True:
        pairs = [
            (choose(D[np.ix_(clusters[a], clusters[b])]), a, b)
            for a in range(len(clusters))
            for b in range(a + 1, len(clusters))
            if len(clusters[a]) + len(clusters[b]) <= 2 * k - 1
        ]
        if not pairs:
            break
        _, a, b = min(pairs)
        clusters[a] += clusters.pop(b)
    labels = hac(X, k, linkage=linkage, distance=name, variant="plain")
    for rows in clusters:  # but for what a cluster below k borrows
        assert len(rows) < k or len(set(labels[rows])) <= 2
    whole = agglomerate(
        _distances(X, name, squared=linkage != "average"), 2 * k - 1, LINKAGES.index(linkage), False
    )
    assert sorted(map(sorted, clusters)) == sorted(map(sorted, (m.tolist() for m in members(relabel(whole)))))


@pytest.mark.parametrize("name", DISTANCES)
@settings(max_examples=20)
@given(small_files())
def test_any_distance_gives_groups_of_the_right_size(name, file):
    X, k = file
    assert sizes(hac(X, k, linkage="average", distance=name)).min() >= k


@pytest.mark.parametrize("linkage", ["ward", "centroid"])
def test_means_need_euclidean_distances(linkage):
    with pytest.raises(InvalidInput, match="Euclidean"):
        hac(np.arange(8.0)[:, None], 2, linkage=linkage, distance="manhattan")
