"""Rows of two files that lie about: which record of the original is every masked one?"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from shoal._check import check_names
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.table import Table
from shoal.workflow.release import read_row_key


def match_rows(
    original: Table, masked: Table, *, column: str | None = None, row_key: Path | None = None
) -> Table:
    """The masked table in the order of the original, by a column both have or by a private row key.

    Parameters
    ----------
    original, masked
        The two tables.
    column
        A column that names every record once in both.
    row_key
        The file `release` wrote on request.

    Returns
    -------
    Table
        The masked table, its records where those of the original are.

    Notes
    -----
    Time O(n log n).

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"id": [7, 9], "a": [1, 2]}), as_table({"id": [9, 7], "a": [20, 10]})
    >>> match_rows(before, after, column="id").frame["a"].to_list()
    [10, 20]
    """
    if len(original) != len(masked):
        raise InvalidInput(
            f"The files have {len(original)} and {len(masked)} records, so rows cannot match. What one file "
            "alone can show is counted by check(masked, Promise(k=...)) or `shoal check`."
        )
    if row_key is not None:
        return masked.take(np.argsort(read_row_key(row_key, len(masked))))
    if column is None:
        return masked
    check_names(column, original.names())
    check_names(column, masked.names(), what="column of the masked file")
    before, known = categorise(original, column)
    after, found = categorise(masked, column)
    if len(set(before.tolist())) < len(before) or before.min(initial=0) < 0:
        raise InvalidInput(f"Column {column!r} does not name every record once; match by another one.")
    if [str(value) for value in known] != [str(value) for value in found] or len(set(after)) < len(after):
        raise InvalidInput(f"Column {column!r} does not name the same records in both files.")
    return masked.take(np.argsort(after)[before])
