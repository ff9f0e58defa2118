"""What offices and review boards ask for beside the figures: roles, and risks before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.table import ROLES, Table

Facts = dict[str, Any]
SIZES = (2, 3, 5)
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
    }


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
