"""A promise for whole households: sizes are treated apart, and k is counted on them independently."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from shoal import Promise, Recipe, as_table, release
from shoal.errors import Infeasible

ROLES = {"quasi": ["region", "age", "sex"], "household": ["home"]}
PROMISE = {"k": 3, "whole_households": "size"}


def people(rare: bool = False):
    rng = np.random.default_rng(4)
    size = np.repeat([1, 2, 3], 20)
    size = np.append(size, 9) if rare else size
    homes = np.repeat(np.arange(len(size)), size)
    region = rng.choice(["n", "s", "w"], len(size))[homes]
    columns = {"home": homes, "region": region, "age": rng.integers(0, 90, len(homes))}
    return as_table(columns | {"sex": rng.choice(["f", "m"], len(homes))}, kinds={"home": "nominal"})


def fewest_whole_households(frame) -> int:
    """Households by region and number of members, counted with nothing but Python."""
    homes: dict[str, list[str]] = {}
    for home, region in zip(frame["home"].to_list(), frame["region"].to_list(), strict=True):
        homes.setdefault(home, []).append(region)
    assert all(len(set(regions)) == 1 for regions in homes.values())
    return min(Counter((regions[0], len(regions)) for regions in homes.values()).values())


@pytest.mark.parametrize(
    "step",
    [
        {"method": "microaggregate"},
        {"method": "mondrian"},
        {"method": "suppress_to_k"},
        {"method": "recode_to_k", "hierarchies": {"age": {"widths": [10, 30]}}},
    ],
    ids=lambda step: step["method"],
)
def test_k_holds_for_whole_households(step: dict) -> None:
    recipe = Recipe("wholes", ROLES, [step], promise=PROMISE)
    masked = recipe.run(people(), rng=1)
    assert masked.names() == people().names()
    assert fewest_whole_households(masked.frame) >= 3
    assert release(recipe.describe(people()), masked, Promise.from_dict(PROMISE), None).kept


def test_next_year_is_treated_alike_and_the_recipe_says_the_promise() -> None:
    recipe = Recipe("wholes", ROLES, [{"method": "mondrian"}], promise=PROMISE)
    masked, fitted = recipe.fit(people(), rng=1)
    assert masked.names() == people().names()
    assert 'whole_households = "size"' in fitted.to_toml()
    assert fewest_whole_households(fitted.apply(people(), rng=2).frame) >= 3


def test_a_size_that_few_households_have_is_refused_by_row() -> None:
    with pytest.raises(Infeasible, match=r"1 of 61 households .* row 120"):
        Recipe("wholes", ROLES, [{"method": "mondrian"}], promise=PROMISE).run(people(rare=True))
