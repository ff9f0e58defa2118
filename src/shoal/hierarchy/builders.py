"""Building hierarchies: from edges, cut points, interval widths, code prefixes and dates."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from shoal._check import check_choice
from shoal.errors import InvalidInput
from shoal.hierarchy.tree import Hierarchy, as_text, hierarchy_from_rows

TOP = "*"
DATE_LEVELS = ("day", "month", "quarter", "half", "year", "decade", "century")


def hierarchy_from_edges(edges: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> Hierarchy:
    """A hierarchy from child-parent pairs.

    Parameters
    ----------
    edges
        ``{"Paris": "France", "France": "*"}`` or pairs (child, parent). Values are the labels that are
        nobody's parent. A value nearer to the top than others stays itself on the lower levels.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> hierarchy_from_edges({"Paris": "France", "Lyon": "France", "France": "*", "Monaco": "*"}).paths
    (('Paris', 'France', '*'), ('Lyon', 'France', '*'), ('Monaco', 'Monaco', '*'))
    """
    parents: dict[str, str] = {}
    for row, (child, parent) in enumerate(edges.items() if isinstance(edges, Mapping) else edges):
        child, parent = as_text(child), as_text(parent)
        if parents.setdefault(child, parent) != parent:
            raise InvalidInput(f"Edge {row} of the hierarchy gives a second parent to a label; keep one.")
    inner = set(parents.values())
    paths = [_climb(label, parents) for label in _sources(parents, inner)]
    tops = {path[-1] for path in paths}
    if len(tops) > 1:
        raise InvalidInput(f"The hierarchy has {len(tops)} tops; give them one common parent, e.g. *.")
    height = max(map(len, paths), default=0)
    return hierarchy_from_rows([[path[0]] * (height - len(path)) + path for path in paths])


def _sources(parents: Mapping[str, str], inner: set[str]) -> list[str]:
    """The labels that are nobody's parent; where there is none, any label, whose climb finds the cycle."""
    return [label for label in parents if label not in inner] or list(parents)[:1]


def _climb(label: str, parents: Mapping[str, str]) -> list[str]:
    path = [label]
    while path[-1] in parents:
        path.append(parents[path[-1]])
        if len(path) > len(parents) + 1:
            raise InvalidInput("The hierarchy has a cycle: a label is above itself; remove an edge.")
    return path


def hierarchy_from_cuts(values: Iterable[Any], cuts: Sequence[Any]) -> Hierarchy:
    """A hierarchy of intervals between cut points.

    Parameters
    ----------
    values
        The numbers that occur; None and NaN are passed over.
    cuts
        Cut points, ascending, or one list of them per level, finer levels first; a cut point of a coarser
        level must be one of the finer level too. A number equal to a cut point is in the interval above it.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> hierarchy_from_cuts([18, 35, 70], [[20, 40, 60], [40]]).paths
    (('18', '< 20', '< 40', '*'), ('35', '[20, 40)', '< 40', '*'), ('70', '>= 60', '>= 40', '*'))
    """
    levels = [list(level) for level in (cuts if cuts and isinstance(cuts[0], Sequence) else [cuts])]
    for number, level in enumerate(levels):
        if not level or any(not low < high for low, high in pairwise(level)):
            raise InvalidInput(f"The cut points of level {number + 1} must ascend; sort them.")
        if number and not set(level) <= set(levels[number - 1]):
            raise InvalidInput(
                f"Level {number + 1} has a cut point that level {number} has not, so its intervals overlap; "
                "take cut points away only."
            )
    numbers = _numbers(values)
    names = [interval_labels(level)[np.searchsorted(level, numbers, side="right")] for level in levels]
    return hierarchy_from_rows(
        [[number, *(level[i] for level in names), TOP] for i, number in enumerate(numbers.tolist())]
    )


def interval_labels(cuts: Sequence[float]) -> Any:
    """What the intervals between cut points are called, the open ones at both ends included.

    >>> interval_labels([20, 40]).tolist()
    ['< 20', '[20, 40)', '>= 40']
    """
    texts = [as_text(cut) for cut in cuts]
    inner = [f"[{low}, {high})" for low, high in pairwise(texts)]
    return np.array([f"< {texts[0]}", *inner, f">= {texts[-1]}"], dtype=object)


