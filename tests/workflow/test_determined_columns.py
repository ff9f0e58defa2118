"""Which column tells which: held against the slow obvious way, and quick where columns are many."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.workflow.determined_columns import determined_columns


def slowly(coded):
    return {
        one: [
            other
            for other in coded
            if other != one
            and all(
                len({b for a, b in zip(coded[one], coded[other], strict=True) if a == value}) == 1
                for value in set(coded[one].tolist())
            )
        ]
        for one in coded
    }


@pytest.mark.parametrize("seed", range(20))
def test_as_the_slow_way_says(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    base = rng.integers(-1, 6, n)
    coded = {
        "base": base,
        "half": np.maximum(base, -1) // 2,
        "gaps": np.where(base > 3, -1, base),
        "other": rng.integers(-1, 3, n),
        "one": np.zeros(n, dtype=int),
        "own": rng.permutation(n),
    }
    assert determined_columns(coded) == slowly(coded)


def test_a_record_beyond_the_sample_decides():
    town = np.arange(10_000) // 10
    land = town // 100
    assert determined_columns({"town": town, "land": land}) == {"town": ["land"], "land": []}
    land[-1] += 1
    assert determined_columns({"town": town, "land": land}) == {"town": [], "land": []}


def test_nothing_to_tell():
    assert determined_columns({}) == {}
    assert determined_columns({"a": np.array([], dtype=int)}) == {"a": []}


def test_many_columns_are_no_matter():
    rng = np.random.default_rng(0)
    coded = {f"c{at}": rng.integers(0, 9, 500) for at in range(1500)}
    assert not any(determined_columns(coded).values())
