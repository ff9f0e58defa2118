"""Hand-made groupings of columns: all together, each alone, correlated ones together or apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from shoal._check import check_count
from shoal._door import takes_frames
from shoal.masking.protected_columns import protected_columns
from shoal.search.column_groups.grouping_costs import complete_numbers
from shoal.table import Table
from shoal.types import Matrix

Grouping = list[list[str]]
SIZES = (3, 5, 10)  # columns in a group, as in the thesis


@takes_frames
def all_together(table: Table, *, columns: Iterable[str] | None = None) -> Grouping:
    """One group of all columns: k records look alike in everything.

    Parameters
    ----------
    table
        The table to protect.
    columns
        The columns to group; the quasi-identifiers if not given.

    Returns
    -------
    list of list of str

    Notes
    -----
    Time O(d); missing values do not matter.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002).

    Examples
    --------
    >>> from shoal import as_table
    >>> all_together(as_table({"a": [1, 2], "b": [3, 4]}), columns=["a", "b"])
    [['a', 'b']]
    """
    return [protected_columns(table, columns)]


@takes_frames
def each_alone(table: Table, *, columns: Iterable[str] | None = None) -> Grouping:
    """Every column a group of its own: the least loss, and the most risk.

    Parameters
    ----------
    table, columns
        As in `all_together`.

    Returns
    -------
    list of list of str

    Notes
    -----
    Time O(d); missing values do not matter.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002).

    Examples
    --------
    >>> from shoal import as_table
    >>> each_alone(as_table({"a": [1, 2], "b": [3, 4]}), columns=["a", "b"])
    [['a'], ['b']]
    """
    return [[name] for name in protected_columns(table, columns)]


@takes_frames
def correlated_together(table: Table, *, size: int, columns: Iterable[str] | None = None) -> Grouping:
    """Groups of columns that move together: a little more loss than each alone, for less risk.

    Parameters
    ----------
    table
        The table to protect.
    size
        The largest number of columns in a group; all groups get that many or one less if possible.
    columns
        The columns to group, numeric and without missing values; the quasi-identifiers if not given.

    Returns
    -------
    list of list of str

    Notes
    -----
    Greedy: a group starts with the two most correlated columns left and takes the one most correlated with
    it (mean absolute correlation) until it is full. A constant column is correlated with nothing. Time
    O(n d^2 + d^3).

    References
    ----------
    Nin, Herranz, Torra: How to group attributes in multivariate microaggregation, International Journal of
    Uncertainty, Fuzziness and Knowledge-Based Systems 16 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"a": [1, 2, 3, 9], "b": [4, 1, 5, 1], "c": [1, 2, 3, 8], "d": [8, 2, 9, 3]})
    >>> correlated_together(table, size=2, columns=["a", "b", "c", "d"])
    [['a', 'c'], ['b', 'd']]
    """
    return _greedy(table, size, columns, np.argmax)


@takes_frames
def correlated_apart(table: Table, *, size: int, columns: Iterable[str] | None = None) -> Grouping:
    """Groups in which correlated columns are kept apart: more loss, and less to put together again.

    Parameters
    ----------
    table, size, columns
        As in `correlated_together`.

    Returns
    -------
    list of list of str

    Notes
    -----
    Greedy: a group starts with the two least correlated columns left and takes the one least correlated with
    it (mean absolute correlation) until it is full. Time O(n d^2 + d^3).

    References
    ----------
    Nin, Herranz, Torra: How to group attributes in multivariate microaggregation, International Journal of
    Uncertainty, Fuzziness and Knowledge-Based Systems 16 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"a": [1, 2, 3, 9], "b": [4, 1, 5, 1], "c": [1, 2, 3, 8], "d": [8, 2, 9, 3]})
    >>> correlated_apart(table, size=2, columns=["a", "b", "c", "d"])
    [['a', 'b'], ['c', 'd']]
    """
    return _greedy(table, size, columns, np.argmin)


@takes_frames
def hand_made(table: Table, *, columns: Iterable[str] | None = None) -> dict[str, Grouping]:
    """The hand-made groupings worth comparing with, by name; correlated columns by threes, fives and tens.

    Parameters
    ----------
    table, columns
        As in `correlated_together`.

    Returns
    -------
    dict of str to grouping
        `list(hand_made(table).values())` is what `gomm(initial=...)` takes.

    Notes
    -----
    Cost of `correlated_together` and `correlated_apart`, for every size below the number of columns.

    Examples
    --------
    >>> from shoal.datasets import make_scattered
    >>> list(hand_made(make_scattered(20, d=4, rng=1)))
    ['all_together', 'each_alone', 'correlated_together 3', 'correlated_apart 3']
    """
    names = protected_columns(table, columns)
    found = {"all_together": [names], "each_alone": each_alone(table, columns=names)}
    for size in (size for size in SIZES if size < len(names)):
        for grouping in (correlated_together, correlated_apart):
            found[f"{grouping.__name__} {size}"] = grouping(table, size=size, columns=names)
    return found


def _greedy(
    table: Table, size: int, columns: Iterable[str] | None, pick: Callable[[Matrix], np.intp]
) -> Grouping:
    names = protected_columns(table, columns)
    closeness = _correlation(complete_numbers(table, names)[0])
    left, groups = list(range(len(names))), []
    count = -(-len(names) // check_count("size", size))
    for part in np.array_split(np.arange(len(names)), count):
        group = _first_pair(closeness, left, pick) if len(part) > 1 else left[:1]
        while len(group) < len(part):
            others = [column for column in left if column not in group]
            group.append(others[pick(closeness[np.ix_(group, others)].mean(axis=0))])
        left = [column for column in left if column not in group]
        groups.append(sorted(group))
    return [[names[column] for column in group] for group in sorted(groups)]


def _first_pair(closeness: Matrix, left: list[int], pick: Callable[[Matrix], np.intp]) -> list[int]:
    """The two columns left that are most, or least, correlated; among equals the first."""
    first, second = np.triu_indices(len(left), 1)
    place = pick(closeness[np.ix_(left, left)][first, second])
    return [left[first[place]], left[second[place]]]


def _correlation(X: Matrix) -> Matrix:
    """Absolute correlations; 0 with a constant column."""
    norms = np.sqrt((X**2).sum(axis=0))
    unit = X / np.where(norms > 0, norms, 1.0)
    return np.abs(unit.T @ unit)
