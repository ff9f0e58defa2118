from __future__ import annotations

from collections import Counter

from shoal.graph import topic_tree, topic_words
from shoal.graph.places.world_countries import plain, shipped_rows
from shoal.graph.topics.topic_lists import topic_nouns


def test_the_tree_and_its_words_fit():
    tree, words = topic_tree(), topic_words()
    assert (tree.height, len(tree.paths)) == (2, 25)
    assert set(words) == {path[0] for path in tree.paths}
    counts = Counter(plain(word) for row in shipped_rows("topic_words.csv") for word in row[1:])
    assert [word for word, count in counts.items() if count > 1] == []


def test_nouns_are_of_topics_of_the_tree():
    nouns = topic_nouns()
    assert len(nouns) > 40_000
    assert {topic for _, topic, _ in nouns} <= {path[0] for path in topic_tree().paths}
    assert all(0.5 <= part <= 1 for _, _, part in nouns)
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in _licence()


def _licence() -> str:
    from importlib.resources import files

    return files("shoal.graph").joinpath("lists", "LICENCE.md").read_text()
