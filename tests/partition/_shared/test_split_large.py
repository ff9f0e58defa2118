from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from shoal.partition import mdav, relabel, sizes, sse
from shoal.partition._shared.split_large import split_large
from small_files import small_files, unit


@settings(max_examples=100)
@given(small_files())
def test_only_large_groups_are_divided_and_the_loss_falls(file):
    X, k = unit(file[0]), file[1]
    cut = max(k, len(X) // 3) if len(X) - max(k, len(X) // 3) >= k else len(X)
    labels = (np.arange(len(X)) >= cut).astype(int)
    split = relabel(split_large(X, labels, k, mdav))
    assert k <= sizes(split).min()
    assert sizes(split).max() <= 2 * k - 1
    assert sse(X, split) <= sse(X, labels) * (1 + 1e-9) + 1e-30
    for group in range(split.max() + 1):
        assert len(set(labels[split == group])) == 1
    for group in np.flatnonzero(sizes(labels) < 2 * k):
        assert len(set(split[labels == group])) == 1
