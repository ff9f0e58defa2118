from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.graph import match_places, place_names, world
from shoal.hierarchy import hierarchy_from_rows


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Spain", "Spain"),
        ("  españa ", "Spain"),
        ("BARCELONA, Catalunya", "Spain"),
        ("São Paulo - Brasil", "Brazil"),
        ("日本", "Japan"),
        ("Berlin/Paris", "Western Europe"),
        ("Madrid and Berlin", "Europe"),
        ("Atlanta, Georgia", None),
        ("worldwide", "World"),
        ("", None),
        ("Guinea-Bissau", "Guinea-Bissau"),
        ("Bosnia and Herzegovina", "Bosnia and Herzegovina"),
    ],
)
def test_the_small_gazetteer_knows_countries(text, place):
    assert match_places([text], places=world(), names=place_names()) == [place]


def test_own_names_come_first():
    assert match_places(
        ["Home", "Paris"], names={"home": "Wales, United Kingdom", "Paris": "Texas, United States"}
    ) == [
        "Wales, United Kingdom",
        "Texas, United States",
    ]


def test_own_gazetteers_replace_the_world():
    rows = [["North End", "Town", "*"], ["South End", "Town", "*"], ["Farm", "Land", "*"]]
    towns = hierarchy_from_rows(rows)
    assert match_places(["north end", "Spain", None], places=towns) == ["North End", None, None]
    assert match_places(["the mill"], places=towns, names={"The Mill": "Farm"}) == ["Farm"]
    with pytest.raises(InvalidInput, match="stand for 'Nowhere'"):
        match_places(["x"], places=towns, names={"x": "Nowhere"})
