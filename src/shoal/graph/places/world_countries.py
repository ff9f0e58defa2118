"""The small gazetteer of the world down to countries, other names of them, and how names are compared."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, hierarchy_from_rows
from shoal.hierarchy.tree import nodes_of

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
