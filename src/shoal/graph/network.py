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
from shoal.table import Table

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
        Pairs of row positions, one row per connection, each once, nobody with themselves: without direction
        the lower position first, with it from the first user to the second.
    places, interests
        How locations and topics generalise.
    others
        A table of everything else that is known of users, row by row, with kinds, roles and hierarchies: its
        quasi-identifiers are attributes to protect like location and topics.
    directed
        Whether connections have a direction.
    weights
        One number per connection, or None.

    Notes
    -----
    Made by `as_graph`, `read_graph`, `from_networkx` or `make_social`, which bring any input to this form.
    Memory O(users + edges).

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> make_social(100, rng=1).graph()
    Graph of 100 users and 1000 connections
      location: 92 users, 54 different
      topics: 92 users, 23 different
    """

    users: pl.DataFrame
    edges: Edges
    places: Hierarchy
    interests: Hierarchy
    others: Table | None = None
    directed: bool = False
    weights: NDArray[np.float64] | None = None

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
        if (edges[:, 0] == edges[:, 1]).any() or not (self.directed or (edges[:, 0] < edges[:, 1]).all()):
            raise InvalidInput("Every edge of a graph has the lower position first; as_graph sees to that.")
        if self.others is not None and len(self.others) != len(self):
            raise InvalidInput(f"The graph has {len(self)} users, their table {len(self.others)} rows.")
        if self.weights is not None and len(self.weights) != len(edges):
            raise InvalidInput(f"The graph has {len(edges)} connections and {len(self.weights)} weights.")

    def __len__(self) -> int:
        return self.users.height

    def __repr__(self) -> str:
        way = " with a direction" if self.directed else ""
        way += " and a weight" if self.weights is not None else ""
        lines = [f"Graph of {len(self)} users and {len(self.edges)} connections{way}"]
        for name in ATTRIBUTES:
            values = self.users[name].drop_nulls()
            different = values.n_unique() if name == "location" else _topics(values).n_unique()
            lines.append(f"  {name}: {len(values)} users, {different} different")
        for a in self.others.attributes if self.others is not None else ():
            lines.append(f"  {a.name}: {a.kind}, {a.role}")
        return "\n".join(lines)

    @property
    def attributes(self) -> list[str]:
        """What can be protected: location and topics if any user has them, and the quasi-identifiers."""
        own = [name for name in ATTRIBUTES if self.users[name].null_count() < len(self)]
        return own + ([] if self.others is None else self.others.names(role="quasi"))

    @cached_property
    def degrees(self) -> Nodes:
        """How many connections every user has, in both directions together."""
        return np.bincount(self.edges.reshape(-1), minlength=len(self))

    @cached_property
    def links(self) -> Any:
        """Who is connected to whom as a sparse matrix of ones, in both directions unless directed."""
        from scipy.sparse import csr_array

        a, b = self.edges.T
        if not self.directed:
            a, b = np.r_[a, b], np.r_[b, a]
        return csr_array((np.ones(len(a)), (a, b)), shape=(len(self), len(self)))

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
    if not len(values):
        return nodes
    found = pl.DataFrame({"value": values}).join(
        pl.DataFrame({"value": pl.Series(kinds, dtype=values.dtype), "node": nodes}),
        on="value",
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    return found["node"].to_numpy().astype(np.intp)


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


Entries = tuple[NDArray[np.intp], NDArray[Any], NDArray[np.float64]]


def heaviest(
    rows: NDArray[np.intp], topics: NDArray[Any], weights: NDArray[np.float64], most: int
) -> Entries:
    """The heaviest topics of every row, at most so many, their weights made to add up to 1.

    >>> heaviest(np.array([0, 0, 0]), np.array(["a", "b", "c"]), np.array([3.0, 1.0, 1.0]), 2)[2]
    array([0.75, 0.25])
    """
    order = np.lexsort((topics.astype(str) if topics.dtype == object else topics, -weights, rows))
    rows, topics, weights = rows[order], topics[order], weights[order]
    first = np.searchsorted(rows, rows)
    kept = np.arange(len(rows)) - first < most
    rows, topics, weights = rows[kept], topics[kept], weights[kept]
    total = np.bincount(rows, weights=weights, minlength=1)
    return rows, topics, weights / total[rows]


def check_comparable(original: Graph, protected: Graph) -> None:
    """Two graphs can be compared only user by user, and if both have directions or neither has."""
    if len(original) != len(protected):
        raise InvalidInput(
            f"The graphs have {len(original)} and {len(protected)} users; they must correspond row by row."
        )
    if original.directed != protected.directed:
        which = "original" if original.directed else "protected"
        raise InvalidInput(
            f"Only the connections of the {which} network have directions; read both in the same way, with "
            "directed=True or False (--directed, --undirected)."
        )


def topic_texts(topics: pl.Series) -> pl.Series:
    """Lists of topics as text: topic=weight with semicolons between.

    >>> topic_texts(pl.Series([[{"topic": "jazz", "weight": 0.25}], None])).to_list()
    ['jazz=0.25', None]
    """
    pair = pl.element().struct
    weight = pair.field("weight").round(6).cast(pl.String).str.replace(r"\.0$", "")
    texts = topics.list.eval(pl.concat_str(pair.field("topic"), pl.lit("="), weight)).list.join("; ")
    return texts.alias("topics")
