from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import as_graph
from shoal.graph.build_graph import simple_edges

USERS = {"user": ["ana", "pau", "eva"], "location": ["Lisboa", "Spain", None]}
EDGES = {"a": ["ana", "pau"], "b": ["pau", "eva"]}


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, pa.table, dict], ids=["pl", "pd", "pa", "dict"])
def test_every_frame_library_gives_the_same_graph(make):
    posts = {"user": ["eva", "ana"], "text": ["#jazz", "hello"]}
    graph = as_graph(make(USERS), make(EDGES), posts=make(posts))
    assert graph.users["location"].to_list() == ["Portugal", "Spain", None]
    assert graph.users["topics"].to_list() == [None, None, [{"topic": "jazz", "weight": 1.0}]]
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.degrees.tolist() == [1, 2, 1]


def test_directions_repetitions_and_loops_do_not_count():
    edges = {"a": ["pau", "ana", "eva", "eva"], "b": ["ana", "pau", "eva", "pau"]}
    assert as_graph(USERS, edges).edges.tolist() == [[0, 1], [1, 2]]
    assert simple_edges(np.empty((0, 2))).shape == (0, 2)


def test_given_topics_come_before_those_of_posts_and_numbers_are_names_too():
    users = {"user": [7, 8], "topics": ["jazz=3; football=1", None]}
    posts = {"user": [7, 8], "text": ["my cat", "my cat"]}
    graph = as_graph(users, {"a": [7], "b": [8]}, posts=posts)
    assert graph.users["user"].to_list() == ["7", "8"]
    assert graph.users["topics"].to_list() == [
        [{"topic": "jazz", "weight": 0.75}, {"topic": "football", "weight": 0.25}],
        [{"topic": "animals", "weight": 1.0}],
    ]


def test_unknown_places_are_said_aloud_without_the_place():
    users = {"user": ["a", "b"], "location": ["Spain", "Atlantis"]}
    with pytest.warns(InputWarning, match=r"1 of 2 locations .* first at row 1") as heard:
        graph = as_graph(users, {"a": [], "b": []})
    assert "Atlantis" not in str(heard[0].message)
    assert graph.users["location"].to_list() == ["Spain", None]


@pytest.mark.parametrize(
    ("users", "edges", "posts", "sentence"),
    [
        ({"name": ["a"]}, EDGES, None, "no column of the users 'user'"),
        ({"user": ["a", "a"]}, EDGES, None, "row 1 is there twice"),
        ({"user": ["a", None]}, EDGES, None, "row 1 has no name"),
        (USERS, {"a": ["ana"], "b": ["secretname"]}, None, "Edge 0 names a user"),
        (USERS, {"a": ["ana"]}, None, "need two columns"),
        (USERS, EDGES, {"user": ["secretname"], "text": ["x"]}, "Post 0 is of a user"),
        ({"user": ["a"], "topics": ["secretname"]}, {"a": [], "b": []}, None, "topics of row 0 name one"),
        ({"user": ["a"], "topics": ["jazz=-1"]}, {"a": [], "b": []}, None, "row 0 have a weight"),
        ({"user": ["a"], "topics": ["jazz=many"]}, {"a": [], "b": []}, None, "row 0 have a weight"),
        (3, EDGES, None, "users need a frame"),
    ],
)
def test_faults_are_one_sentence_without_values(users, edges, posts, sentence):
    with pytest.raises(InvalidInput, match=sentence) as error:
        as_graph(users, edges, posts=posts)
    assert "secretname" not in str(error.value)


def test_other_columns_are_not_taken_over():
    assert as_graph({**USERS, "phone": [1, 2, 3]}, EDGES).users.columns == ["user", "location", "topics"]
