from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.graph import as_graph, hide_topics, protect_graph, sensitive_users

USERS = {"user": list("abcd"), "topics": ["health=3; music=1", "health", "music", None]}
EDGES = {"a": ["a"], "b": ["b"]}


def test_sensitive_topics_are_taken_out_and_nothing_else():
    graph = as_graph(USERS, EDGES)
    left = hide_topics(graph)
    assert left.users["topics"].to_list() == [
        [{"topic": "music", "weight": 1.0}],
        None,
        [{"topic": "music", "weight": 1.0}],
        None,
    ]
    assert left.edges.tolist() == graph.edges.tolist()
    assert graph.users["topics"].to_list()[1] is not None, "the graph given stays as it is"
    assert hide_topics(graph, []).users.equals(graph.users)


def test_an_area_hides_what_lies_below_it():
    assert hide_topics(as_graph(USERS, EDGES), ["arts"]).users["topics"].to_list()[2] is None
    with pytest.raises(InvalidInput, match="no topic 'helth'"):
        hide_topics(as_graph(USERS, EDGES), ["helth"])


def test_sensitive_users_are_counted():
    graph = as_graph({**USERS, "topics": ["health; crime", "health", "music", None]}, EDGES)
    assert sensitive_users(graph).rows() == [("health", 2), ("crime", 1)]
    assert sensitive_users(hide_topics(graph)).rows() == []


@pytest.mark.filterwarnings("ignore:Connections stay")
def test_a_sensitive_topic_that_is_released_is_said():
    graph = as_graph({**USERS, "topics": ["health"] * 4}, EDGES)
    with pytest.warns(match="4 users are released with a sensitive topic"):
        protect_graph(graph, k=2)
