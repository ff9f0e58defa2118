"""Places: a gazetteer of the world down to countries, and free text found in it."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

import numpy as np

from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, hierarchy_from_rows
from shoal.hierarchy.tree import common_ancestors, nodes_of

_WORDS = re.compile(r"\w+")


@cache
def world() -> Hierarchy:
    """The gazetteer that ships with shoal: country, region, continent, World.

    Returns
    -------
    Hierarchy
        201 countries and territories in 21 regions, after the statistical regions of the United Nations.

    Notes
    -----
    Written from general knowledge for statistics; it takes no side in any dispute. Replace it by your own
    with `read_hierarchy`.

    Examples
    --------
    >>> world().paths[0]
    ('Algeria', 'Northern Africa', 'Africa', 'World')
    """
    return hierarchy_from_rows(shipped_rows("world.csv"))


@cache
def place_names() -> Mapping[str, str]:
    """Other names of the places of `world`: native names, codes, states, large towns.

    >>> place_names()["Lisboa"]
    'Portugal'
    """
    return {name: row[0] for row in shipped_rows("place_names.csv") for name in row[1:]}


def shipped_rows(name: str) -> list[list[str]]:
    """The rows of one of the lists that ship with the package."""
    text = files("shoal.graph").joinpath("lists", name).read_text(encoding="utf-8")
    return [row for row in csv.reader(text.splitlines(), delimiter=";") if row]


def match_places(
    texts: Iterable[str | None], *, places: Hierarchy | None = None, names: Mapping[str, str] | None = None
) -> list[str | None]:
    """Find what people write as their location in a gazetteer.

    Parameters
    ----------
    texts
        What users wrote, None where nothing.
    places
        The gazetteer; `world` if not given.
    names
        Other names, by name the label it stands for; `place_names` if neither is given.

    Returns
    -------
    list of str or None
        A label of the gazetteer for every text, None where no part of it is known.

    Notes
    -----
    Case, accents and punctuation do not count. A text is looked up whole, then by its parts between commas,
    slashes and the like. Parts that agree give the most exact one ("Barcelona, Spain" is Spain); parts that
    disagree give what they have in common, if anything less than all ("Atlanta, Georgia", a town of the
    United States and a country, is nothing). Nothing is looked up on a network.

    Examples
    --------
    >>> match_places(["BARCELONA, Catalunya", "somewhere in time", "Lisboa / Madrid", None])
    ['Spain', None, 'Southern Europe', None]
    """
    names = place_names() if places is None and names is None else names or {}
    places = world() if places is None else places
    known = _directory(places, names)
    found: dict[str, str | None] = {}
    result = []
    for text in texts:
        if text is not None and text not in found:
            found[text] = _match(text, places, known)
        result.append(None if text is None else found[text])
    return result


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


def plain(text: str) -> str:
    """Small letters without accents, words parted by one blank.

    >>> plain("  São-Tomé  ")
    'sao tome'
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(_WORDS.findall("".join(c for c in letters if not unicodedata.combining(c))))


def check_labels(hierarchy: Hierarchy, labels: Iterable[str], what: str) -> None:
    """Refuse labels the hierarchy does not have."""
    try:
        nodes_of(hierarchy, labels)
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {error}") from None