def hierarchy_from_widths(values: Iterable[Any], widths: Sequence[float], *, start: float = 0) -> Hierarchy:
    """A hierarchy of equally wide intervals, counted from `start`.

    Parameters
    ----------
    values
        The numbers that occur; None and NaN are passed over.
    widths
        The width of every level, finer levels first, each a multiple of the one before.
    start
        Where an interval begins.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> hierarchy_from_widths([18, 35], [5, 20]).paths
    (('18', '[15, 20)', '[0, 20)', '*'), ('35', '[35, 40)', '[20, 40)', '*'))
    """
    for fine, wide in pairwise(widths):
        if not np.isclose(wide / fine, round(wide / fine)) or wide <= fine:
            raise InvalidInput(
                "Every interval width must be a multiple of the one before, so that levels nest."
            )
    if not len(widths) or not min(widths) > 0:
        raise InvalidInput("`widths` needs at least one number above 0.")
    numbers = _numbers(values)
    finest = np.floor(
        (numbers - start) / widths[0]
    )  # coarser levels from the finest one: no rounding between
    rows = []
    for number, step in zip(numbers.tolist(), finest.tolist(), strict=True):
        lows = [step // round(width / widths[0]) for width in widths]
        ends = [
            (start + low * width, start + (low + 1) * width) for low, width in zip(lows, widths, strict=True)
        ]
        rows.append([number, *(f"[{_short(low)}, {_short(high)})" for low, high in ends), TOP])
    return hierarchy_from_rows(rows)


def hierarchy_from_prefixes(values: Iterable[Any], lengths: Sequence[int] | None = None) -> Hierarchy:
    """A hierarchy of codes (postcodes, NACE, ICD, ISCO) by their first characters.

    Parameters
    ----------
    values
        The codes that occur; None is passed over.
    lengths
        How many characters stay, level by level, falling; one less a level if not given.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> hierarchy_from_prefixes(["C50.1", "C50.9", "D10.0"], [3, 1]).paths[0]
    ('C50.1', 'C50*', 'C*', '*')
    """
    codes = list(dict.fromkeys(as_text(value) for value in values if value is not None))
    if lengths is None:
        lengths = range(max(map(len, codes), default=1) - 1, 0, -1)
    if any(longer <= shorter for longer, shorter in pairwise(lengths)):
        raise InvalidInput("`lengths` must fall from level to level, e.g. [4, 3, 2].")
    if any(length < 1 for length in lengths):
        raise InvalidInput("`lengths` needs whole numbers of at least 1; * is added by itself.")
    return hierarchy_from_rows(
        [[code, *(code[:length].rstrip(".-/ ") + TOP for length in lengths), TOP] for code in codes]
    )


def date_hierarchy(values: Iterable[Any], levels: Sequence[str] = ("month", "year", "decade")) -> Hierarchy:
    """A hierarchy of dates: months, quarters, halves, years, decades, centuries.

    Parameters
    ----------
    values
        Dates, date-times or texts such as 2024-03-31; None is passed over.
    levels
        Which levels, finer ones first.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> date_hierarchy([datetime.date(2024, 3, 31)], ["month", "quarter", "decade"]).paths
    (('2024-03-31', '2024-03', '2024-Q1', '2020s', '*'),)
    """
    order = [DATE_LEVELS.index(check_choice("levels", level, DATE_LEVELS)) for level in levels]
    if not order or order != sorted(set(order)):
        raise InvalidInput(f"`levels` must go from fine to coarse, out of {', '.join(DATE_LEVELS)}.")
    rows = []
    for position, value in enumerate(values):
        if value is not None:
            rows.append([value, *(_date_label(_as_date(value, position), level) for level in levels), TOP])
    return hierarchy_from_rows(rows)


def _as_date(value: Any, position: int) -> datetime.date:
    try:
        return value if isinstance(value, datetime.date) else datetime.datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"The value at position {position} is no date such as 2024-03-31; mend it or make it missing."
        ) from None


def _date_label(date: datetime.date, level: str) -> str:
    return {
        "day": f"{date:%Y-%m-%d}",
        "month": f"{date:%Y-%m}",
        "quarter": f"{date.year}-Q{(date.month + 2) // 3}",
        "half": f"{date.year}-H{(date.month + 5) // 6}",
        "year": f"{date.year}",
        "decade": f"{date.year // 10 * 10}s",
        "century": f"{date.year // 100 * 100}-{date.year // 100 * 100 + 99}",
    }[level]


def _numbers(values: Iterable[Any]) -> Any:
    try:
        numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput("Intervals need numbers; text generalises by rows, edges or prefixes.") from None
    found = np.unique(numbers[~np.isnan(numbers)])
    if not len(found):
        raise InvalidInput("There is no number to build intervals for.")
    return found


def _short(number: float) -> str:
    """The number without the noise of binary fractions: 0.3, not 0.30000000000000004."""
    return as_text(float(f"{number:.12g}"))
