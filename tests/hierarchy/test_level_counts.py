"""level_counts against counting path by path."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hierarchy.trees import PLACES
from shoal import InvalidInput
from shoal.hierarchy import level_counts


@pytest.mark.parametrize("seed", range(30))
def test_counts_are_those_of_the_paths(seed):
    rng = np.random.default_rng(seed)
    values = [*rng.choice(["Paris", "Lyon", "Rome", "Lima"], 20).tolist(), None, float("nan")]
    paths = {path[0]: path for path in PLACES.paths}
    for level, found in enumerate(level_counts(PLACES, values)):
        slow = Counter(paths[value][level] for value in values if value in paths)
        assert dict(zip(found.labels, found.records, strict=True)) == slow
        assert (found.level, found.smallest) == (level, min(slow.values()))


def test_labels_count_from_their_level_on_and_unknown_values_are_said_by_row():
    found = level_counts(PLACES, ["Paris", "France"])
    assert dict(zip(found[1].labels, found[1].records, strict=True)) == {"France": 2}
    assert found[0].labels == ("Paris", "France")
    assert [one.smallest for one in level_counts(PLACES, [None])] == [0, 0, 0, 0]
    with pytest.raises(InvalidInput, match="the value at row 1"):
        level_counts(PLACES, ["Paris", "Oslo"])
