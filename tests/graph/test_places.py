from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.graph import match_places, place_names, world
from shoal.graph.places import plain
from shoal.hierarchy import hierarchy_from_rows, level_of


def test_the_gazetteer_is_a_tree_of_about_two_hundred_countries():
    places = world()
    assert places.height == 3
    assert 195 <= len(places.paths) <= 205
    assert {path[2] for path in places.paths} == {"Africa", "Americas", "Asia", "Europe", "Oceania"}
    assert len({plain(label) for label in places.labels}) == len(places.labels)


def test_every_name_stands_for_one_known_place():
    names, places = place_names(), world()
    assert set(names.values()) <= set(places.labels)
    known = {}
    for name, place in [*names.items(), *((label, label) for label in places.labels)]:
        assert known.setdefault(plain(name), place) == place, name
    assert {path[0] for path in places.paths} <= set(names.values()), "every country has a code"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Spain", "Spain"),
        ("  españa ", "Spain"),
        ("BARCELONA, Catalunya", "Spain"),
        ("New York, NY", "United States"),
        ("nyc", "United States"),
        ("São Paulo - Brasil", "Brazil"),
        ("日本", "Japan"),
        ("Berlin/Paris", "Western Europe"),
        ("Madrid and Berlin", "Europe"),
        ("Atlanta, Georgia", None),
        ("Spain, Europe", "Spain"),
        ("Europe", "Europe"),
        ("my mother's kitchen", None),
        ("worldwide", "World"),
        ("", None),
        ("Guinea-Bissau", "Guinea-Bissau"),
        ("Bosnia and Herzegovina", "Bosnia and Herzegovina"),
    ],
)
def test_what_people_write_is_found_or_not(text, place):
    assert match_places([text]) == [place]


def test_own_gazetteers_replace_the_world():
    rows = [["North End", "Town", "*"], ["South End", "Town", "*"], ["Farm", "Land", "*"]]
    towns = hierarchy_from_rows(rows)
    assert match_places(["north end", "Spain", None], places=towns) == ["North End", None, None]
    assert match_places(["the mill"], places=towns, names={"The Mill": "Farm"}) == ["Farm"]
    with pytest.raises(InvalidInput, match="stand for 'Nowhere'"):
        match_places(["x"], places=towns, names={"x": "Nowhere"})


def test_parts_that_disagree_give_what_covers_both():
    (found,) = match_places(["Lisboa / Madrid"])
    assert level_of(world(), found) == 1
