from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist

from shoal._kernels.partitioners.mst import spanning_tree
from shoal.partition import mdav, mst, relabel, sizes, sse
from small_files import make, small_files


def oracle(X, k):
    """Cut the edges of scipy's tree from the longest on, counting components anew every time."""
    tree = minimum_spanning_tree(cdist(X, X)).toarray()
    for i, j in sorted(zip(*np.nonzero(tree), strict=True), key=lambda edge: -tree[edge]):
        length, tree[i, j] = tree[i, j], 0.0
        if np.bincount(connected_components(tree, directed=False)[1]).min() < k:
            tree[i, j] = length
    return relabel(connected_components(tree, directed=False)[1])


@settings(max_examples=150)
@given(small_files(sorts=("normal", "clusters"), most=25))
def test_it_is_the_algorithm_of_the_paper(file):
    X, k = file
    np.testing.assert_array_equal(mst(X, k, split=False), oracle(X, k))


@settings(max_examples=150)
@given(small_files(sorts=("ties", "normal", "constant")))
def test_no_tree_is_shorter(file):
    X, _ = file
    joined, parent, length = spanning_tree(X)
    assert sorted(joined.tolist()) == list(range(len(X)))
    distances = ((X[joined[1:]] - X[parent[joined[1:]]]) ** 2).sum(axis=1)
    np.testing.assert_allclose(length[joined[1:]], distances)
    points = np.unique(X, axis=0)  # scipy takes a distance of zero for no edge
    total = minimum_spanning_tree(cdist(points, points)).sum()
    np.testing.assert_allclose(np.sqrt(length[joined[1:]]).sum(), total, atol=1e-12)


def test_splitting_divides_only_large_groups_and_takes_any_partitioner():
    X = make("normal", 300, 2, 3)
    whole, split = mst(X, 3, split=False), mst(X, 3, partition=mdav)
    assert sizes(whole).max() > 5 >= sizes(split).max()
    assert sse(X, split) < sse(X, whole)
    small = sizes(whole)[whole] < 6
    np.testing.assert_array_equal(relabel(whole[small]), relabel(split[small]))


def test_natural_clusters_are_found_whatever_their_size():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [5.3], [9.0], [9.1], [9.2], [9.3], [9.4]])
    np.testing.assert_array_equal(sizes(mst(X, 3)), [3, 4, 5])
