"""Merging by similarity: alike categories first, levels nest, bad input in a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.hierarchy import hierarchy_by_similarity


def made_up(seed=1, n=600):
    """Six jobs: two of each of three kinds, which differ in pay and in sex."""
    rng = np.random.default_rng(seed)
    job = rng.integers(0, 6, n)
    kind = job % 3
    columns = {
        "job": [f"job {j}" if i % 50 else None for i, j in enumerate(job)],
        "pay": (kind * 100 + rng.normal(size=n)).tolist(),
        "sex": np.where(rng.random(n) < kind / 3, "f", "m").tolist(),
    }
    return as_table(columns)


def test_alike_categories_go_together_first_and_levels_nest():
    found = hierarchy_by_similarity(made_up(), "job", [3, 2])
    level = {path[0]: path[1] for path in found.paths}
    assert len(set(level.values())) == 3
    assert all(level[f"job {j}"] == level[f"job {j + 3}"] == f"job {j}, job {j + 3}" for j in range(3))
    assert [len({path[at] for path in found.paths}) for at in range(4)] == [6, 3, 2, 1]


def test_by_says_which_columns_count():
    table = made_up()
    swapped = table.assign(pay=[0.0] * len(table))
    assert (
        hierarchy_by_similarity(table, "job", [3], by="sex").paths
        == hierarchy_by_similarity(swapped, "job", [3]).paths
    )


def test_mistakes_are_one_sentence():
    for counts in ([], [6], [2, 3], [3, 3]):
        with pytest.raises(InvalidInput, match="must fall from below the 6 categories"):
            hierarchy_by_similarity(made_up(), "job", counts)
    with pytest.raises(InvalidInput, match="no column 'wage'"):
        hierarchy_by_similarity(made_up(), "wage", [2])
    with pytest.raises(InvalidInput, match="needs another column"):
        hierarchy_by_similarity(as_table({"job": ["a", "b", "c"]}), "job", [2])
