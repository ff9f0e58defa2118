"""Prosecutor risk: somebody who knows that a person is in the file picks one of the records alike."""

from __future__ import annotations

from collections.abc import Iterable

from shoal._check import check_number
from shoal._door import takes_frames
from shoal.measures.compared_columns import compared_columns
from shoal.measures.risk.k_anonymity import Gaps, class_sizes
from shoal.table import Table


@takes_frames
def prosecutor_risk(
    original: Table, masked: Table, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> float:
    """Percent of the records that somebody finds who knows that the person is in the file.

    Parameters
    ----------
    original, masked, gaps, columns
        As in `individual_risk`.

    Returns
    -------
    float
        0 to 100.

    Notes
    -----
    100 * mean of 1 / f, f the records that look alike: classes / records where gaps are a category. The
    highest, 100 / k, is `k_anonymity`. Time O(n log n) a column.

    References
    ----------
    El Emam, Dankar: Protecting privacy using k-anonymity, Journal of the American Medical Informatics
    Association 15 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]})
    >>> round(prosecutor_risk(table, table), 2)
    66.67
    """
    names = compared_columns(original, masked, columns)
    return 100.0 * float((1.0 / class_sizes(masked, gaps=gaps, columns=names)).mean())


@takes_frames
def records_at_risk(
    original: Table,
    masked: Table,
    *,
    threshold: float = 0.2,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> float:
    """Percent of the records whose prosecutor risk, 1 / records alike, is above a threshold.

    Parameters
    ----------
    original, masked, gaps, columns
        As in `individual_risk`.
    threshold
        The chance to be picked out of the class, a fraction.

    Returns
    -------
    float
        0 to 100.

    Notes
    -----
    Time O(n log n) a column.

    References
    ----------
    El Emam, Dankar: Protecting privacy using k-anonymity, Journal of the American Medical Informatics
    Association 15 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30] * 5 + [40, 40, 50]}, roles={"quasi": ["age"]})
    >>> records_at_risk(table, table)
    37.5
    """
    check_number("threshold", threshold, 0, 1)
    names = compared_columns(original, masked, columns)
    sizes = class_sizes(masked, gaps=gaps, columns=names)
    return 100.0 * float((1.0 / sizes > threshold + 1e-12).mean())
