"""The records that stand out most, on request: their places in the file, how many look alike, no values."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.measures.risk.individual_risk import individual_risks
from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.measures.risk.suda2 import suda_scores
from shoal.studio.answers.count_risk import known_to_others
from shoal.studio.answers.desk import Desk
from shoal.studio.plan import Plan
from shoal.types import Callback, Progress


def riskiest_records(desk: Desk, tell: Callback, *, plan: Plan, most: int) -> dict[str, Any]:
    """Fewest look-alikes first, then the higher risk, then those that fewer columns single out."""
    table = desk.described(plan)
    keys = known_to_others(table)
    if not keys:
        raise InvalidInput("No column is marked as known to others; mark one on the page Columns.")
    tell(Progress(0.0, "looking for the riskiest records"))
    sizes = counted_sizes(table, columns=keys)
    risks = individual_risks(table, columns=keys)
    unique = suda_scores(table, columns=keys)
    order = np.lexsort((-unique["score"].to_numpy(), -risks, sizes))[:most]
    columns = unique["smallest"].to_numpy()
    rows = [
        {
            "record": int(at) + 1,
            "alike": int(sizes[at]),
            "risk": 100.0 * float(risks[at]),
            "columns": int(columns[at]),
        }
        for at in order
    ]
    further = int((sizes <= sizes[order[-1]]).sum()) - len(order)
    return {"rows": rows, "further": further, "weighted": bool(table.names("weight"))}
