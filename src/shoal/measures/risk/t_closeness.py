"""t-closeness: how far the confidential values of a class are from those of the whole file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.measures._shared.confidential_columns import keys_and_confidential
from shoal.measures.risk.k_anonymity import equivalence_classes
from shoal.measures.row_classes import refine
from shoal.table import Table
from shoal.types import Matrix

Distance = Literal["equal", "ordered"]
DISTANCES: tuple[Distance | None, ...] = (None, "equal", "ordered")


def t_closeness(
    original: Table,
    masked: Table,
    *,
    distance: Distance | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """100 * t, the largest distance between the confidential values of a class and those of the whole file.

    Read it as how much, at most, the class of a person tells about a confidential value beyond what the file
    as a whole tells about everybody.

    Parameters
    ----------
    original, masked
        The two files; only the masked one is counted, the original says which columns have which role.
    distance
        Earth mover's distance where any two values are equally far ("equal") or values lie in order and
        neighbours are 1/(m-1) apart ("ordered"). If not given: "equal" for nominal columns, else "ordered".
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none); confidential ones are never among them.

    Returns
    -------
    float
        0 (every class mirrors the file) to 100; the worst class of the worst confidential column counts.

    Notes
    -----
    A missing confidential value is a category of its own under "equal" and left out under "ordered", where it
    has no place. Not applicable without a column of role confidential. Time O(n log n) a column.

    References
    ----------
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table(
    ...     {"age": [30, 30, 40, 40], "ill": ["flu", "cold", "flu", "cold"]},
    ...     roles={"quasi": "age", "confidential": "ill"},
    ... )
    >>> t_closeness(table, table)
    0.0
    """
    keys, confidential = keys_and_confidential(original, masked, columns)
    return 100.0 * closeness(masked, distance=distance, confidential=confidential, columns=keys)


def closeness(
    table: Table,
    *,
    distance: Distance | None = None,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """The t of t-closeness, from 0 to 1: that of the worst class and the worst confidential column.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "ill": ["flu", "cold", "flu"]}, roles={"quasi": "age"})
    >>> round(closeness(table, confidential="ill"), 3)
    0.333
    """
    return float(class_closeness(table, distance=distance, confidential=confidential, columns=columns).max())


def class_closeness(
    table: Table,
    *,
    distance: Distance | None = None,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> Matrix:
    """The t of every class, in the numbering of `equivalence_classes`; the worst confidential column counts.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "ill": ["flu", "cold", "flu"]}, roles={"quasi": "age"})
    >>> class_closeness(table, confidential="ill").round(3)
    array([0.167, 0.333])
    """
    check_choice("distance", distance, DISTANCES)
    names = table.names(role="confidential") if confidential is None else confidential
    hidden = check_names(names, table.names())
    if not hidden:
        raise InvalidInput("No column has the role confidential; say which one an intruder should not learn.")
    classes = equivalence_classes(table, columns=columns)
    distances = [_column_distances(table, name, classes, distance) for name in hidden]
    worst: Matrix = np.max(distances, axis=0)
    return worst


def _column_distances(
    table: Table, name: str, classes: NDArray[np.intp], distance: Distance | None
) -> Matrix:
    codes = categorise(table, name)[0]
    nominal = table.attribute(name).kind == "nominal" if distance is None else distance == "equal"
    if nominal:
        return _equal(classes, codes - codes.min(), int(classes.max()) + 1)
    seen = codes >= 0
    if not seen.any():
        return np.zeros(int(classes.max()) + 1)
    present = np.unique(codes[seen], return_inverse=True)[1].reshape(-1)
    return _ordered(classes[seen], present, int(classes.max()) + 1)


def _pairs(
    classes: NDArray[np.intp], codes: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Matrix]:
    """Class, value and share within the class of every pair that occurs, sorted by class and value."""
    pairs = refine(classes, codes)
    counts = np.bincount(pairs)
    of, value = np.zeros(len(counts), dtype=np.intp), np.zeros(len(counts), dtype=np.intp)
    of[pairs], value[pairs] = classes, codes
    return of, value, counts / np.bincount(classes)[of]


def _equal(classes: NDArray[np.intp], codes: NDArray[np.intp], count: int) -> Matrix:
    """Half the sum of |p - q|: over the values of the class, then over those it lacks."""
    of, value, p = _pairs(classes, codes)
    q = np.bincount(codes)[value] / len(codes)
    within = np.bincount(of, weights=np.abs(p - q), minlength=count)
    lacking = 1.0 - np.bincount(of, weights=q, minlength=count)
    return np.maximum(within + lacking, 0.0) / 2


def _ordered(classes: NDArray[np.intp], codes: NDArray[np.intp], count: int) -> Matrix:
    """Sum of |P - Q| over the first m-1 values / (m-1), P and Q cumulated.

    P is a staircase with a step at every value of the class, Q rises all the way: between two steps the sum
    is taken from prefix sums of Q, split where Q crosses P. Every class costs its own size, not m.
    """
    m = int(codes.max()) + 1
    if m == 1:
        return np.zeros(count)
    Q = np.cumsum(np.bincount(codes)) / len(codes)
    prefix = np.concatenate([[0.0], np.cumsum(Q)])
    of, value, p = _pairs(classes, codes)
    first = np.flatnonzero(np.diff(of, prepend=-1))
    level = np.cumsum(p)
    level = level - np.repeat(level[first] - p[first], np.diff(np.append(first, len(of))))
    stop = np.append(value[1:], m - 1)
    stop[np.append(first[1:], len(of)) - 1] = m - 1  # the last stair of a class ends at the last value
    stretch = _area(prefix, Q, value, np.minimum(stop, m - 1), level)
    lead = _area(prefix, Q, np.zeros_like(first), value[first], np.zeros(len(first)))
    total = np.bincount(of, weights=stretch, minlength=count)
    total += np.bincount(of[first], weights=lead, minlength=count)
    return np.maximum(total, 0.0) / (m - 1)


def _area(
    prefix: Matrix, Q: Matrix, start: NDArray[np.intp], stop: NDArray[np.intp], level: Matrix
) -> Matrix:
    """Sum of |level - Q[i]| for start <= i < stop."""
    cross = np.clip(np.searchsorted(Q, level), start, np.maximum(stop, start))
    below = level * (cross - start) - (prefix[cross] - prefix[start])
    above = (prefix[stop] - prefix[cross]) - level * (stop - cross)
    return np.where(stop > start, below + above, 0.0)
