from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import as_graph
from shoal.graph.tidy_edges import simple_edges
from shoal.hierarchy import hierarchy_from_rows

USERS = {"user": ["ana", "pau", "eva"], "location": ["Lisboa", "Spain", None]}
EDGES = {"a": ["ana", "pau"], "b": ["pau", "eva"]}


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, pa.table, dict], ids=["pl", "pd", "pa", "dict"])
def test_every_frame_library_gives_the_same_graph(make):
    posts = {"user": ["eva", "ana"], "text": ["#jazz", "hello"]}
    graph = as_graph(make(USERS), make(EDGES), posts=make(posts))
    assert graph.users["location"].to_list() == ["Lisbon, Lisbon, Portugal", "Spain", None]
    assert graph.users["topics"].to_list() == [None, None, [{"topic": "music", "weight": 1.0}]]
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.degrees.tolist() == [1, 2, 1]


def test_directions_repetitions_and_loops_do_not_count():
    edges = {"a": ["pau", "ana", "eva", "eva"], "b": ["ana", "pau", "eva", "pau"]}
    with pytest.warns(InputWarning) as heard:
        assert as_graph(USERS, edges).edges.tolist() == [[0, 1], [1, 2]]
    said = " ".join(str(warning.message) for warning in heard)
    assert "1 connection is left out: of users with themselves" in said
    assert "1 of 2 pairs of users are connected in both directions" in said
    with pytest.warns(InputWarning, match="left out"):
        kept = as_graph(USERS, edges, directed=True)
    assert kept.edges.tolist() == [[0, 1], [1, 0], [2, 1]]


def test_weights_are_kept_and_added_up_and_other_columns_said():
    edges = {"a": ["ana", "ana", "pau"], "b": ["pau", "pau", "eva"], "weight": [1, 2, 5], "since": [1, 2, 3]}
    with pytest.warns(InputWarning) as heard:
        graph = as_graph(USERS, edges)
    assert graph.weights.tolist() == [3.0, 5.0]
    assert str(heard[0].message).split(":")[0] == "Columns of connections that are not read"
    assert "1 connection is repeated; their weights are added up." in [str(w.message) for w in heard]
    with pytest.raises(InvalidInput, match="weight of connection 1 is no number"):
        as_graph(USERS, {**EDGES, "weight": [1, None]})


def test_who_is_only_in_edges_or_posts_is_kept_and_said():
    with pytest.warns(InputWarning) as heard:
        graph = as_graph(USERS, {"a": ["ana"], "b": ["zoe"]}, posts={"user": ["max"], "text": ["#jazz"]})
    assert graph.users["user"].to_list() == ["ana", "pau", "eva", "zoe", "max"]
    assert graph.users["topics"].to_list()[4] == [{"topic": "music", "weight": 1.0}]
    assert [str(w.message).split(";")[0] for w in heard] == [
        "1 user is only in the edges",
        "1 user is only in the posts",
    ]
    assert not any("zoe" in str(w.message) or "max" in str(w.message) for w in heard)
    assert simple_edges(np.empty((0, 2))).shape == (0, 2)


def test_given_topics_come_before_those_of_posts_and_numbers_are_names_too():
    users = {"user": [7, 8], "topics": ["music=3; football=1", None]}
    posts = {"user": [7, 8], "text": ["my cat", "my cat"]}
    graph = as_graph(users, {"a": [7], "b": [8]}, posts=posts)
    assert graph.users["user"].to_list() == ["7", "8"]
    assert graph.users["topics"].to_list() == [
        [{"topic": "music", "weight": 0.75}, {"topic": "football", "weight": 0.25}],
        [{"topic": "animals", "weight": 1.0}],
    ]


def test_unknown_places_are_said_aloud_without_the_place():
    users = {"user": ["a", "b"], "location": ["Spain", "Neverland"]}
    with pytest.warns(InputWarning, match=r"1 of 2 locations .* first at row 1") as heard:
        graph = as_graph(users, {"a": [], "b": []})
    assert "Neverland" not in str(heard[0].message)
    assert graph.users["location"].to_list() == ["Spain", None]


