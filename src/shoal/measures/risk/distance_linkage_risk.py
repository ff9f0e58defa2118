"""Distance linkage: how many records an intruder finds again by looking for the nearest masked record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from shoal._check import check_choice
from shoal._door import takes_frames
from shoal.measures.column_covers import column_covers
from shoal.measures.compared_columns import became_text
from shoal.measures.record_linkage import TIES, Ties, known_sets, mixed_points, rivals_of
from shoal.measures.risk.assignment_linkage import assignment_linkage
from shoal.measures.risk.cover_linkage import chances_of, cover_linkage, targets
from shoal.table import Table
from shoal.types import RandomState


@takes_frames
def distance_linkage_risk(
    original: Table,
    masked: Table,
    *,
    known: Sequence[str] | Sequence[Sequence[str]] | None = None,
    ties: Ties = "expected",
    assignment: bool = False,
    exact: bool = False,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
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
    assignment
        Whether the intruder links all records at once, one to one, see `assignment_linkage`.
    exact
        Whether to link all records of a file of more than 200,000, not a random sample of 20,000.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
    rng
        Seed or generator of the sample.

    Returns
    -------
    float
        0 (nobody is found) to 100 (everybody is).

    Notes
    -----
    Where cells were made coarser, or only suppressed, linkage by covers (see `cover_linkage`, which also
    gives the interval of a sample). Else the Euclidean distance on columns standardised by the original
    (nominal: distance 1 between categories; ordinal: rank difference / number of categories). A missing
    number or rank is taken as the column's average, a missing name as a category of its own; columns without
    a value in the original take no part.
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
    for names in known_sets(original, masked, known, columns, labels=True):
        if assignment:
            shares.append(assignment_linkage(original, masked, columns=names).percent)
        elif told_by_covers(original, masked, names):
            found = cover_linkage(original, masked, ties=ties, exact=exact, columns=names, rng=rng)
            shares.append(found.percent)
        else:
            points = mixed_points(original, masked, names)
            rows = targets(len(original), exact, rng)
            rivals = rivals_of(points, np.ones(len(points.nominal)), rows)
            shares.append(100.0 * float(chances_of(rivals, ties).mean()))
    return float(np.mean(shares))


def told_by_covers(original: Table, masked: Table, names: Iterable[str]) -> bool:
    """Whether a column was made coarser, or had cells suppressed and nothing else changed.

    >>> from shoal import as_table
    >>> before = as_table({"age": [20, 25, 40]})
    >>> told_by_covers(before, as_table({"age": ["20-29", "20-29", "40"]}), ["age"])
    True
    """
    columns = [column_covers(original, masked, name) for name in names]
    if any(became_text(original, masked, column.name) for column in columns):
        return True
    return any(c.generalised or ((c.suppressed & (c.before >= 0)).any() and not c.perturbed) for c in columns)
