"""The hierarchy: how categories generalise, level by level, up to one label that covers all."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.types import Labels

Nodes = NDArray[np.intp]


@dataclass(frozen=True, repr=False)
class Hierarchy:
    """One path per value: the value itself, its parent, and so on up to the label that covers all.

    Parameters
    ----------
    paths
        Tuples of text, all equally long, the last label the same in all. Level 0 holds the values, the
        highest level ("height") the top.

    Notes
    -----
    Values are compared as text: the number 39 and 39.0 are the value "39", a date is "2024-03-31". A label
    must have one parent only. Checking takes O(values x levels).

    Examples
    --------
    >>> Hierarchy((("Paris", "France", "*"), ("Lyon", "France", "*"), ("Rome", "Italy", "*")))
    Hierarchy of 3 values and 2 levels above them
    """

    paths: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        _check_shape(self.paths)
        _check_parents(self.paths)
        if len({path[0] for path in self.paths}) < len(self.paths):
            raise InvalidInput("The hierarchy has a value twice; keep one row per value.")

    def __repr__(self) -> str:
        return f"Hierarchy of {len(self.paths)} values and {self.height} levels above them"

    @property
    def height(self) -> int:
        """The highest level; the values are level 0."""
        return len(self.paths[0]) - 1

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every label of every level, once a level, by level and then in the order of the paths."""
        return tuple(label for level in zip(*self.paths, strict=True) for label in dict.fromkeys(level))

    @cached_property
    def node(self) -> dict[str, int]:
        """The position of a label in `labels`, the one of the lowest level where it is on several."""
        return {label: number for number, label in reversed(list(enumerate(self.labels)))}

    @cached_property
    def ancestors(self) -> Nodes:
        """For every label its ancestor at every level, as positions in `labels`; below its level, itself."""
        number: dict[tuple[int, str], int] = {}
        for level, labels in enumerate(zip(*self.paths, strict=True)):
            for label in labels:
                number.setdefault((level, label), len(number))
        lines = np.arange(len(number))[:, None].repeat(self.height + 1, axis=1)
        for path in self.paths:
            line = [number[step] for step in enumerate(path)]
            for level in range(len(line)):
                lines[line[level], level:] = line[level:]
        return lines

    @cached_property
    def levels(self) -> Nodes:
        """The level of every label in `labels`."""
        counts = [len(set(level)) for level in zip(*self.paths, strict=True)]
        return np.repeat(np.arange(len(counts)), counts)


def as_text(value: Any) -> str:
    """A value as hierarchies write it.

    >>> as_text(39.0), as_text("a"), as_text(datetime.date(2024, 3, 31))
    ('39', 'a', '2024-03-31')
    """
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)


def hierarchy_from_rows(rows: Iterable[Sequence[Any]]) -> Hierarchy:
    """A hierarchy from rows: a value, its parent, ..., and last the label that covers all.

    Parameters
    ----------
    rows
        One row per value, as in the files of ARX. A row that is there twice counts once.

    Returns
    -------
    Hierarchy
        Values under one parent lie next to each other, else in the order given.

    Examples
    --------
    >>> hierarchy_from_rows([["Paris", "France", "*"], ["Rome", "Italy", "*"]]).height
    2
    """
    given = [tuple(as_text(label).strip() for label in row) for row in rows]
    _check_shape(given)
    _check_parents(given)
    paths = list(dict.fromkeys(given))
    for level in range(len(paths[0])):  # stable: the highest level, sorted last, decides
        first = {label: i for i, label in reversed(list(enumerate(path[level] for path in paths)))}
        paths.sort(key=lambda path: first[path[level]])
    return Hierarchy(tuple(paths))


def level_of(hierarchy: Hierarchy, label: Any) -> int:
    """The level of a label, the lowest if it is on several; 0 for the values themselves.

    >>> level_of(hierarchy_from_rows([["Paris", "France", "*"], ["Rome", "Italy", "*"]]), "Italy")
    1
    """
    return int(hierarchy.levels[nodes_of(hierarchy, [label])[0]])


def common_ancestor(hierarchy: Hierarchy, values: Iterable[Any]) -> str:
    """The lowest label that covers all these values (or labels).

    >>> places = hierarchy_from_rows([["Nice", "Gaul", "*"], ["Lyon", "Gaul", "*"], ["Rome", "Italy", "*"]])
    >>> common_ancestor(places, ["Nice", "Lyon"])
    'Gaul'
    """
    found = nodes_of(hierarchy, values)
    if not len(found):
        raise InvalidInput("A common ancestor needs at least one value, got none.")
    one_group = np.zeros(len(found), dtype=np.intp)
    return hierarchy.labels[int(common_ancestors(hierarchy, found, one_group)[0])]


