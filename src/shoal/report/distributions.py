"""Distributions of one variable before and after in few bins; in public coarse and without rare values.

A bar of a picture is a count, and a count of one is a person. So the outermost bins are open, which hides
the smallest and the largest value, and in public bins and categories with few records are merged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encode.categories import categorise
from shoal.measures import column_covers
from shoal.table import Table
from shoal.types import Matrix

MIN_PUBLIC_CELL = 10  # records a bin or category needs in public
MIN_PUBLIC_RECORDS = 100  # records a variable needs for any figure in public
BINS, PUBLIC_BINS = 20, 8  # bars of a histogram; in public so few that no bar holds a handful
CATEGORIES = 10  # shown by name; the rest are one

PERIODS = ((7, ""), (4, ""), (3, "0s"), (2, "00s"))  # letters of a date kept, and what is put behind them

Counts = NDArray[np.float64]
Bars = dict[str, int]
Facts = dict[str, Any]


def distribution(original: Table, masked: Table, name: str, public: bool) -> Facts | None:
    """Percent of the records in every bin or category; in public of the masked file only."""
    after_numeric = masked.attribute(name).kind == "numeric"
    if original.attribute(name).kind == "numeric" and after_numeric:
        return _numbers(original.column(name), masked.column(name), public)
    if public:
        return _categories(None, masked, name, public)
    if original.attribute(name).kind == "numeric":  # numbers that became bands
        return _categories(_band_counts(original, masked, name), masked, name, public)
    return _categories(_category_counts(original, name), masked, name, public)


def _numbers(before: Matrix, after: Matrix, public: bool) -> Facts | None:
    before, after = before[np.isfinite(before)], after[np.isfinite(after)]
    shown = after if public else np.concatenate([before, after])
    if not len(shown) or (public and len(after) < MIN_PUBLIC_RECORDS):
        return None
    whole = bool((before == np.floor(before)).all())
    tail = max(0.05, MIN_PUBLIC_CELL / len(shown)) if public else 0.01  # few records lie beyond, never one
    edges = bin_edges(shown, PUBLIC_BINS if public else BINS, whole, tail)
    counts = count_in(after, edges)
    if public:
        edges, counts = merge_small(edges, counts)
        if len(counts) < 2:
            return None
    return {
        "type": "numbers",
        "edges": [float(f"{edge:.12g}") for edge in edges],
        "before": None if public else _percent(count_in(before, edges)),
        "after": _percent(counts, 0 if public else None),
    }


def bin_edges(values: Matrix, count: int, whole: bool = False, tail: float = 0.01) -> Matrix:
    """About that many equal bins at round numbers over all values but the tails; the ends are open.

    A variable of few whole numbers, such as children or rooms, has one bin for each. Where all but the tails
    are one value there is a single bin: the extremes never set an edge.

    >>> bin_edges(np.arange(101.0), 5)
    array([  0.,  20.,  40.,  60.,  80., 100.])
    """
    low, high = np.quantile(values, [tail, 1 - tail], method="nearest")
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    if whole and high - low < count:
        return np.arange(np.round(low), np.round(high) + 2) - 0.5
    step = _round_step((high - low) / count)
    edges = np.arange(np.floor(low / step), np.ceil(high / step) + 1) * step
    if not len(np.unique(edges)) == len(edges) > 1:  # steps too small for numbers this large
        edges = np.linspace(low, high, count + 1)
    return edges if (np.diff(edges) > 0).all() else np.array([low - 0.5, low + 0.5])


def _round_step(width: float) -> float:
    """The next of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width)) if width > 0 else 1.0
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= width * (1 - 1e-9)))


def count_in(values: Matrix, edges: Matrix) -> Counts:
    """Records per bin; what lies beyond the ends counts in the outermost bins.

    >>> count_in(np.array([-9.0, 1.0, 3.0, 99.0]), np.array([0.0, 2.0, 4.0]))
    array([2., 2.])
    """
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return np.bincount(places, minlength=len(edges) - 1).astype(np.float64)


