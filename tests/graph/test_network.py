"""A graph checks its parts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal import InvalidInput
from shoal.graph import Graph, as_graph

USERS = {"user": ["ana", "pau", "eva"], "location": ["Lisboa", "Spain", None]}
EDGES = {"a": ["ana", "pau"], "b": ["pau", "eva"]}


def test_a_graph_checks_its_parts():
    good = as_graph(USERS, EDGES)
    for edges, sentence in [
        (np.array([[0, 3]]), "beyond the last"),
        (np.array([[1, 0]]), "lower position first"),
        (np.array([0, 1]), "whole numbers"),
        (np.array([[0.0, 1.0]]), "whole numbers"),
    ]:
        with pytest.raises(InvalidInput, match=sentence):
            Graph(good.users, edges, good.places, good.interests)
    with pytest.raises(InvalidInput, match="columns user, location and topics"):
        Graph(good.users.drop("topics"), good.edges, good.places, good.interests)
    wrong = Graph(good.users.with_columns(location=pl.lit("Oz")), good.edges, good.places, good.interests)
    with pytest.raises(InvalidInput, match="location is not named"):
        wrong.profile("location")
