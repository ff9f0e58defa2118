"""l-diversity and t-closeness: what groups must be like so that their confidential values stay hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names, check_number
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.table import Table
from shoal.types import Labels, Matrix

# (row positions, the group 0..g-1 of each) -> whether every group keeps the promise
Constraint: TypeAlias = Callable[[NDArray[np.intp], Labels], NDArray[np.bool_]]


def group_constraint(
    table: Table,
    *,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    confidential: Iterable[str] | str | None = None,
) -> Constraint | None:
    """What groups must fulfil beyond their size, as a function; None if nothing was asked for.

    Parameters
    ----------
    table
        The table.
    l_diversity
        Every group must have at least this many different values of every confidential column.
    t_closeness
        In every group, the distribution of every confidential column must be at most this far (0 to 1) from
        that in the whole file: earth mover's distance over ranks for numeric and ordinal columns, half the
        sum of absolute differences for nominal ones.
    confidential
        The confidential columns; those with that role if not given.

    Notes
    -----
    A missing confidential value is none of the different values; in distributions of nominal columns it is a
    category of its own, from those of others it is left out. Deciding takes O(n log n) a confidential column.

    References
    ----------
    Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity, ICDE (2006);
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"ill": ["flu", "flu", "flu", "gout"]}, roles={"confidential": ["ill"]})
    >>> group_constraint(table, l_diversity=2)(np.arange(4), np.array([0, 0, 1, 1]))
    array([False,  True])
    """
    if l_diversity is None and t_closeness is None:
        return None
    names = table.names("confidential") if confidential is None else check_names(confidential, table.names())
    if not names:
        raise InvalidInput("l-diversity and t-closeness need a confidential column; say which one it is.")
    tests = []
    for name in names:
        codes, categories = categorise(table, name)
        if l_diversity is not None:
            tests.append(_diverse(codes, len(categories), _check_l(l_diversity, len(categories), name)))
        if t_closeness is not None:
            most = check_number("t_closeness", t_closeness, 0, 1)
            if table.attribute(name).kind == "nominal":
                own = np.where(codes < 0, len(categories), codes)  # a missing value is a category here
                tests.append(_close(own, len(categories) + 1, most, _share_distance))
            else:
                tests.append(_close(codes, len(categories), most, _spread_distance))

    def satisfied(rows: NDArray[np.intp], labels: Labels) -> NDArray[np.bool_]:
        verdicts = np.array([test(rows, labels) for test in tests])
        return np.asarray(verdicts.all(axis=0))

    return satisfied


def _check_l(l_diversity: Any, categories: int, name: str) -> int:
    number = check_number("l_diversity", l_diversity, 2)
    if number > categories:
        raise InvalidInput(
            f"`l_diversity` asks for {l_diversity} different values of {name!r}, which has {categories}."
        )
    return int(np.ceil(number))


def _diverse(codes: Labels, count: int, least: int) -> Constraint:
    def test(rows: NDArray[np.intp], labels: Labels) -> NDArray[np.bool_]:
        seen = codes[rows] >= 0
        pairs = np.unique(labels[seen] * count + codes[rows][seen])
        return np.bincount(pairs // count, minlength=labels.max() + 1) >= least

    return test


def _close(
    codes: Labels, count: int, most: float, distance: Callable[[Labels, Labels, Matrix], Matrix]
) -> Constraint:
    shares = np.bincount(codes[codes >= 0], minlength=count) / max((codes >= 0).sum(), 1)

    def test(rows: NDArray[np.intp], labels: Labels) -> NDArray[np.bool_]:
        seen = codes[rows] >= 0
        found = np.zeros(labels.max() + 1)
        if seen.any():
            part = distance(codes[rows][seen], labels[seen], shares)
            found[: len(part)] = part
        return found <= most + 1e-12

    return test


def _share_distance(codes: Labels, labels: Labels, shares: Matrix) -> Matrix:
    """Half the absolute differences of shares: the sum of what a group has too much of."""
    pairs, counts = np.unique(labels * len(shares) + codes, return_counts=True)
    groups, values = np.divmod(pairs, len(shares))
    excess = counts / np.bincount(labels)[groups] - shares[values]
    result: Matrix = np.bincount(groups, weights=np.maximum(excess, 0.0)).astype(np.float64)
    return result


def _spread_distance(codes: Labels, labels: Labels, shares: Matrix) -> Matrix:
    """Earth mover's distance over ranks: the area between the two distribution functions / (values - 1).

    Between two neighbouring values of a group its distribution function is constant, so that the area there
    comes from prefix sums of the file's function, cut where that one crosses the constant.
    """
    last = len(shares) - 1
    if last < 1:
        return np.zeros(labels.max() + 1)
    F = np.cumsum(shares)[:last]
    S = np.concatenate([[0.0], np.cumsum(F)])
    order = np.lexsort((codes, labels))
    codes, labels = codes[order], labels[order]
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    share = (np.arange(len(codes)) - starts[labels] + 1) / sizes[labels]
    end = np.append(codes[1:], last)
    end[starts[1:][sizes[1:] > 0] - 1] = last
    crossing = np.clip(np.searchsorted(F, share), codes, end)
    below = share * (crossing - codes) - (S[crossing] - S[codes])
    above = (S[end] - S[crossing]) - share * (end - crossing)
    area = np.bincount(labels, weights=below + above)
    area[sizes > 0] += S[codes[starts[sizes > 0]]]
    result: Matrix = area / last
    return result
