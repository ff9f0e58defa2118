"""Lower bound: what no partition can undercut."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from typing import Literal, TypeAlias

import numpy as np

from shoal._check import check_choice, check_number
from shoal.errors import NotApplicable
from shoal.partition._anneal.time_warnings import warn_if_compiled, warn_if_late, warn_not_reached
from shoal.partition._bound.column_generation import Ascent, ascend
from shoal.partition._bound.highs import groups_of_labels
from shoal.partition._bound.pricing import File
from shoal.partition._shared.prepare import prepare
from shoal.partition.labels import sse
from shoal.partition.local_search import local_search
from shoal.types import Callback, Labels, Matrix, Progress

Method: TypeAlias = Literal["neighbours", "columns"]
MOST_RECORDS = 20_000  # all pairs are compared in every step of column generation
NEAR = 256  # records that are looked at before all others are; no measurement on record
MARGIN = 1e-9  # taken off, for rounding


def lower_bound(
    X: Matrix,
    k: int,
    *,
    seconds: float = 60.0,
    method: Method = "neighbours",
    callback: Callback | None = None,
) -> float:
    """A sum of squares that no partition into groups of at least k records can undercut.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    seconds
        How long it may take, once everything is compiled. Records that the neighbour bound did not reach
        count as free; a `TimeWarning` says so.
    method
        "neighbours": every record has k-1 others in its group, at best its nearest ones; any size of file.
        "columns": prices per record raised by column generation, much closer for k up to five or so
        (ten for a thousand records in two minutes; at 25 it stays a third below the loss).
    callback
        Called with `Progress` as the bound grows (`best` is the bound); returning True stops and keeps it.

    Returns
    -------
    float
        Compare with `shoal.partition.sse(X, labels)`: the gap is `(sse - bound) / sse`.

    Raises
    ------
    NotApplicable
        With "columns" on more than 20,000 records.

    Notes
    -----
    A little is taken off for rounding, so the bound never exceeds the optimum. Neighbours: time
    O(n log n) and more with many columns, memory O(n k). Columns: time O(n d) to O(n^2 d) per step and more
    where many groups must be looked at, memory O(n (d + k)) and the groups found. A bound that is far below
    the loss does not mean that the partition is bad.

    References
    ----------
    Aloise, Hansen, Rocha, Santi: Column generation bounds for numerical microaggregation, Journal of Global
    Optimization 60 (2014), for the idea; the pricing is our own. Jepsen, Petersen, Spoorendonk, Pisinger:
    Subset-row inequalities applied to the vehicle-routing problem with time windows, Operations Research 56
    (2008), for the rules that shares of groups must keep.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> round(lower_bound(X, 2), 6), round(lower_bound(X, 2, method="columns"), 6)
    (1.0, 1.0)
    >>> squares = np.array([[x, y] for x in (0.0, 1.0, 10.0, 11.0) for y in (0.0, 1.0)])
    >>> round(lower_bound(squares, 3), 3), round(lower_bound(squares, 3, method="columns"), 3)
    (2.667, 4.0)
    """
    check_number("seconds", seconds, 0)
    check_choice("method", method, ("neighbours", "columns"))
    scaled, k = prepare(X, k)
    exponent = scale_of(X)
    columns = method == "columns" and len(scaled) >= 2 * k
    if columns:
        before = time.monotonic()
        compile_columns()
        warn_if_compiled("lower_bound", time.monotonic() - before, seconds)
    begin = time.monotonic()
    best, reached = neighbour_bound(scaled, k, begin + seconds)
    if reached < 1:
        warn_not_reached("lower_bound", reached)
    if columns:
        for ascent in ascents(scaled, k, (), begin + seconds):
            best = max(best, safe(scaled, ascent.bound))
            part = min((time.monotonic() - begin) / max(seconds, 1e-9), 1.0)
            if callback is not None and callback(
                Progress(part, "bound", float(np.ldexp(best, 2 * exponent)))
            ):
                break
    warn_if_late("lower_bound", begin, seconds)
    return float(np.ldexp(best, 2 * exponent))


@cache
def compile_columns() -> None:
    """Column generation on a few random records, so that the clock is for the file alone."""
    few = np.random.default_rng(0).normal(size=(30, 2))
    for _ in ascents(few, 3, (), inf):
        pass


def scale_of(X: Matrix) -> int:
    """The power of two by which `prepare` divides.

    >>> scale_of([[4.0], [12.0]])
    4
    """
    _, exponent = np.frexp(np.abs(np.asarray(X, dtype=np.float64)).max())
    return int(exponent)


def ascents(X: Matrix, k: int, known: Sequence[Labels], end: float) -> Iterator[Ascent]:
    """Better and better bounds for prepared records, until they hardly grow or the clock shows `end`.

    The groups of partitions known, the best first, are those to begin with; if none is, a local search's.
    """
    if len(X) > MOST_RECORDS:
        raise NotApplicable(
            f"Column generation compares all pairs of records, at most {MOST_RECORDS}, got {len(X)}; "
            "use the neighbour bound."
        )
    known = known or [local_search(X, k)]
    pool = np.unique(np.concatenate([groups_of_labels(labels, k) for labels in known]), axis=0)
    yield from ascend(file_of(X, k), sse(X, known[0]), pool, end)


def file_of(X: Matrix, k: int) -> File:
    """Prepared records with their nearest others and the prices of the neighbour bound."""
    from shoal._kernels.spatial.exact_neighbours import nearest_rows

    near, squares = nearest_rows(X, X, min(max(NEAR, 2 * k - 1), len(X)))  # a record is nearest to itself
    return File(X, k, near.astype(np.int32), squares, squares[:, :k].sum(axis=1) / (2 * k))


def neighbour_bound(X: Matrix, k: int, end: float) -> tuple[float, float]:
    """Every record pays for its k-1 nearest others, in a single group for all.

    Also returns the share of the records that was reached before `time.monotonic` shows `end`, the others are
    free; all of 20,000 records, which takes a moment.

    >>> neighbour_bound(np.array([[0.0], [1.0], [9.0], [10.0]]), 2, 0.0)[1]
    1.0
    """
    from shoal._kernels.spatial.exact_neighbours import nearest_rows

    if len(X) < 2 * k:
        return safe(X, sse(X, np.zeros(len(X), dtype=np.intp))), 1.0
    rows, squares = nearest_rows(X, X, k, end if len(X) > MOST_RECORDS else inf)
    return safe(X, float(squares.sum() / (2 * k))), float((rows[:, 0] >= 0).mean())


def safe(X: Matrix, bound: float) -> float:
    """A little less, for rounding, and never below zero."""
    return max(0.0, bound * (1 - MARGIN) - 1e-13 * float((X**2).sum()))
