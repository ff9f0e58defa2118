"""What offices and review boards ask for beside the figures: roles, risks before and after, limits of use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from platform import python_version, system
from typing import Any

import numpy as np

from shoal.encode.categories import categorise
from shoal.encode.sampling_weights import sampling_weights
from shoal.measures.description.column_losses import ColumnLoss
from shoal.measures.description.weighted_totals import weighted_totals
from shoal.measures.risk.individual_risk import risks_by_weight, together
from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.table import ROLES, Table

Facts = dict[str, Any]
SHOWN = 12  # categories of a column that a table of totals still shows; chosen, not measured
SIZES = (2, 3, 5)  # the k that offices ask for
LIMITS = {  # by what happened to a column, in the words of `column_losses`
    "unchanged": "As collected: {}.",
    "coarser": "Known as ranges or groups only: {}.",
    "other values": "Changed, so that a record is no real person and only statistics mean something: {}.",
    "suppressed": "Missing where a value would have stood out, so not at random: {}.",
}
ROLE_WORDS = {
    "identifier": "Identifiers",
    "quasi": "Key variables, which an intruder may know",
    "confidential": "Sensitive variables",
    "weight": "Sampling weight",
    "household": "Household",
    "stratum": "Strata",
}


def office_facts(original: Table, masked: Table, keys: Sequence[str], promised: int | None) -> Facts:
    """Roles in words, records in too small classes and expected re-identifications, before and after.

    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 20, 30]}, roles={"quasi": "age"})
    >>> office_facts(table, table, ["age"], None)["violations"][0]
    {'k': 2, 'before': 1, 'after': 1}
    """
    before, after = counted_sizes(original, columns=keys), counted_sizes(masked, columns=keys)
    sizes = sorted({*SIZES, *([promised] if promised else [])})
    return {
        "roles": role_facts(original),
        "violations": [
            {"k": k, "before": int((before < k).sum()), "after": int((after < k).sum())} for k in sizes
        ],
        "expected": {
            "before": float((1.0 / before).sum()),
            "after": float((1.0 / after).sum()),
        },
        "highest": {"before": 100.0 / int(before.min()), "after": 100.0 / int(after.min())},
        "mean": {"before": 100.0 * float(np.mean(1 / before)), "after": 100.0 * float(np.mean(1 / after))},
        "population": _population_facts(original, masked, keys),
        "households": _household_facts(original, masked, keys),
        "totals": total_facts(original, masked),
        "session": session(),
    }


def _population_facts(original: Table, masked: Table, keys: Sequence[str]) -> Facts | None:
    """Expected re-identifications by somebody who does not know who was drawn, from sampling weights."""
    people = sampling_weights(original)
    if people is None:
        return None
    sides = [risks_by_weight(table, people, columns=keys) for table in (original, masked)]
    before, after = (float(risks.sum()) for risks in sides)
    return {"people": float(people.sum()), "before": before, "after": after}


def _household_facts(original: Table, masked: Table, keys: Sequence[str]) -> Facts | None:
    """Households of which somebody is expected to be found: 1 - product of (1 - risk of a member)."""
    names = original.names("household")
    if not names:
        return None
    homes, people = categorise(original, names[0])[0], sampling_weights(original)
    first = np.unique(np.where(homes < 0, -1 - np.arange(len(homes)), homes), return_index=True)[1]
    sides = [
        together(homes, risks_by_weight(table, people, columns=keys))[first] for table in (original, masked)
    ]
    before, after = (float(risks.sum()) for risks in sides)
    highest = [100.0 * float(risks.max()) for risks in sides]
    return {
        "count": len(first),
        "weighted": people is not None,
        "before": before,
        "after": after,
        "highest_before": highest[0],
        "highest_after": highest[1],
    }


def total_facts(original: Table, masked: Table) -> list[Facts]:
    """Published totals, before and after: by the sampling weight, amounts and people by category.

    A column of many categories, and one whose categories became others, would say nothing here.

    >>> from shoal import as_table
    >>> table = as_table({"pay": [5.0], "w": [20]}, roles={"confidential": "pay", "weight": "w"})
    >>> total_facts(table, table)
    [{'column': 'pay', 'category': 'total', 'before': 100.0, 'after': 100.0, 'change': 0.0}]
    """
    if not original.names("weight") or not set(original.names("weight")) <= set(masked.names()):
        return []
    rows = weighted_totals(original, masked).to_dicts()
    categories = Counter(row["column"] for row in rows)
    others = {row["column"] for row in rows if row["change"] is None}
    return [row for row in rows if categories[row["column"]] <= SHOWN and row["column"] not in others]


def session() -> str:
    """With what it was made, for whoever has to make it again.

    >>> session().split(", ")[0][:7]
    'Python '
    """
    names = ("shoal", "numpy", "scipy", "polars", "narwhals")
    found = []
    for name in names:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join([f"Python {python_version()}", *found, system()])


def limits_in_words(columns: Sequence[ColumnLoss]) -> list[str]:
    """What is preserved, and what analysts must heed: by column, without any figure.

    >>> from shoal.measures import column_losses
    >>> from shoal import as_table
    >>> before, after = as_table({"a": [1, 2], "b": [1, 2]}), as_table({"a": [1, 2], "b": [2, 1]})
    >>> limits_in_words(column_losses(before, after))[0]
    'As collected: a.'
    """
    kinds: dict[str, list[str]] = {}
    for column in columns:
        kinds.setdefault(column.how, []).append(column.name)
        if column.suppressed and column.how != "suppressed":
            kinds.setdefault("suppressed", []).append(column.name)
    return [LIMITS[how].format(", ".join(kinds[how])) for how in LIMITS if how in kinds]


def role_facts(original: Table) -> list[Facts]:
    """The columns of every role that somebody has, in words; identifiers are not released.

    >>> from shoal import as_table
    >>> role_facts(as_table({"age": [20], "name": ["x"]}, roles={"identifier": "name"}))
    [{'role': 'Identifiers, deleted on release', 'columns': ['name']}]
    """
    found = []
    for role in ROLES:
        names = original.names(role)
        if names and role in ROLE_WORDS:
            deleted = ", deleted on release" if role == "identifier" else ""
            found.append({"role": f"{ROLE_WORDS[role]}{deleted}", "columns": names})
    return found
