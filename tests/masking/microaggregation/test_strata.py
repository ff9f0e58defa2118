"""Strata by their role: whoever takes k treats them apart, as the gate counts them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import Infeasible, Promise, as_table, check, microaggregate
from shoal.masking import global_median, mondrian, suppress_to_k

MASKERS = [microaggregate, mondrian, global_median, suppress_to_k]


def people(**roles):
    rng = np.random.default_rng(4)
    content = {
        "age": rng.integers(20, 60, 60),
        "sex": rng.choice(["f", "m"], 60),
        "region": np.arange(60) % 3,
        "home": np.repeat(np.arange(20), 3),
    }
    return as_table({name: list(cells) for name, cells in content.items()}, roles=roles)


@pytest.mark.parametrize("home", [{}, {"household": "home"}], ids=["persons", "households"])
@pytest.mark.parametrize("masker", MASKERS)
def test_every_stratum_reaches_k(masker, home):
    table = people(quasi=["age", "sex"], stratum="region", **home)
    assert check(masker(table, k=3), Promise(k=3)).kept
    assert check(masker(table, k=3, strata="region"), Promise(k=3)).kept
    whole = check(masker(people(quasi=["age", "sex"], **home), k=3), Promise(k=3), columns=["age", "sex"])
    assert whole.kept


@pytest.mark.parametrize("masker", MASKERS)
def test_a_stratum_that_is_too_small_is_said(masker):
    table = as_table(
        {"age": [1, 2, 3, 4], "region": [1, 1, 1, 2]}, roles={"quasi": "age", "stratum": "region"}
    )
    with pytest.raises(Infeasible, match="1 of 2 strata have fewer than k = 2 records"):
        masker(table, k=2)
    assert len(masker(table, k=2, strata=[])) == 4
