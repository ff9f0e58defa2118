"""Risky combinations, against counting by hand, and mu-Argus's identification levels."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.measures import risky_combinations


@pytest.mark.parametrize("seed", range(20))
def test_combinations_of_values_are_counted_as_by_hand(seed):
    rng = np.random.default_rng(seed)
    rows = [[None if v == 4 else int(v) for v in row] for row in rng.integers(0, 5, (40, 4))]
    names = ["a", "b", "c", "d"]
    table = as_table({n: [row[i] for row in rows] for i, n in enumerate(names)}, roles={"quasi": names})
    found = {row[0]: row[1:] for row in risky_combinations(table, k=3).rows()}
    risky = {}
    for size in (1, 2, 3):
        for chosen in combinations(range(4), size):
            keys = [tuple(row[c] for c in chosen) for row in rows]
            counts = Counter(key for key in keys if None not in key)
            bad = {i for i, key in enumerate(keys) if 0 < counts[key] < 3}
            inner = set().union(*(risky[p] for s in range(1, size) for p in combinations(chosen, s)))
            risky[chosen] = bad
            few = sum(count < 3 for count in counts.values())
            assert found[" x ".join(names[c] for c in chosen)] == (size, few, len(bad), len(bad - inner))
    assert len(found) == 4 + 6 + 4


def test_levels_say_which_columns_go_together():
    table = as_table({name: [1, 2, 3] for name in "abcd"}, roles={"quasi": list("abcd")})
    found = risky_combinations(table, k=2, levels={"b": 2, "c": 3, "d": 0})["columns"].to_list()
    assert sorted(found) == ["a", "a x b", "a x b x c"]
    with pytest.raises(InvalidInput, match="no column 'z'"):
        risky_combinations(table, k=2, levels={"z": 1})
