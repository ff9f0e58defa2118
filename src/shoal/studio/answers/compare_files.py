"""The protected file beside the original: every column, pairs of columns, what users will notice."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal._shared.options import report
from shoal.errors import InvalidInput
from shoal.measures.description.column_changes import column_changes
from shoal.measures.description.column_losses import column_losses
from shoal.measures.description.pair_changes import pair_changes
from shoal.measures.description.users_notice import users_notice
from shoal.measures.released_numbers import with_values
from shoal.report.distributions import distribution
from shoal.studio.answers.desk import Desk, mark_of
from shoal.studio.plan import Plan, masked_part
from shoal.types import Callback

DRAWN = 40  # columns whose distribution is drawn
PAIRS = 12  # of columns shown; those that changed most
MOMENTS = ("mean_before", "mean_after", "sd_before", "sd_after")


def compare_files(desk: Desk, tell: Callback, *, plan: Plan) -> dict[str, Any]:
    """Compare the very tables whose figures are shown."""
    kept = desk.kept(mark_of(masked_part(plan)))
    if kept is None:
        raise InvalidInput("The protected table is no longer in memory; count it again on the page Protect.")
    original, masked, *_ = kept
    report(tell, 0.0, "columns")
    losses = sorted(
        column_losses(original, masked), key=lambda one: (-one.loss, -one.changed - one.suppressed)
    )
    names = [one.name for one in losses]
    values = with_values(original, masked, names, np.random.default_rng(0))
    moments = {row["column"]: row for row in column_changes(original, values, columns=names).to_dicts()}
    report(tell, 0.4, "distributions")
    columns = []
    for at, one in enumerate(losses):
        drawn = at < DRAWN and one.how != "unchanged"
        shape = distribution(original, values, one.name, False) if drawn else None
        columns.append(
            {**one.to_dict(), **{what: moments[one.name][what] for what in MOMENTS}, "shape": shape}
        )
    report(tell, 0.7, "pairs")
    shown = [one.name for one in losses[:DRAWN]]
    pairs = pair_changes(original, masked, columns=shown)[:PAIRS]
    return {
        "columns": columns,
        "pairs": [
            {"one": p.one, "other": p.other, "what": p.what, "before": p.before, "after": p.after}
            for p in pairs
        ],
        "notice": list(users_notice(original, masked)),
    }
