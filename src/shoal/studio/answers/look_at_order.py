"""The categories of a column in the order they have now, to be put in the right one by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.studio.answers.desk import Desk
from shoal.studio.plan import Plan
from shoal.types import Callback, Progress

MOST_CATEGORIES = 100  # categories that a person can put in order by hand


def look_at_order(desk: Desk, tell: Callback, *, plan: Plan, column: str) -> dict[str, Any]:
    """The categories in their order, and the records of each."""
    tell(Progress(0.0, "looking at the order"))
    codes, categories = categorise(desk.described(plan), column)
    if not all(isinstance(category, str) for category in categories):
        raise InvalidInput("Numbers, dates and truth values are in order by themselves.")
    if len(categories) > MOST_CATEGORIES:
        raise InvalidInput(
            f"The column has {len(categories):,} different values, and at most {MOST_CATEGORIES} can be put "
            "in order by hand; make it a name, or group its values first."
        )
    records = np.bincount(codes[codes >= 0], minlength=len(categories))
    return {"categories": list(categories), "records": records.tolist()}
