"""l-diversity: how many well-represented confidential values every class of look-alikes has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names, check_number
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.measures._shared.confidential_columns import keys_and_confidential
from shoal.measures.risk.k_anonymity import equivalence_classes
from shoal.measures.row_classes import refine
from shoal.table import Table
from shoal.types import Matrix

Diversity = Literal["distinct", "entropy", "recursive"]
DIVERSITIES: tuple[Diversity, ...] = ("distinct", "entropy", "recursive")


def l_diversity(
    original: Table,
    masked: Table,
    *,
    kind: Diversity = "distinct",
    c: float = 1.0,
    columns: Iterable[str] | None = None,
) -> float:
    """100 / l, where every class of look-alikes in the masked file has l diverse confidential values.

    Read it (for kind="distinct") as the best chance, in percent, of an intruder who knows a person's class
    and guesses among the confidential values that occur there.

    Parameters
    ----------
    original, masked
        The two files; only the masked one is counted, the original says which columns have which role.
    kind
        "distinct": l is the number of different values; "entropy": the exponential of their entropy;
        "recursive": the largest l with r_1 < c (r_l + ... + r_m), r the frequencies in falling order.
    c
        The constant of "recursive".
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none); confidential ones are never among them.

    Returns
    -------
    float
        100 / l, at most 100; the worst class of the worst confidential column counts.

    Notes
    -----
    A missing value is a value like any other, in the classes as in the confidential column. Not applicable
    without a column of role confidential. Time O(n log n) a column.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: L-diversity: privacy beyond k-anonymity, ACM
    Transactions on Knowledge Discovery from Data 1 (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table(
    ...     {"age": [30, 30, 40, 40], "ill": ["flu", "cold", "flu", "flu"]},
    ...     roles={"quasi": "age", "confidential": "ill"},
    ... )
    >>> l_diversity(table, table)
    100.0
    """
    keys, confidential = keys_and_confidential(original, masked, columns)
    level = diversity_level(masked, kind=kind, c=c, confidential=confidential, columns=keys)
    return 100.0 / level


def diversity_level(
    table: Table,
    *,
    kind: Diversity = "distinct",
    c: float = 1.0,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """The l of l-diversity: that of the worst class and the worst confidential column.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "ill": ["flu", "cold", "flu"]}, roles={"quasi": "age"})
    >>> diversity_level(table, confidential="ill")
    1.0
    """
    levels = class_diversity(table, kind=kind, c=c, confidential=confidential, columns=columns)
    return float(levels.min())


def class_diversity(
    table: Table,
    *,
    kind: Diversity = "distinct",
    c: float = 1.0,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> Matrix:
    """The l of every class, in the numbering of `equivalence_classes`; the worst confidential column counts.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "ill": ["flu", "cold", "flu"]}, roles={"quasi": "age"})
    >>> class_diversity(table, confidential="ill")
    array([2., 1.])
    """
    check_choice("kind", kind, DIVERSITIES)
    check_number("c", c, 0)
    names = table.names(role="confidential") if confidential is None else confidential
    hidden = check_names(names, table.names())
    if not hidden:
        raise InvalidInput("No column has the role confidential; say which one an intruder should not learn.")
    classes = equivalence_classes(table, columns=columns)
    levels = [_column_levels(classes, categorise(table, name)[0], kind, c) for name in hidden]
    worst: Matrix = np.min(levels, axis=0)
    return worst


def _column_levels(classes: NDArray[np.intp], codes: NDArray[np.intp], kind: Diversity, c: float) -> Matrix:
    """l of every class for one column; `of` is the class of every pair of class and value, in order."""
    pairs = refine(classes, codes)
    counts = np.bincount(pairs)
    of = np.zeros(len(counts), dtype=np.intp)
    of[pairs] = classes
    if kind == "distinct":
        return np.bincount(of).astype(np.float64)
    if kind == "entropy":
        share = counts / np.bincount(classes)[of]
        return np.exp(-np.bincount(of, weights=share * np.log(share)))
    return _recursive_levels(of, counts, c)


def _recursive_levels(of: NDArray[np.intp], counts: NDArray[np.intp], c: float) -> Matrix:
    """Largest l with r_1 < c (r_l + ... + r_m), and 1 if there is none from 2 on."""
    order = np.lexsort((-counts, of))
    counts, of = counts[order], of[order]
    first = np.flatnonzero(np.diff(of, prepend=-1))
    rank = np.arange(len(of)) - first[of] + 1
    end = np.cumsum(np.bincount(of, weights=counts))  # records of this and all earlier classes
    tail = end[of] - (np.cumsum(counts) - counts)  # r_l + ... + r_m
    fits = (counts[first][of] < c * tail) & (rank > 1)
    levels = np.ones(len(first))
    np.maximum.at(levels, of[fits], rank[fits].astype(np.float64))
    return levels
