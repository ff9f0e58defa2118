"""Distance linkage: how many records an intruder finds again by looking for the nearest masked record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from shoal._check import check_choice
from shoal.measures.record_linkage import TIES, Ties, known_sets, linked_share, mixed_points
from shoal.table import Table


def distance_linkage_risk(
    original: Table,
    masked: Table,
    *,
    known: Sequence[str] | Sequence[Sequence[str]] | None = None,
    ties: Ties = "expected",
    columns: Iterable[str] | None = None,
) -> float:
    """Percent of records that an intruder links right by taking the nearest masked record.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    known
        The columns the intruder may know, or several sets of them to average over. All compared columns, the
        worst case, if not given.
    ties
        When g masked records are equally near and the true one is among them: "expected" counts 1/g,
        "strict" counts 0, "optimistic" (for the intruder) counts 1.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (nobody is found) to 100 (everybody is).

    Notes
    -----
    Euclidean distance on columns standardised by the original (nominal: distance 1 between categories;
    ordinal: rank difference / number of categories). A missing number or rank is taken as the column's
    average, a missing name as a category of its own; columns without a value in the original take no part.
    Exact, by a k-d tree over the distinct masked records that stops at the first one closer than the true
    one; memory O(n d).

    References
    ----------
    Pagliuca, Seri: Some results of individual ranking method on the system of enterprise accounts annual
    survey, ESPRIT SDC project, MI-3/D2 (1999).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 40, 55]}, roles={"quasi": ["age"]})
    >>> distance_linkage_risk(table, table)
    100.0
    """
    check_choice("ties", ties, TIES)
    shares = []
    for names in known_sets(original, masked, known, columns):
        points = mixed_points(original, masked, names)
        shares.append(linked_share(points, np.ones(len(points.nominal)), ties))
    return float(np.mean(shares))
