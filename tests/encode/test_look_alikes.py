"""Look-alikes: classes by the plainest way, comparing every record with every other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.encode import look_alikes

ROLES = {"quasi": ["age", "town"], "stratum": "area", "confidential": "ill"}


def made(seed, n=40):
    rng = np.random.default_rng(seed)
    ages = [None if draw == 3 else float(draw) for draw in rng.integers(0, 4, n)]
    return {
        "age": [-0.0 if age == 0.0 and rng.random() < 0.5 else age for age in ages],
        "town": rng.choice(["Köln", "Aachen", ""], n).tolist(),
        "area": rng.choice([1, 2], n).tolist(),
        "ill": rng.choice(["flu", "cold", ""], n).tolist(),
        "home": (np.arange(n) // 3).tolist(),
        "weight": rng.uniform(1, 9, n).tolist(),
    }


def same(one, other):
    return all(a == b or (a is None and b is None) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("columns", [None, ["town"], ["age", "area"]])
def test_two_records_share_a_class_if_and_only_if_all_their_known_cells_are_equal(seed, columns):
    cells = made(seed)
    labels = look_alikes(as_table(cells, roles=ROLES), columns=columns).labels
    names = list(dict.fromkeys([*(columns or ["age", "town"]), "area"]))  # strata are known, too
    rows = list(zip(*(cells[name] for name in names), strict=True))
    for i, one in enumerate(rows):
        assert [labels[i] == label for label in labels] == [same(one, other) for other in rows]


def test_what_is_hidden_has_no_empty_text_among_its_values():
    cells = made(1)
    found = look_alikes(as_table(cells, roles=ROLES)).hidden
    assert set(found) == {"ill"}
    assert [code < 0 for code in found["ill"].codes] == [value == "" for value in cells["ill"]]
    assert set(look_alikes(as_table(cells, roles=ROLES), confidential="home").hidden) == {"home"}


def test_households_and_weights_are_carried_along():
    cells = made(2)
    found = look_alikes(as_table(cells, roles={**ROLES, "household": "home", "weight": "weight"}))
    assert found.household.tolist() == cells["home"]
    assert math.isclose(found.weights.sum(), sum(cells["weight"]))
    plain = look_alikes(as_table(cells, roles=ROLES))
    assert plain.household is None
    assert plain.weights is None


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(InvalidInput, match="agee"):
        look_alikes(as_table(made(0), roles=ROLES), columns=["agee"])
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        look_alikes(as_table(made(0)))
