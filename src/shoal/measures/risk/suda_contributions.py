"""Which columns, and which of their values, make records stand out: contributions to the SUDA scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.risk.suda2 import checked_codes, minimal_uniques, msu_score
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def suda_contributions(
    table: Table, *, max_size: int | None = None, values: bool = False, columns: Iterable[str] | None = None
) -> pl.DataFrame:
    """How much every column, or every value of it, has to do with the SUDA scores, in percent.

    Parameters
    ----------
    table
        The file, as released.
    max_size
        Largest number of columns to look at together; all that is feasible if not given.
    values
        Whether to say it for every value of every column: shares of the column's own contribution. The frame
        then shows values of the file.
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none).

    Returns
    -------
    polars.DataFrame
        `column` (and `value`) and `percent`, largest first. A column's figure is the share of the total score
        that comes from minimal sample uniques it is part of, so columns add up to more than 100.

    Notes
    -----
    Cost as `suda_scores`.

    References
    ----------
    Elliot, Manning, Mayes, Gurd, Bane: SUDA: a program for detecting special uniques, Joint UNECE/Eurostat
    work session on statistical data confidentiality (2005).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "a", "b"]})
    >>> suda_contributions(table).rows()
    [('town', 100.0), ('sex', 50.0)]
    """
    names = intruder_columns(table, table, columns)
    scores = _contributions(table, max_size, names)
    total = scores.pop("")
    found: list[tuple[Any, ...]] = []
    for name in names:
        if values:
            found += _by_value(table, name, scores[name])
        else:
            found.append((name, _percent(float(scores[name].sum()), float(total.sum()))))
    schema = ["column", "value", "percent"] if values else ["column", "percent"]
    rows = pl.DataFrame(found, schema=schema, orient="row", strict=False)
    return rows.sort("percent", descending=True, maintain_order=True)


def _contributions(table: Table, max_size: int | None, names: list[str]) -> dict[str, Matrix]:
    """For every column (and "", the total) the score of every record that comes from sets with it."""
    codes, size = checked_codes(table, max_size, names)
    n, d = codes.shape
    scores = {name: np.zeros(n) for name in ["", *names]}
    for subset, rows in minimal_uniques(codes, size):
        for name in ["", *(names[column] for column in subset)]:
            scores[name][rows] += msu_score(len(subset), size, d)
    return scores


def _by_value(table: Table, name: str, scores: Matrix) -> list[tuple[str, str | None, float]]:
    codes, categories = categorise(table, name)
    sums = np.bincount(codes + 1, weights=scores, minlength=len(categories) + 1)
    labels = [None, *map(str, categories)]
    present = np.bincount(codes + 1, minlength=len(labels)) > 0
    return [
        (name, label, _percent(float(one), float(sums.sum())))
        for label, one, seen in zip(labels, sums, present, strict=True)
        if seen
    ]


def _percent(part: float, whole: float) -> float:
    return 100.0 * part / whole if whole else 0.0
