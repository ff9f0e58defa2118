from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from shoal.partition import md, relabel
from shoal.partition._shared.prepare import prepare
from shoal.partition.labels import assign_to_nearest
from small_files import small_files


def oracle(X, k):
    """Measure all pairs anew for every two groups."""
    X, k = prepare(X, k)

    def distance(i, j):
        return sum((a - b) ** 2 for a, b in zip(X[i].tolist(), X[j].tolist(), strict=True))

    norm = np.sqrt((X**2).sum(axis=1))
    free, labels, groups = list(range(len(X))), np.full(len(X), -1), 0
    while len(free) >= 2 * k:
        pairs = [(i, j) for i in free for j in free if i != j]
        pair = max(pairs, key=lambda p: (distance(*p), -p[0], -p[1]))
        r = max(pair, key=lambda i: norm[i])
        for chosen in ("r", "s"):
            centre = r if chosen == "r" else max(free, key=lambda i: (distance(i, r), -i))
            group = sorted(free, key=lambda i: (distance(i, centre), i))[:k]
            labels[group] = groups
            free = [i for i in free if i not in group]
            groups += 1
    if len(free) >= k:
        labels[free] = groups
    return relabel(assign_to_nearest(X, labels))


@settings(max_examples=150)
@given(small_files(most=18))
def test_it_is_the_algorithm_of_the_paper(file):
    X, k = file
    np.testing.assert_array_equal(md(X, k), oracle(X, k))
