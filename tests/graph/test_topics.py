from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from shoal import InvalidInput
from shoal.graph import find_topics, topic_tree, topic_words
from shoal.graph.places import plain
from shoal.hierarchy import hierarchy_from_rows


def topics(*texts, **options):
    posts = pl.DataFrame({"user": ["a"] * len(texts), "text": list(texts)}, schema={"user": str, "text": str})
    found = find_topics(posts, **options)["topics"].to_list()
    return {pair["topic"]: pair["weight"] for pair in found[0]} if found else {}


def test_the_tree_and_its_words_fit():
    tree, words = topic_tree(), topic_words()
    assert tree.height == 3
    assert set(words) == {path[0] for path in tree.paths}
    counts = Counter(plain(word) for given in words.values() for word in given)
    assert [word for word, count in counts.items() if count > 1] == []
    assert all(1 <= len(plain(word).split()) <= 3 for word in counts)


def test_words_hashtags_and_phrases_are_counted():
    assert topics("A goal!", "goal") == {"football": 1.0}
    assert topics("#goal", "jazz") == pytest.approx({"football": 2 / 3, "jazz": 1 / 3})
    assert topics("#goal jazz", hashtag=1) == pytest.approx({"football": 0.5, "jazz": 0.5})
    assert topics("Climate change is here") == {"climate": 1.0}
    assert topics("climate change", "#ClimateChange") == {"climate": 1.0}
    assert topics("the tour de France") == {"cycling": 1.0}
    assert topics("tour", "de", "france") == {}, "a phrase does not cross posts"
    assert topics("FÚTBOL") == {"football": 1.0}
    assert topics("sport") == {"sport": 1.0}, "inner labels are topics too"
    assert topics("nothing of interest", "") == {}


def test_only_the_heaviest_are_kept_and_weights_add_up():
    found = topics("jazz jazz jazz goal goal cat", most=2)
    assert found == pytest.approx({"jazz": 0.6, "football": 0.4})


def test_slow_count_of_single_words_agrees():
    words = {"a": ["x", "y"], "b": ["y", "z"]}
    tree = hierarchy_from_rows([["a", "*"], ["b", "*"]])
    texts = ["x y z", "#x q y", "a b zz", "z,z;z"]
    points = Counter()
    for text in texts:
        for token in text.replace(",", " ").replace(";", " ").split():
            for topic, given in words.items():
                if token.lstrip("#") in (topic, *given):
                    points[topic] += 2 if token.startswith("#") else 1
    total = sum(points.values())
    expected = {topic: count / total for topic, count in points.items()}
    assert topics(*texts, words=words, interests=tree) == pytest.approx(expected)


def test_wrong_dictionaries_and_posts_are_refused():
    with pytest.raises(InvalidInput, match="hierarchy does not name"):
        topics("x", words={"knitting": ["wool"]})
    with pytest.raises(InvalidInput, match="columns user and text"):
        find_topics(pl.DataFrame({"user": ["a"]}))
    with pytest.raises(InvalidInput, match="`hashtag` must be a number"):
        topics("x", hashtag=-1)


def test_missing_texts_and_users_without_topics():
    posts = pl.DataFrame({"user": ["a", "b", "c"], "text": ["jazz", None, "hello"]})
    assert find_topics(posts)["user"].to_list() == ["a"]
