"""Free text found in a gazetteer: that of towns, or one of your own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from shoal.errors import InvalidInput
from shoal.graph.places.find_places import find_place
from shoal.graph.places.gazetteer import Gazetteer, gazetteer
from shoal.graph.places.world_countries import plain
from shoal.hierarchy import Hierarchy
from shoal.hierarchy.tree import common_ancestors


def match_places(
    texts: Iterable[str | None], *, places: Hierarchy | None = None, names: Mapping[str, str] | None = None
) -> list[str | None]:
    """Find what people write as their location in a gazetteer.

    Parameters
    ----------
    texts
        What users wrote, None where nothing.
    places
        The gazetteer; `towns` if not given.
    names
        Other names, by name the label it stands for.

    Returns
    -------
    list of str or None
        A label of the gazetteer for every text, None where no part of it is known.

    Notes
    -----
    Case, accents and punctuation do not count. Names that stand side by side or between commas must fit each
    other ("Paris, Texas"); of several places of one name the one with clearly most people is meant, else
    what they have in common. Parts that disagree give what they have in common, if anything less than all.
    In a gazetteer of your own a text is looked up whole, then by its parts between commas and the like.
    Nothing is looked up on a network.

    Examples
    --------
    >>> match_places(["BARCELONA, Catalunya", "somewhere in time", "Lisboa / Madrid", None])
    ['Barcelona, Catalonia, Spain', None, 'Southern Europe', None]
    """
    found: dict[str, str | None] = {}
    if places is None:
        full = _with_names(gazetteer(), names or {})
    else:
        known = _directory(places, names or {})
    result = []
    for text in texts:
        if text is not None and text not in found:
            found[text] = find_place(text, full) if places is None else _match(text, places, known)
        result.append(None if text is None else found[text])
    return result


def _with_names(known: Gazetteer, names: Mapping[str, str]) -> Gazetteer:
    """The gazetteer with further names, which come first."""
    more = {name: (node,) for name, node in _directory(known.places, names).items()} if names else {}
    own = {plain(name): more[plain(name)] for name in names}
    return replace(known, names={**known.names, **own}) if own else known


def _directory(places: Hierarchy, names: Mapping[str, str]) -> dict[str, int]:
    """Every name a place goes by, in plain letters, and its position in the gazetteer."""
    unknown = [place for place in names.values() if place not in places.node]
    if unknown:
        raise InvalidInput(f"The place names stand for {unknown[0]!r}, which the gazetteer does not have.")
    directory = {plain(name): places.node[place] for name, place in names.items()}
    return directory | {plain(label): node for label, node in places.node.items()}


def _match(text: str, places: Hierarchy, known: Mapping[str, int]) -> str | None:
    if plain(text) in known:
        return places.labels[known[plain(text)]]
    parts = [plain(part) for part in re.split(r"[,;/|()&\-–—•·]|\s+(?:and|or|in|via)\s+", text)]
    nodes = np.array([known[part] for part in parts if part in known], dtype=np.intp)
    if not len(nodes):
        return None
    lowest = int(nodes[np.argmin(places.levels[nodes])])
    if np.isin(nodes, places.ancestors[lowest]).all():
        return places.labels[lowest]
    meet = int(common_ancestors(places, nodes, np.zeros(len(nodes), dtype=np.intp))[0])
    return None if places.levels[meet] == places.height else places.labels[meet]
