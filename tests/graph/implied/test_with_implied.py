from __future__ import annotations

import polars as pl
import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import as_graph, read_graph

USERS = {"user": ["ana", "pau", "eva"], "location": ["Spain", None, " "]}
POSTS = {
    "user": ["ana", "pau", "pau", "eva", "eva"],
    "text": ["hi @pau @eva", "rain in Lisbon", "back in Lisbon", "in Chicago", "@ana"],
    "language": ["es", "pt", "pt", "pt", None],
    "time_zone": ["Lisbon", "Lisbon", "Lisbon", "Chicago", "Paris"],
}
EDGES = {"a": ["pau"], "b": ["ana"], "weight": [3.0]}


def test_nothing_is_taken_from_posts_unless_asked():
    graph = as_graph(USERS, EDGES, posts=POSTS)
    assert graph.edges.tolist() == [[0, 1]]
    assert graph.users["location"].to_list() == ["Spain", None, None]
    assert graph.others is None


def test_places_connections_time_zones_and_languages():
    with pytest.warns(InputWarning) as heard:
        graph = as_graph(USERS, EDGES, posts=POSTS, implied=["places", "mentions", "time_zone", "language"])
    said = [str(warning.message) for warning in heard]
    assert "Users whose place is from their posts: 1." in said
    assert "2 connections are from mentions and replies in posts." in said
    assert graph.users["location"].to_list() == ["Spain", "Lisbon, Portugal", None]
    assert graph.edges.tolist() == [[0, 1], [0, 2]]
    assert graph.weights.tolist() == [3.0, 2.0], "the connection that was there keeps its weight"
    assert graph.others.frame["language"].to_list() == ["es", "pt", "pt"]
    assert graph.others.frame["time_zone"].to_list() == ["Lisbon", "Lisbon", "Chicago"]
    assert [name for name in graph.attributes if name != "topics"] == ["location", "time_zone", "language"]


def test_directions_of_mentions_are_kept():
    with pytest.warns(InputWarning):
        graph = as_graph(USERS, {"a": [], "b": []}, posts=POSTS, implied="mentions", directed=True)
    assert graph.edges.tolist() == [[0, 1], [0, 2], [2, 0]]


def test_what_is_not_there_is_said_in_a_sentence():
    with pytest.raises(InvalidInput, match="there are none"):
        as_graph(USERS, EDGES, implied=["places"])
    few = {name: POSTS[name] for name in ("user", "text")}
    with pytest.raises(InvalidInput, match="no column 'language'"):
        as_graph(USERS, EDGES, posts=few, implied=["language"])
    with pytest.raises(InvalidInput, match="of their own"):
        as_graph({**USERS, "language": ["a", "b", "b"]}, EDGES, posts=POSTS, implied=["language"])
    with pytest.raises(InvalidInput, match="implied fact"):
        as_graph(USERS, EDGES, posts=POSTS, implied=["names"])


def test_columns_of_posts_are_read_from_files(tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nana,pau\n")
    pl.DataFrame(POSTS).write_ndjson(tmp_path / "posts.jsonl")
    graph = read_graph(tmp_path, implied=["language"])
    assert graph.others.frame["language"].drop_nulls().len() == 3
