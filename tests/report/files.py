"""The files the tests of the report share: a table with secrets that must not get out, and its masking."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from shoal import Evaluation, Exploration, Recipe, Table, as_table, evaluate, explore
from shoal.report import summary

RICHEST = 987654321.25
LONELY = "Zzyzx-unique-town"
SEED = 918273645
ROLES = {"quasi": ["age", "pay", "town"], "confidential": ["debt"], "identifier": ["name"]}


@lru_cache
def original(n: int = 300) -> Table:
    """People; one is very rich, one lives alone in a town."""
    rng = np.random.default_rng(4)
    pay = rng.lognormal(10, 0.6, n).round(2)
    pay[7] = RICHEST
    town = rng.choice(["north", "south", "west"], n).astype(object)
    town[9] = LONELY
    frame = pl.DataFrame(
        {
            "name": [f"person-{i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "pay": pay,
            "town": town.tolist(),
            "debt": np.where(rng.random(n) < 0.1, np.nan, pay / 3 + rng.normal(0, 500, n)).round(2),
        }
    )
    return as_table(frame.with_columns(pl.col("debt").fill_nan(None)), roles=ROLES)


@lru_cache
def recipe() -> Recipe:
    return Recipe("committee-7", ROLES, [{"method": "microaggregate", "k": 4, "partition": "mdav"}])


@lru_cache
def masked() -> Table:
    return recipe().run(original(), rng=SEED)


@lru_cache
def judged() -> Evaluation:
    return evaluate(original(), masked())


@lru_cache
def tried() -> Exploration:
    return explore(original(), {"mdav": {"k": [4, 8]}, "rank_swap": {"percent": [10]}}, rng=SEED)


@lru_cache
def facts(public: bool = False) -> dict[str, Any]:
    return summary(
        original(), masked(), evaluation=judged(), recipe=recipe(), exploration=tried(), public=public
    )
