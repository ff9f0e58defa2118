from __future__ import annotations

import polars as pl

from shoal.graph import post_places
from shoal.hierarchy import hierarchy_from_rows


def place(*texts, **options):
    found = post_places(pl.DataFrame({"user": ["a"] * len(texts), "text": list(texts)}), **options)
    return found["location"].to_list()


def test_two_posts_name_a_place_and_one_does_not():
    assert place("Rain in Chicago again", "back to Chicago, Illinois") == ["Chicago, Illinois, United States"]
    assert place("Rain in Chicago again", "lunch") == []
    assert place("Rain in Chicago, yes in Chicago") == [], "one post counts once"


def test_two_places_give_the_more_frequent_one_or_what_they_have_in_common():
    assert place("in Madrid", "from Lisbon", "near Madrid")[0].endswith("Spain")
    assert place("in Madrid", "from Lisbon") == ["Southern Europe"]
    assert place("in Madrid", "in Madrid", "in Tokyo", "in Tokyo") == []


def test_names_of_something_else_small_towns_and_small_letters_are_left():
    assert place("see you in May", "in May", "to God", "to God") == []
    assert place("in Porthcawl", "in Porthcawl") == [], "too few people to be sure"
    assert place("in chicago", "in chicago") == []
    assert place(None, "in") == []


def test_a_gazetteer_of_your_own():
    tree = hierarchy_from_rows([["Here", "Town", "*"], ["There", "Town", "*"]])
    assert place("in Here", "from Here!", places=tree) == ["Here"]
    assert place("in Hier", "from Here!", places=tree, names={"Hier": "Here"}) == ["Here"]
