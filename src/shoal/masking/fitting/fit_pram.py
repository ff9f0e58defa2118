"""What PRAM learns: the transition matrices, which analysts need to correct for it."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from shoal._door import takes_frames
from shoal.hierarchy.tree import as_text
from shoal.masking.pram.pram import transitions
from shoal.table import Table
from shoal.types import Callback, RandomState


@takes_frames
def fit_pram(
    table: Table, *, rng: RandomState = None, callback: Callback | None = None, **options: Any
) -> dict[str, Any]:
    """The matrices that a builder made or a search found, category by category, for the next file.

    >>> from shoal import as_table
    >>> fit_pram(as_table({"sex": ["f", "m"]}), matrices={"sex": [[0.75, 0.25], [0.25, 0.75]]})
    {'matrices': {'sex': {'f': {'f': 0.75, 'm': 0.25}, 'm': {'f': 0.25, 'm': 0.75}}}}
    """
    matrices = options["matrices"]
    if callable(matrices) and next(iter(inspect.signature(matrices).parameters), "") == "table":
        wanted = {"rng": rng, "callback": callback, "columns": options.get("columns")}
        known = inspect.signature(matrices).parameters
        matrices = matrices(table, **{n: v for n, v in wanted.items() if n in known and v is not None})
    found = transitions(table, matrices=matrices, columns=options.get("columns"))
    return {"matrices": {t.column: _named(t.matrix, [as_text(c) for c in t.categories]) for t in found}}


def _named(matrix: np.ndarray, names: list[str]) -> dict[str, dict[str, float]]:
    """A matrix by the names of its categories; what has probability 0 is not named."""
    return {
        name: {to: float(share) for to, share in zip(names, line, strict=True) if share > 0}
        for name, line in zip(names, matrix, strict=True)
    }
