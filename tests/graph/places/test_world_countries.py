from __future__ import annotations

from shoal.graph import place_names, world
from shoal.graph.places.world_countries import plain


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
