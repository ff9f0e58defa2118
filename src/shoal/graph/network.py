"""The graph: users with a location and weighted topics, and who is connected to whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy
from shoal.hierarchy.tree import nodes_of

ATTRIBUTES = ("location", "topics")
TOPIC = pl.Struct({"topic": pl.String, "weight": pl.Float64})
USERS: dict[str, pl.DataType] = {
    "user": pl.String(),
    "location": pl.String(),
    "topics": pl.List(TOPIC),
}

Edges = NDArray[np.intp]
Nodes = NDArray[np.intp]


@dataclass(frozen=True)
class Profile:
    """What users have of one attribute, as entries: who, which label of the hierarchy, how much of it.

    The weights of a user add up to 1. Who has no value has the label that covers all.
    """

    hierarchy: Hierarchy
    rows: Nodes
    nodes: Nodes
    weights: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A network of users, as plain values; never changed in place.

    Parameters
    ----------
    users
        A polars frame, one row per user: `user` (text, the identifier), `location` (a label of `places`, or
        missing), `topics` (a list of pairs topic and weight, weights adding up to 1, or missing).
    edges
        Pairs of row positions, one row per connection: without direction, each once, nobody with themselves.
    places, interests
        How locations and topics generalise.

    Notes
    -----
    Made by `as_graph`, `read_graph`, `from_networkx` or `make_social`, which bring any input to this form.
    Memory O(users + edges).

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> make_social(100, rng=1).graph()
    Graph of 100 users and 1000 connections
      location: 94 users, 54 different
      topics: 100 users, 62 different
    """

    users: pl.DataFrame
    edges: Edges
    places: Hierarchy
    interests: Hierarchy

    def __post_init__(self) -> None:
        if dict(self.users.schema) != USERS:
            raise InvalidInput(
                "The users of a graph need the columns user, location and topics; as_graph makes them."
            )
        edges = self.edges
        if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
            raise InvalidInput("The edges of a graph are whole numbers, one row of two users per connection.")
        if len(edges) and not (edges.min() >= 0 and edges.max() < len(self.users)):
            raise InvalidInput("An edge names a user beyond the last; edges hold row positions of users.")
        if (edges[:, 0] >= edges[:, 1]).any():
            raise InvalidInput("Every edge of a graph has the lower position first; as_graph sees to that.")

    def __len__(self) -> int:
        return self.users.height

    def __repr__(self) -> str:
        lines = [f"Graph of {len(self)} users and {len(self.edges)} connections"]
        for name in ATTRIBUTES:
            values = self.users[name].drop_nulls()
            different = values.n_unique() if name == "location" else _topics(values).n_unique()
            lines.append(f"  {name}: {len(values)} users, {different} different")
        return "\n".join(lines)

    @cached_property
    def degrees(self) -> Nodes:
        """How many connections every user has."""
        return np.bincount(self.edges.reshape(-1), minlength=len(self))

    def profile(self, attribute: str) -> Profile:
        """The values of "location" or "topics" as entries of numbers."""
        return self._location if attribute == "location" else self._topics

    @cached_property
    def _location(self) -> Profile:
        nodes = _found(self.places, self.users["location"], "location")
        return Profile(self.places, np.arange(len(self)), nodes, np.ones(len(self)))

    @cached_property
    def _topics(self) -> Profile:
        flat = self.users.select("topics").with_row_index("row").explode("topics").unnest("topics")
        nodes = _found(self.interests, flat["topic"], "topics")
        weights = flat["weight"].fill_null(1.0).to_numpy()
        return Profile(self.interests, flat["row"].to_numpy().astype(np.intp), nodes, weights)


def _found(hierarchy: Hierarchy, values: pl.Series, what: str) -> Nodes:
    """The node of every value; the top where it is missing."""
    top = len(hierarchy.labels) - 1
    kinds = values.unique().to_list()
    try:
        nodes = nodes_of(hierarchy, [hierarchy.labels[top] if kind is None else kind for kind in kinds])
    except InvalidInput:
        raise InvalidInput(
            f"A value of {what} is not named by its hierarchy; build the graph with as_graph."
        ) from None
    number: dict[Any, int] = dict(zip(kinds, nodes.tolist(), strict=True))
    return np.fromiter((number[value] for value in values.to_list()), dtype=np.intp, count=len(values))


def _topics(values: pl.Series) -> pl.Series:
    return values.explode().struct.field("topic") if len(values) else pl.Series([], dtype=pl.String)


def topic_lists(rows: Nodes, topics: NDArray[Any], weights: NDArray[np.float64], n: int) -> pl.Series:
    """Entries as one list per user, the heaviest topic first; missing where a user has none.

    >>> topic_lists(np.array([1, 1]), np.array(["rock", "jazz"]), np.array([0.4, 0.6]), 2).to_list()
    [None, [{'topic': 'jazz', 'weight': 0.6}, {'topic': 'rock', 'weight': 0.4}]]
    """
    names = np.asarray(topics, dtype=object)
    order = np.lexsort((names.astype(str), -weights, rows))
    pairs = pl.DataFrame(
        {"topic": pl.Series(names[order].tolist(), dtype=pl.String), "weight": weights[order]}
    ).to_struct("topics")
    flat = pl.DataFrame({"row": rows[order].astype(np.int64), "topics": pairs})
    lists = flat.group_by("row", maintain_order=True).agg("topics")
    every = pl.DataFrame({"row": np.arange(n, dtype=np.int64)})
    joined = every.join(lists, on="row", how="left", maintain_order="left")
    return joined["topics"].cast(USERS["topics"])


def topic_texts(topics: pl.Series) -> pl.Series:
    """Lists of topics as text: topic=weight with semicolons between.

    >>> topic_texts(pl.Series([[{"topic": "jazz", "weight": 0.25}], None])).to_list()
    ['jazz=0.25', None]
    """
    texts = [
        None if pairs is None else "; ".join(f"{p['topic']}={round(p['weight'], 6):g}" for p in pairs)
        for pairs in topics.to_list()
    ]
    return pl.Series("topics", texts, dtype=pl.String)
