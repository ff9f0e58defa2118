"""The risk of a file as it is: how many records look alike in what others may know."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from shoal.encode.categories import categorise
from shoal.encode.look_alikes import key_columns
from shoal.encode.sampling_weights import sampling_weights
from shoal.measures import risk_facts
from shoal.measures.risk.individual_risk import household_risks
from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.studio.answers.desk import Desk
from shoal.studio.plan import Plan, promise_in
from shoal.table import Table
from shoal.types import Callback, Progress


def count_risk(desk: Desk, tell: Callback, *, plan: Plan) -> dict[str, Any]:
    """Sizes of the groups of look-alikes; nothing where no column is known to others."""
    table = desk.described(plan)
    keys = known_to_others(table)
    sizes = sizes_of(table, keys) if keys else {}
    return {"records": len(table), "keys": keys, "sizes": sizes}


def count_columns(desk: Desk, tell: Callback, *, plan: Plan) -> dict[str, Any]:
    """What every column gives away, and how many are expected to be found again."""
    table = desk.described(plan)
    if not known_to_others(table):
        return {}
    tell(Progress(0.0, "what every column gives away"))
    facts = risk_facts(table, promise_in(plan))
    found = asdict(facts) | {"most_telling": facts.most_telling.name if facts.most_telling else ""}
    weights = sampling_weights(table)
    people = None if weights is None else round(float(weights.sum()))
    return found | {"people": people, "homes": homes_found(table) if table.names("household") else None}


def homes_found(table: Table) -> dict[str, float]:
    """Households, how many of them are expected to be found (somebody of them is), and the highest chance.

    >>> from shoal import as_table
    >>> table = as_table({"home": [1, 1, 2], "age": [30, 7, 30]}, roles={"quasi": "age", "household": "home"})
    >>> homes_found(table)
    {'count': 2, 'expected': 1.5, 'highest': 100.0}
    """
    home = categorise(table, table.names("household")[0])[0]
    home = np.where(home < 0, home.max() + 1 + np.arange(len(home)), home)  # unknown: a home of its own
    chances = household_risks(table, columns=known_to_others(table))[np.unique(home, return_index=True)[1]]
    return {
        "count": len(chances),
        "expected": float(chances.sum()),
        "highest": 100.0 * float(chances.max()),
    }


def known_to_others(table: Table) -> list[str]:
    """The columns that are counted; none where no role says so."""
    named = table.names("quasi") or table.names("stratum")
    return key_columns(table) if named and len(table) else []


def sizes_of(table: Table, keys: list[str]) -> dict[int, int]:
    """How many records are in groups of every size; households where that role is given.

    >>> from shoal import as_table
    >>> sizes_of(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}), ["age"])
    {1: 1, 2: 2}
    """
    sizes, records = np.unique(counted_sizes(table, columns=keys), return_counts=True)
    return dict(zip(sizes.tolist(), records.tolist(), strict=True))
