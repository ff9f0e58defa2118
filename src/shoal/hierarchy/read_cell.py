"""Reading a released cell: is it a value, an interval, a set, a label of a hierarchy?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from shoal.hierarchy.domain import Domain
from shoal.hierarchy.tree import as_text

Way = Literal["value", "label", "interval", "set", "suppressed", "unread"]
Runs = list[tuple[int, int]]  # first and last position in the domain, ascending, apart from each other

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
YEARS = r"(?:\s*(?:years?|yrs?|jahre|ans|años|anys|anni))?"  # as bands of ages are labelled
DASHED = re.compile(rf"({NUMBER})\s*(?:-|–|—|to|bis|\.\.)\s*({NUMBER}){YEARS}", re.IGNORECASE)
BELOW = re.compile(rf"(<=|<|≤|under|below|less than|up to|unter|bis)\s*({NUMBER}){YEARS}", re.IGNORECASE)
ABOVE = re.compile(rf"(>=|>|≥|over|above|more than|über)\s*({NUMBER}){YEARS}", re.IGNORECASE)
AND_MORE = re.compile(
    rf"({NUMBER}){YEARS}\s*(?:\+|(?:and|or) (?:over|older|more|above)|und (?:älter|mehr|darüber)){YEARS}",
    re.IGNORECASE,
)
CLOSED = ("<=", "≤", "up to", "bis", ">=", "≥")  # the number itself is meant, too


class Cell(NamedTuple):
    """How a cell was read, the values it covers as runs of positions, and its ends if numbers."""

    way: Way
    runs: Runs
    low: float = np.nan
    high: float = np.nan


def read_cell(cell: Any, domain: Domain) -> Cell:
    """What a released cell says, tried in this order: value, label, everything, interval, set, prefix.

    >>> from shoal.hierarchy.domain import domain_of
    >>> read_cell("[20, 30)", domain_of("numeric", (18, 20, 25, 30)))
    Cell(way='interval', runs=[(1, 2)], low=20.0, high=29.0)
    >>> read_cell("{a, c}", domain_of("nominal", ("a", "b", "c"))).runs
    [(0, 0), (2, 2)]
    """
    text = as_text(cell).strip()
    place = domain.position.get(text)
    if place is not None:
        return _from_runs("value", [(place, place)], domain)
    found = _label(text, domain) or _interval(text, domain)
    if found is None and text[:1] == "{" and text[-1:] == "}":
        found = _set(text[1:-1], domain)
    return found or _prefix(text, domain) or _number(text, domain) or Cell("unread", [])


def whole_domain(domain: Domain, way: Way = "suppressed") -> Cell:
    """A cell that may be anything.

    >>> from shoal.hierarchy.domain import domain_of
    >>> whole_domain(domain_of("nominal", ("a", "b"))).runs
    [(0, 1)]
    """
    return _from_runs(way, [(0, len(domain.values) - 1)] if domain.values else [], domain)


def as_runs(positions: Any) -> Runs:
    """Positions, in any order, as runs of neighbours.

    >>> as_runs([3, 1, 2, 7])
    [(1, 3), (7, 7)]
    """
    ordered = np.unique(np.asarray(list(positions), dtype=np.intp))
    if not len(ordered):
        return []
    breaks = np.flatnonzero(np.diff(ordered) > 1)
    firsts, lasts = ordered[np.append(0, breaks + 1)], ordered[np.append(breaks, len(ordered) - 1)]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def _from_runs(way: Way, runs: Runs, domain: Domain) -> Cell:
    if domain.numbers is None or not runs:
        return Cell(way, runs)
    return Cell(way, runs, float(domain.numbers[runs[0][0]]), float(domain.numbers[runs[-1][1]]))


def _label(text: str, domain: Domain) -> Cell | None:
    hierarchy = domain.hierarchy
    node = None if hierarchy is None else hierarchy.node.get(text)
    if hierarchy is None or node is None:
        return whole_domain(domain, "label") if text == "*" else None
    level = int(hierarchy.levels[node])
    if level == hierarchy.height:
        return whole_domain(domain, "label")
    return _from_runs("label", as_runs(domain.leaves.get((level, text), [])), domain)


def _interval(text: str, domain: Domain) -> Cell | None:
    for low, high, closed_low, closed_high in _ends(text):
        if domain.numbers is not None:
            found = _between_numbers(low, high, closed_low, closed_high, domain)
        else:
            found = _between_categories(low, high, closed_low, closed_high, domain)
        if found is not None:
            return found
    return None


def _ends(text: str) -> Iterator[tuple[str, str, bool, bool]]:
    """Lower end, upper end, and which of them belong to the interval; an open end is empty text."""
    if text[:1] in ("[", "(", "]") and text[-1:] in ("]", ")", "["):
        inner = text[1:-1]
        for separator in (", ", ",", ";"):  # a category may hold the separator itself: try every cut
            for cut in re.finditer(re.escape(separator), inner):
                low, high = inner[: cut.start()].strip(), inner[cut.end() :].strip()
                yield _infinite(low), _infinite(high), text[0] == "[", text[-1] == "]"
    if match := DASHED.fullmatch(text):
        yield match[1], match[2], True, True
    if match := BELOW.fullmatch(text):
        yield "", match[2], False, match[1].lower() in CLOSED
    if match := ABOVE.fullmatch(text):
        yield match[2], "", match[1].lower() in CLOSED, False
    if match := AND_MORE.fullmatch(text):
        yield match[1], "", True, False


def _infinite(text: str) -> str:
    return "" if text.lower().lstrip("+-") in ("inf", "infinity", "∞") else text


def _between_numbers(low: str, high: str, closed_low: bool, closed_high: bool, domain: Domain) -> Cell | None:
    numbers = domain.numbers
    try:
        ends = (float(low) if low else -np.inf, float(high) if high else np.inf)
    except ValueError:
        return None
    if numbers is None or not len(numbers) or not ends[0] <= ends[1]:
        return None
    first = int(np.searchsorted(numbers, ends[0], side="left" if closed_low else "right"))
    last = int(np.searchsorted(numbers, ends[1], side="right" if closed_high else "left")) - 1
    start, stop = ends
    if domain.whole:  # (19, 30) are the numbers from 20 to 29
        start = np.ceil(start) + (not closed_low and start == np.ceil(start))
        stop = np.floor(stop) - (not closed_high and stop == np.floor(stop))
    start, stop = max(start, float(numbers[0])), min(stop, float(numbers[-1]))
    return Cell("interval", [(first, last)] if first <= last else [], float(start), float(max(start, stop)))


def _between_categories(
    low: str, high: str, closed_low: bool, closed_high: bool, domain: Domain
) -> Cell | None:
    if domain.kind == "nominal":
        return None
    first = domain.position.get(low) if low else 0
    last = domain.position.get(high) if high else len(domain.values) - 1
    if first is None or last is None or first > last:
        return None
    first, last = first + (bool(low) and not closed_low), last - (bool(high) and not closed_high)
    return Cell("interval", [(first, last)] if first <= last else [])


def _set(inner: str, domain: Domain) -> Cell | None:
    for separator in (", ", ",", "; ", ";"):
        places = _members(inner.split(separator), separator, domain)
        if places is not None:
            return _from_runs("set", as_runs(places), domain)
    return None


def _members(parts: list[str], separator: str, domain: Domain) -> list[int] | None:
    """The positions of the members; a member may hold the separator itself, so neighbours are joined."""
    reached: list[list[int] | None] = [[]] + [None] * len(parts)
    for end in range(1, len(parts) + 1):
        for start in range(end - 1, max(end - 9, -1), -1):
            before = reached[start]
            found = None if before is None else _one(separator.join(parts[start:end]).strip(), domain)
            if before is not None and found is not None:
                reached[end] = before + found
                break
    return reached[-1]


def _one(text: str, domain: Domain) -> list[int] | None:
    if text in domain.position:
        return [domain.position[text]]
    label = None if text == "*" else _label(text, domain)
    return None if label is None else [p for first, last in label.runs for p in range(first, last + 1)]


def _prefix(text: str, domain: Domain) -> Cell | None:
    """A code such as 12** or C50*: the values that begin so."""
    stem = text.rstrip("*")
    if stem == text or not stem:
        return None
    places = [place for value, place in domain.position.items() if value.startswith(stem)]
    return _from_runs("label", as_runs(places), domain) if places else None


def _number(text: str, domain: Domain) -> Cell | None:
    """A number that the original column does not have."""
    if domain.numbers is None or not re.fullmatch(NUMBER, text):
        return None
    number = float(text)
    place = int(np.searchsorted(domain.numbers, number))
    same = place < len(domain.numbers) and domain.numbers[place] == number
    return Cell("value", [(place, place)] if same else [], number, number)
