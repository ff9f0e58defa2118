"""Hierarchies by hand: values merged into named groups, and groups into larger ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shoal.errors import InvalidInput
from shoal.hierarchy.builders import TOP, hierarchy_from_edges
from shoal.hierarchy.tree import Hierarchy, as_text


def hierarchy_by_hand(values: Iterable[Any], groups: Iterable[tuple[str, Iterable[Any]]]) -> Hierarchy:
    """A hierarchy of groups that somebody named.

    Parameters
    ----------
    values
        The values that occur; None and NaN are passed over.
    groups
        Pairs (label, members); a member is a value, or the label of a group before it. What nobody merges
        goes straight below the top.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InvalidInput
        If a member is neither a value nor a label, or is merged twice, or a label is a value; the sentence
        gives the group's place.

    Examples
    --------
    >>> hierarchy_by_hand(["a", "b", "c"], [("north", ["a", "b"])]).paths
    (('a', 'north', '*'), ('b', 'north', '*'), ('c', 'c', '*'))
    """
    known = dict.fromkeys(as_text(value) for value in values if value is not None and value == value)
    edges: dict[str, str] = {}
    for place, (label, members) in enumerate(groups, 1):
        if as_text(label) in known:
            raise InvalidInput(f"Group {place} is called like a value of the column; give it another name.")
        for member in map(as_text, members):
            if member not in known and member not in edges.values():
                raise InvalidInput(
                    f"Group {place} merges something that is neither a value of the column nor a label of a "
                    "group before it; check its spelling."
                )
            if edges.setdefault(member, as_text(label)) != as_text(label):
                raise InvalidInput(f"Group {place} merges what another one has merged; say it once.")
    tops = [label for label in (*known, *edges.values()) if label not in edges]
    return hierarchy_from_edges(edges | dict.fromkeys(tops, TOP))
