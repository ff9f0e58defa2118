"""Look-alikes in any few of the columns, against counting by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from shoal import Promise, as_table, check
from shoal.models.subset_sizes import subset_sizes


@pytest.mark.parametrize("seed", range(20))
def test_every_set_of_columns_is_counted(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (int(rng.integers(1, 30)), 4))
    homes = rng.integers(0, 9, len(codes))
    most = int(rng.integers(1, 6))
    least, fewest = [10**9] * len(codes), [10**9] * len(codes)
    for chosen in combinations(range(4), min(most, 4)):
        keys = [tuple(row[list(chosen)]) for row in codes]
        counts = Counter(keys)
        families = {
            key: len({h for h, other in zip(homes, keys, strict=True) if other == key}) for key in counts
        }
        least = [min(a, counts[key]) for a, key in zip(least, keys, strict=True)]
        fewest = [min(a, families[key]) for a, key in zip(fewest, keys, strict=True)]
    assert subset_sizes(codes, most).tolist() == least
    assert subset_sizes(codes, most, homes).tolist() == fewest


def test_check_counts_k_in_any_few_keys_and_says_so():
    table = as_table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, roles={"quasi": ["a", "b"]})
    verdict = check(table, Promise(k=2, known_keys=1))
    assert verdict.kept
    assert verdict.sentences[-1] == "k holds for who knows any 1 of the 2 keys, not for who knows all."
    assert not check(table, Promise(k=2, known_keys=2)).kept