@pytest.mark.parametrize(
    ("users", "edges", "posts", "sentence"),
    [
        ({"name": ["a"]}, EDGES, None, "no column 'user' in the users"),
        ({"user": ["a", "a"]}, EDGES, None, "row 1 is there twice"),
        ({"user": ["a", None]}, EDGES, None, "row 1 has no name"),
        (USERS, {"a": ["ana"], "b": [None]}, None, "Edge 0 lacks one of its two users"),
        (USERS, {"a": ["ana"]}, None, "need two columns"),
        (USERS, EDGES, {"user": ["secretname"]}, "no column 'text' in the posts"),
        ({"user": ["a"], "topics": ["secretname"]}, {"a": [], "b": []}, None, "topics of row 0 name one"),
        ({"user": ["a"], "topics": ["music=-1"]}, {"a": [], "b": []}, None, "row 0 have a weight"),
        ({"user": ["a"], "topics": ["music=many"]}, {"a": [], "b": []}, None, "row 0 have a weight"),
        (3, EDGES, None, "users need a frame"),
    ],
)
def test_faults_are_one_sentence_without_values(users, edges, posts, sentence):
    with pytest.raises(InvalidInput, match=sentence) as error:
        as_graph(users, edges, posts=posts)
    assert "secretname" not in str(error.value)


def test_other_columns_become_attributes_with_kinds_roles_and_hierarchies():
    users = {**USERS, "age": [30, 41, 52], "town": ["x", "y", "x"], "mail": ["p", "q", "r"], "ill": [1, 0, 1]}
    with pytest.warns(InputWarning, match=r"Different for \(nearly\) every user.*not released: mail\."):
        graph = as_graph(
            users,
            EDGES,
            roles={"confidential": "ill"},
            kinds={"ill": "nominal"},
        )
    found = {a.name: (a.kind, a.role) for a in graph.others.attributes}
    assert found == {
        "age": ("numeric", "quasi"),
        "town": ("nominal", "quasi"),
        "mail": ("nominal", "identifier"),
        "ill": ("nominal", "confidential"),
    }
    assert graph.attributes == ["location", "age", "town"]
    assert graph.users.columns == ["user", "location", "topics"]


def test_a_hierarchy_of_a_column_is_used():
    tree = hierarchy_from_rows([["30", "young", "*"], ["41", "old", "*"], ["52", "old", "*"]])
    graph = as_graph({**USERS, "age": [30, 41, 52]}, EDGES, hierarchies={"age": tree})
    assert graph.others.attribute("age").kind == "nominal"
    with pytest.raises(InvalidInput, match="no column 'year'"):
        as_graph({**USERS, "age": [30, 41, 52]}, EDGES, hierarchies={"year": tree})


def test_names_of_which_two_are_alike_are_names_still():
    people = {"user": list(range(20)), "name": [*(f"Ana {i}" for i in range(19)), "Ana 0"]}
    with pytest.warns(InputWarning, match="not released: name"):
        graph = as_graph(people, {"a": [0], "b": [1]})
    assert graph.attributes == []
    people["name"] = [f"Ana {i % 15}" for i in range(20)]
    assert as_graph(people, {"a": [0], "b": [1]}).attributes == ["name"]


def test_names_that_became_floats_are_the_same_names():
    users = pd.DataFrame({"user": [1, 2, 3]})
    edges = pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, -0.0 + 3]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(as_graph(users, edges)) == 3
        assert as_graph(users.astype(float), {"a": [1], "b": [2]}).users["user"].to_list() == ["1", "2", "3"]


def test_columns_of_a_dict_that_mix_types_are_refused_without_a_value():
    with pytest.raises(InvalidInput, match="Column 'age' cannot be read") as error:
        as_graph({"user": ["a", "b"], "age": [20, "secret"]}, {"a": ["a"], "b": ["b"]})
    assert "secret" not in str(error.value)
    graph = as_graph({"user": ["a", "b", "c"], "age": [20, 2.5, None]}, {"a": ["a"], "b": ["b"]})
    assert graph.others.column("age")[:2].tolist() == [20.0, 2.5]
