from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from shoal import InvalidInput
from shoal.graph import as_graph, find_topics, sensitive_topics, topic_tree
from shoal.hierarchy import hierarchy_from_rows


def topics(*texts, **options):
    posts = pl.DataFrame({"user": ["a"] * len(texts), "text": list(texts)}, schema={"user": str, "text": str})
    found = find_topics(posts, **options)["topics"].to_list()
    return {pair["topic"]: pair["weight"] for pair in found[0]} if found else {}


def test_points_of_all_posts_add_up_to_weights():
    assert topics("goal", "goal") == {"football": 1.0}
    assert topics("#goal", "jazz") == pytest.approx({"football": 2 / 3, "music": 1 / 3})
    assert topics("#goal jazz", hashtag=1) == pytest.approx({"football": 0.5, "music": 0.5})
    assert topics("climate change", "#ClimateChange") == {"weather": 1.0}
    assert topics("nothing of interest", "") == {}
    assert topics("jazz jazz jazz goal goal cat", "jazz jazz jazz goal goal", most=2) == pytest.approx(
        {"music": 0.6, "football": 0.4}
    )


def test_a_sensitive_topic_needs_two_posts():
    assert topics("first chemo today", "my cat") == {"animals": 1.0}
    assert topics("first chemo today", "my cat", "chemo again") == pytest.approx(
        {"health": 2 / 3, "animals": 1 / 3}
    )
    assert "health" in topics("first chemo today", sensitive_posts=1)
    assert "health" in topics("first chemo today", sensitive=())
    assert "music" not in topics("jazz", sensitive=["music"])
    assert set(sensitive_topics()) <= set(topic_tree().node)


def test_a_finder_is_any_function_of_texts():
    seen = []

    def finder(texts):
        seen.extend(texts)
        return [{"art": 3.0, "food": 1.0} if "x" in text else {} for text in texts]

    assert topics("x", "y", "x", None, finder=finder) == pytest.approx({"art": 0.75, "food": 0.25})
    assert sorted(seen) == ["", "x", "y"], "every text is looked at once"
    users, edges = {"user": ["a"]}, {"a": [], "b": []}
    graph = as_graph(users, edges, posts={"user": ["a"], "text": ["x"]}, finder=finder)
    assert graph.users["topics"].to_list()[0][0] == {"topic": "art", "weight": 0.75}
    for wrong, sentence in (
        (lambda texts: [], "one dict of topics"),
        (lambda texts: ["art"] * len(texts), "one dict of topics"),
        (lambda texts: [{"knitting": 1.0}] * len(texts), "tree of topics does not have"),
        (lambda texts: [{"art": float("nan")}] * len(texts), "no number"),
    ):
        with pytest.raises(InvalidInput, match=sentence):
            topics("x", finder=wrong)
    with pytest.raises(InvalidInput, match="both given"):
        topics("x", finder=finder, words={"art": ["x"]})


def test_slow_count_of_single_words_agrees():
    words = {"a": ["x", "y"], "b": ["z", "w"]}
    tree = hierarchy_from_rows([["a", "*"], ["b", "*"]])
    texts = ["x y z", "#x q y", "a b zz", "z,z;z"]
    points = Counter()
    for text in texts:
        found = Counter()
        for token in text.replace(",", " ").replace(";", " ").split():
            for topic, given in words.items():
                if token.lstrip("#") in (topic, *given):
                    found[topic] += 2 if token.startswith("#") else 1
        most = max(found.values(), default=0)
        points.update({topic: count for topic, count in found.items() if 2 * count >= most})
    total = sum(points.values())
    expected = {topic: count / total for topic, count in points.items()}
    assert topics(*texts, words=words, interests=tree) == pytest.approx(expected)
    inner = hierarchy_from_rows([["tennis", "sport", "*"], ["jazz", "music", "*"]])
    assert topics("sport", interests=inner) == {"sport": 1.0}, "inner labels are topics too"


def test_wrong_dictionaries_and_posts_are_refused():
    with pytest.raises(InvalidInput, match="hierarchy does not name"):
        topics("x", words={"knitting": ["wool"]})
    with pytest.raises(InvalidInput, match="at most 4"):
        topics("x", words={"music": ["one two three four five"]})
    with pytest.raises(InvalidInput, match="columns user and text"):
        find_topics(pl.DataFrame({"user": ["a"]}))
    with pytest.raises(InvalidInput, match="`hashtag` must be a number"):
        topics("x", hashtag=-1)


def test_missing_texts_and_users_without_topics():
    posts = pl.DataFrame({"user": ["a", "b", "c"], "text": ["jazz", None, "hello"]})
    assert find_topics(posts)["user"].to_list() == ["a"]