def merge_small(edges: Matrix, counts: Counts, least: int = MIN_PUBLIC_CELL) -> tuple[Matrix, Counts]:
    """Merge every bin below the least count with its smaller neighbour, smallest first.

    >>> merge_small(np.array([0.0, 1.0, 2.0, 3.0]), np.array([20.0, 3.0, 15.0]))
    (array([0., 1., 3.]), array([20., 18.]))
    """
    while len(counts) > 1 and counts.min() < least:
        at = int(counts.argmin())
        left = counts[at - 1] if at else np.inf
        right = counts[at + 1] if at + 1 < len(counts) else np.inf
        first = at - 1 if left <= right else at
        counts = np.concatenate([counts[:first], [counts[first] + counts[first + 1]], counts[first + 2 :]])
        edges = np.delete(edges, first + 1)
    return edges, counts


def _band_counts(original: Table, masked: Table, name: str) -> dict[str, int] | None:
    """How many original values lie in every released band; None where bands overlap or leave some out."""
    column, bands = column_covers(original, masked, name), categorise(masked, name)[1]
    counts = column.covered[: len(bands)]
    if counts.sum() != (column.before >= 0).sum():
        return None
    return {str(band): int(count) for band, count in zip(bands, counts, strict=True)}


def _categories(before: dict[str, int] | None, masked: Table, name: str, public: bool) -> Facts | None:
    before, after = by_period(before, _category_counts(masked, name))
    total = sum(after.values())
    if not total or (public and total < MIN_PUBLIC_RECORDS):
        return None
    listed = list(dict.fromkeys([*(before or ()), *after]))
    size = {text: after.get(text, 0) + (before or {}).get(text, 0) for text in listed}
    common = sorted(size, key=lambda text: -size[text])[:CATEGORIES]
    common = [text for text in common if not public or after.get(text, 0) >= MIN_PUBLIC_CELL]
    shown = [text for text in listed if text in common]
    left = total - sum(after.get(text, 0) for text in shown)
    if public and 0 < left < MIN_PUBLIC_CELL:  # a small rest needs company
        rarest = min(shown, key=lambda text: after.get(text, 0), default=None)
        shown = [text for text in shown if text != rarest]
    if not shown:
        return None
    rest = ["all others"] if len(shown) < len(listed) else []
    digits = 0 if public else None
    return {
        "type": "categories",
        "labels": shown + rest,
        "before": None if before is None else _percent(_shares(before, shown, len(listed)), digits),
        "after": _percent(_shares(after, shown, len(listed)), digits),
    }


def by_period(before: Bars | None, after: Bars) -> tuple[Bars | None, Bars]:
    """Many dates by month, year, decade or century, whichever gives few bars first; anything else as it is.

    >>> by_period(None, {f"19{year}-05-01": 2 for year in range(50, 75)})[1]
    {'1950s': 20, '1960s': 20, '1970s': 10}
    """
    listed = {*(before or ()), *after}
    if len(listed) <= CATEGORIES or not all(re.fullmatch(r"\d{4}-\d\d-\d\d", text) for text in listed):
        return before, after
    letters, ending = next(
        (one for one in PERIODS if len({text[: one[0]] for text in listed}) <= CATEGORIES), PERIODS[-1]
    )

    def merged(counts: Bars) -> Bars:
        found: Bars = {}
        for text in sorted(counts):
            label = text[:letters] + ending
            found[label] = found.get(label, 0) + counts[text]
        return found

    return None if before is None else merged(before), merged(after)


def _category_counts(table: Table, name: str) -> dict[str, int]:
    """Records by category, as text, in the order of the categories."""
    codes, categories = categorise(table, name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    found: dict[str, int] = {}
    for category, count in zip(categories, counts.tolist(), strict=True):
        if count:
            found[str(category)] = found.get(str(category), 0) + count
    return found


def _shares(counts: dict[str, int], shown: Sequence[str], listed: int) -> Counts:
    parts = [counts.get(text, 0) for text in shown]
    rest = [sum(counts.values()) - sum(parts)] if len(shown) < listed else []
    return np.array([*parts, *rest], dtype=np.float64)


def _percent(counts: Counts, digits: int | None = None) -> list[float]:
    total = counts.sum()
    shares = 100 * counts / total if total else np.zeros(len(counts))
    return [float(share) for share in (shares if digits is None else shares.round(digits))]
