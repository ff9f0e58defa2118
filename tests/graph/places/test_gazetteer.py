from __future__ import annotations

import numpy as np

from shoal.graph import towns, world
from shoal.graph.places.gazetteer import gazetteer
from shoal.graph.places.world_countries import shipped_rows


def test_every_country_of_the_small_gazetteer_is_in_the_large_one():
    places = towns()
    assert places.height == world().height + 2
    assert {path[0] for path in world().paths} <= set(places.labels)
    assert len(places.paths) > 30_000
    node = places.node["Porthcawl, Wales, United Kingdom"]
    assert [places.labels[n] for n in places.ancestors[node]] == [
        "Porthcawl, Wales, United Kingdom",
        "Wales, United Kingdom",
        "United Kingdom",
        "Northern Europe",
        "Europe",
        "World",
    ]


def test_people_add_up_and_lists_name_known_places():
    known = gazetteer()
    top = len(known.places.labels) - 1
    assert known.people[top] == known.people[known.places.levels == 0].sum()
    assert (known.people >= 0).all()
    assert known.people[known.places.node["Japan"]] > 80_000
    assert {row[0] for row in shipped_rows("region_codes.csv")} <= set(known.places.labels)
    assert {row[1] for row in shipped_rows("nicknames.csv")} <= set(known.places.labels)
    nodes = np.concatenate([np.array(found) for found in known.names.values()])
    assert nodes.max() <= top
