from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from graph.networks import PLACES, TOPICS, has, network, networks
from shoal import microaggregate, mondrian
from shoal.graph import make_social, to_table
from shoal.measures import anonymity_level


def best(weights: Counter, tree, count: int) -> list:
    weights = {label: round(w, 9) for label, w in weights.items() if label != tree.labels[-1]}
    order = sorted(weights, key=lambda label: (-weights[label], tree.node[label]))
    return (order + [None] * count)[:count]


@settings(max_examples=50)
@given(networks())
def test_columns_are_those_of_a_slow_count(graph):
    table = to_table(graph, topics=2)
    for user, row in enumerate(table.frame.iter_rows(named=True)):
        friends = [a + b - user for a, b in graph.edges.tolist() if user in (a, b)]
        assert row["user"] == graph.users["user"][user]
        assert row["friends"] == len(friends)
        assert row["location"] == best(Counter(has(graph, user, "location")), PLACES, 1)[0]
        assert [row["topic_1"], row["topic_2"]] == best(Counter(has(graph, user, "topics")), TOPICS, 2)
        places, topics = Counter(), Counter()
        for friend in friends:
            places.update(has(graph, friend, "location"))
            topics.update(has(graph, friend, "topics"))
        assert row["friends_location"] == best(places, PLACES, 1)[0]
        assert [row["friends_topic_1"], row["friends_topic_2"]] == best(topics, TOPICS, 2)


def test_roles_and_hierarchies_are_set_for_every_masker():
    table = to_table(network(["Nice", "Rome"], ["jazz", "go"], [(0, 1)]), topics=1)
    assert table.names(role="identifier") == ["user"]
    assert table.names(role="quasi") == table.names()[1:]
    assert table.attribute("friends_location").hierarchy is PLACES
    assert table.attribute("friends_topic_1").hierarchy is TOPICS
    assert table.attribute("friends").kind == "numeric"


def test_maskers_protect_it():
    table = to_table(make_social(120, rng=1).graph(), topics=1)
    masked = microaggregate(table, k=4, centre="ancestor", missing="fill")
    assert anonymity_level(masked) >= 4
    assert anonymity_level(mondrian(table, k=4)) >= 4


def test_the_number_of_topics_is_checked():
    with pytest.raises(ValueError, match="`topics` must be a whole number"):
        to_table(network(["Nice"] * 2, [None] * 2, []), topics=0)
