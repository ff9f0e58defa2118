"""What the steps of a large file would lose, estimated on a sample; k and risk never come from one."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.measures.evaluate import evaluate
from shoal.studio.answers.desk import Desk
from shoal.studio.plan import Plan, recipe_in
from shoal.types import Callback

SAMPLE = 10_000  # records; a third of what runs after every change by itself, so that it costs a second or so


def estimate_loss(desk: Desk, tell: Callback, *, plan: Plan, seed: int) -> dict[str, Any]:
    """Run the recipe on some of the records and say what they lose.

    Groups of k are wider in a sample than in the whole file, where more records lie between: the estimate is
    rather too high.
    """
    recipe, table = recipe_in(plan), desk.read(plan["source"], plan["read"])
    if recipe is None:
        raise InvalidInput("There is no step; add one on the page Protect.")
    count = min(SAMPLE, len(table))
    some = table.take(np.sort(np.random.default_rng(seed).choice(len(table), count, replace=False)))
    masked = recipe.run(some, rng=seed, callback=tell)
    judged = evaluate(recipe.describe(some), masked, risk=())
    return {"sample": count, "loss": judged.information_loss}
