"""l-diversity: how many well-represented confidential values every class of look-alikes has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names, check_number
from shoal._door import takes_frames
from shoal.encode.look_alikes import look_alikes
from shoal.errors import InvalidInput
from shoal.measures._shared.confidential_columns import keys_and_confidential
from shoal.models import Classes, distinct_values
from shoal.models.row_classes import refine
from shoal.table import Table, with_roles_of
from shoal.types import Matrix

Diversity = Literal["distinct", "entropy", "recursive"]
DIVERSITIES: tuple[Diversity, ...] = ("distinct", "entropy", "recursive")


@takes_frames
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
    A missing value is a value like any other in the classes; in the confidential column it is none: it may be
    any of the others. Not applicable without a column of role confidential. Time O(n log n) a column.

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
    masked = with_roles_of(original, masked)
    level = diversity_level(masked, kind=kind, c=c, confidential=confidential, columns=keys)
    return 100.0 / level


@takes_frames
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


@takes_frames
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
    classes = look_alikes(table, columns=columns, confidential=hidden)
    worst: Matrix = np.min([_column_levels(classes, name, kind, c) for name in hidden], axis=0)
    return worst


def _column_levels(classes: Classes, name: str, kind: Diversity, c: float) -> Matrix:
    """l of every class for one column, at least 1; `of` is the class of every pair of class and value."""
    if kind == "distinct":
        return np.maximum(distinct_values(classes, name), 1).astype(np.float64)
    levels = np.ones(classes.count)
    codes = classes.hidden[name].codes
    seen = codes >= 0
    if not seen.any():
        return levels
    present, of = np.unique(classes.labels[seen], return_inverse=True)
    of = of.reshape(-1)
    pairs = refine(of, codes[seen])
    records, counts = np.bincount(of), np.bincount(pairs)
    of_pair = np.zeros(len(counts), dtype=np.intp)
    of_pair[pairs] = of
    if kind == "entropy":
        share = counts / records[of_pair]
        found = np.exp(-np.bincount(of_pair, weights=share * np.log(share)))
    else:
        found = _recursive_levels(of_pair, counts, c)
    levels[present] = np.maximum(found, 1.0)
    return levels


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
