"""Classes of too few households lose their members' columns, and no more than that."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table
from shoal.masking.households.keep_household_k import keep_household_k


@pytest.mark.parametrize("seed", range(60))
def test_every_class_has_k_households_and_large_ones_stay(seed):
    rng = np.random.default_rng(seed)
    homes = np.unique(rng.integers(0, 15, 40), return_inverse=True)[1]
    columns = {"area": rng.integers(0, 2, 15)[homes].tolist(), "age": rng.integers(0, 6, 40).tolist()}
    table = as_table(columns, roles={"quasi": ["area", "age"]}, kinds={"area": "nominal"})
    k = int(rng.integers(2, 4))
    done = keep_household_k(table, homes, k, ["area"], ["age"])
    found: dict[tuple, set] = {}
    for row, home in zip(done.frame.rows(), homes.tolist(), strict=True):
        found.setdefault(row, set()).add(home)
    areas = {area: len(set(homes[np.array(columns["area"]) == area])) for area in set(columns["area"])}
    for row, members in found.items():
        assert len(members) >= min(k, areas[row[0]])
    kept = [row for row in found if row[1] is not None]
    assert kept or min(areas.values()) < 2 * k or len(found) <= 2


def test_nothing_happens_where_nothing_is_wrong():
    table = as_table({"age": [30, 30, 40, 40]})
    assert keep_household_k(table, np.array([0, 1, 2, 3]), 2, [], ["age"]) is table
    assert keep_household_k(table, np.array([0, 0, 0, 0]), 2, [], []) is table
