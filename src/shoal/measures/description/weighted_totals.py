"""Weighted totals before and after: do the published figures still come out of the released file?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.encode.sampling_weights import sampling_weights
from shoal.hierarchy.tree import as_text
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def weighted_totals(
    original: Table, masked: Table, *, weights: str | None = None, columns: Iterable[str] | None = None
) -> pl.DataFrame:
    """Estimated totals of the population before and after: people per category, sums of amounts.

    Parameters
    ----------
    original, masked
        The two tables; they need not have the same rows, so that a sample can be compared too.
    weights
        The column that says how many people a record stands for; the one with the role weight if not given,
        and without one every record counts once.
    columns
        Which columns; all of role quasi, confidential and stratum in both files if not given.

    Returns
    -------
    polars.DataFrame
        A row per category of a categorical column and one per numeric column: `column`, `category` ("total"
        for amounts), `before`, `after` and `change`, in percent of before. A missing value is the category
        "missing"; it has no amount.

    Raises
    ------
    InvalidInput
        If a weight is no positive number; the sentence gives the row.

    Notes
    -----
    Time O(n log n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"town": ["a", "b", "b"], "pay": [1.0, 2.0, 3.0], "w": [10, 20, 30]}
    >>> people = as_table(columns, roles={"quasi": ["town", "pay"], "weight": "w"})
    >>> weighted_totals(people, people.assign(town=["a", "a", "b"])).rows()[:2]
    [('town', 'a', 10.0, 30.0, 200.0), ('town', 'b', 50.0, 30.0, -40.0)]
    """
    given = weights or next(iter(original.names(role="weight")), None)
    if columns is None:
        known = [a.name for a in original.attributes if a.role in ("quasi", "confidential", "stratum")]
        names = [name for name in known if name in masked.names()]
    else:
        names = check_names(columns, original.names())
        check_names(names, masked.names(), what="column of the masked file")
    sides = [(table, _weights_of(table, given)) for table in (original, masked)]
    rows = [row for name in names for row in _rows(name, sides)]
    schema = {"column": pl.String, "category": pl.String, "before": pl.Float64, "after": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    before, after = pl.col("before"), pl.col("after")
    return frame.with_columns(
        change=pl.when(before != 0).then(100 * (after - before) / before.abs()).otherwise(None)
    )


def _weights_of(table: Table, name: str | None) -> Matrix:
    weights = None if name is None else sampling_weights(table, name)
    return np.ones(len(table)) if weights is None else weights


def _rows(name: str, sides: list[tuple[Table, Matrix]]) -> list[tuple[str, str, float, float]]:
    if all(table.attribute(name).kind == "numeric" for table, _ in sides):
        before, after = (float(np.nansum(table.column(name) * weight)) for table, weight in sides)
        return [(name, "total", before, after)]
    counted: list[dict[Any, float]] = []
    for table, weight in sides:
        codes, categories = categorise(table, name)
        sums = np.bincount(codes + 1, weights=weight, minlength=len(categories) + 1)
        texts = ["missing", *(as_text(category) for category in categories)]
        counted.append({text: float(total) for text, total in zip(texts, sums, strict=True)})
    every = [t for t in dict.fromkeys([*counted[0], *counted[1]]) if t != "missing"] + ["missing"]
    rows = [(name, text, counted[0].get(text, 0.0), counted[1].get(text, 0.0)) for text in every]
    return [row for row in rows if row[1] != "missing" or row[2] or row[3]]