def semantic_distance(hierarchy: Hierarchy, one: Any, other: Any) -> float:
    """How far up two values meet: levels to their common ancestor / levels there are, from 0 to 1.

    Notes
    -----
    An ultrametric: of three values, the two largest distances are equal. Without levels between the values
    and the top it is the distance of nominal columns, 1 if different.

    References
    ----------
    Samarati: Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
    Engineering 13 (2001), for generalisation hierarchies.

    Examples
    --------
    >>> places = hierarchy_from_rows([["Nice", "Gaul", "*"], ["Lyon", "Gaul", "*"], ["Rome", "Italy", "*"]])
    >>> semantic_distance(places, "Nice", "Lyon"), semantic_distance(places, "Nice", "Rome")
    (0.5, 1.0)
    """
    one, other = nodes_of(hierarchy, [one, other])
    if one == other:
        return 0.0
    return int(np.argmax(hierarchy.ancestors[one] == hierarchy.ancestors[other])) / hierarchy.height


def generalise(hierarchy: Hierarchy, values: Iterable[Any], level: int) -> list[str | None]:
    """Every value as its ancestor at that level; None stays None.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    values
        Values, or labels: one that is above the level stays as it is.
    level
        0 for the values themselves, up to the height of the hierarchy.

    Examples
    --------
    >>> generalise(hierarchy_from_rows([["Paris", "France", "*"], ["Rome", "Italy", "*"]]), ["Rome", None], 1)
    ['Italy', None]
    """
    check_level(hierarchy, level)
    values = list(values)
    present = [value for value in values if value is not None]
    parents = iter(hierarchy.ancestors[nodes_of(hierarchy, present), level])
    return [None if value is None else hierarchy.labels[next(parents)] for value in values]


def check_level(hierarchy: Hierarchy, level: Any, name: str = "level") -> int:
    """The level as an int, if the hierarchy has it."""
    if isinstance(level, bool) or int(check_number(name, level, 0, hierarchy.height)) != level:
        raise InvalidInput(f"`{name}` must be a whole number from 0 to {hierarchy.height}, got {level!r}.")
    return int(level)


def nodes_of(hierarchy: Hierarchy, values: Iterable[Any]) -> Nodes:
    """Positions of the values in `hierarchy.labels`; a value it does not name is refused by position."""
    found = [hierarchy.node.get(as_text(value), -1) for value in values]
    if -1 in found:
        raise InvalidInput(
            f"The hierarchy does not name the value at position {found.index(-1)}; add a row for it."
        )
    return np.array(found, dtype=np.intp)


def common_ancestors(hierarchy: Hierarchy, nodes: Nodes, labels: Labels) -> Nodes:
    """The lowest common ancestor of every group 0..g-1 as a position in `hierarchy.labels`, -1 if empty."""
    order = np.argsort(labels, kind="stable")
    groups, first = np.unique(labels[order], return_index=True)
    lines = hierarchy.ancestors[nodes[order]]
    lowest, highest = np.minimum.reduceat(lines, first), np.maximum.reduceat(lines, first)
    result = np.full(int(labels.max()) + 1, -1, dtype=np.intp)
    result[groups] = lowest[np.arange(len(groups)), np.argmax(lowest == highest, axis=1)]
    return result


def _check_shape(paths: Sequence[Sequence[str]]) -> None:
    if not len(paths):
        raise InvalidInput("The hierarchy has no rows; give one per value.")
    height = len(paths[0])
    if height < 2:
        raise InvalidInput("The hierarchy has only values; add a level above, at least *, with ; between.")
    for row, path in enumerate(paths):
        if len(path) != height:
            raise InvalidInput(
                f"Row {row} of the hierarchy has {len(path)} levels, row 0 has {height}; "
                "give all rows equally many."
            )
        if path[-1] != paths[0][-1]:
            raise InvalidInput(
                f"Row {row} of the hierarchy ends in another label than row 0; end all in the same, e.g. *."
            )
        if "" in path:
            raise InvalidInput(
                f"Row {row} of the hierarchy has an empty label at level {list(path).index('')}; name it."
            )


def _check_parents(paths: Sequence[Sequence[str]]) -> None:
    """Every label has one parent."""
    for level in range(len(paths[0]) - 1):
        seen: dict[str, int] = {}
        for row, path in enumerate(paths):
            before = seen.setdefault(path[level], row)
            if paths[before][level + 1] != path[level + 1]:
                raise InvalidInput(
                    f"Rows {before} and {row} of the hierarchy give a label of level {level} two parents; "
                    "keep one."
                )
    _check_cycles(paths)


def _check_cycles(paths: Sequence[Sequence[str]]) -> None:
    """No label is above itself on a way that other labels are part of."""
    row_of: dict[tuple[str, str], int] = {}
    above: dict[str, set[str]] = {}
    for row, path in enumerate(paths):
        for child, parent in pairwise(path):
            if child != parent:
                row_of.setdefault((child, parent), row)
                above.setdefault(child, set()).add(parent)
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        steps = [{one, other} for one, other in pairwise(error.args[1])]
        rows = sorted({row for pair, row in row_of.items() if set(pair) in steps})
        where = f"Row {rows[0]}" if len(rows) == 1 else f"Rows {rows[0]} and {rows[-1]}"
        verb = "makes" if len(rows) == 1 else "make"
        raise InvalidInput(
            f"{where} of the hierarchy {verb} a cycle: a label is above itself; keep one."
        ) from None
