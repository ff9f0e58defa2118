"""Suppression against who knows a few keys: every set is counted apart, nothing can be restored."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from shoal import InvalidInput, Promise, as_table, check
from shoal.masking import find_suppression, suppress_to_k


def keys_of(codes):
    columns = {f"c{i}": column.tolist() for i, column in enumerate(np.asarray(codes).T)}
    return as_table(columns, roles={"quasi": list(columns)}, kinds=dict.fromkeys(columns, "nominal"))


def rows_of(table):
    return [list(row) for row in zip(*(table.column(name).tolist() for name in table.names()), strict=True)]


def reached(rows, most):
    """The fewest look-alikes in any `most` columns."""
    found = len(rows)
    for chosen in combinations(range(len(rows[0])), most):
        found = min(found, *Counter(tuple(row[c] for c in chosen) for row in rows).values())
    return found


@pytest.mark.parametrize("seed", range(60))
def test_every_set_reaches_k_and_no_cell_could_come_back(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 40)), int(rng.integers(2, 6))
    k, most = int(rng.integers(2, min(5, n) + 1)), int(rng.integers(1, d + 1))
    codes = np.minimum(rng.geometric(0.4, (n, d)), 5)
    before = rows_of(keys_of(codes))
    found = find_suppression(keys_of(codes), k=k, known_keys=most)
    after = rows_of(found.table())
    assert reached(after, most) >= k
    assert all(
        new in (old, None) for b, a in zip(before, after, strict=True) for old, new in zip(b, a, strict=True)
    )
    assert sum(found.cells.values()) == sum(cell is None for row in after for cell in row)
    for r, row in enumerate(after):
        for c, cell in enumerate(row):
            if cell is None and most < d:
                row[c] = before[r][c]
                assert reached(after, most) < k, "a cell could be restored"
                row[c] = None


def test_fewer_keys_need_fewer_cells_and_heavier_columns_stay():
    rng = np.random.default_rng(3)
    table = keys_of(rng.integers(0, 6, (400, 5)))
    cells = [sum(find_suppression(table, k=3, known_keys=most).cells.values()) for most in (1, 2, 3, 5)]
    assert cells == sorted(cells)
    assert cells[0] == 0
    assert cells[3] == sum(find_suppression(table, k=3).cells.values())
    dear = find_suppression(table, k=3, known_keys=3, importance={"c0": 50}).cells
    assert dear["c0"] <= min(dear.values())
    masked = suppress_to_k(table, k=3, known_keys=3)
    assert check(masked, Promise(k=3, known_keys=3)).kept


def test_what_does_not_go_together_is_refused():
    table = keys_of([[0, 0], [0, 1], [1, 1]])
    for options in ({"gaps": "wildcard"}, {"certify": True}, {"promise": {"l": {"c0": 2}}}):
        with pytest.raises(InvalidInput, match="`known_keys` goes with"):
            suppress_to_k(table, k=2, known_keys=1, **options)
