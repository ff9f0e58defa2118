"""Connections in order: each once, nobody with themselves, and a sentence for whatever was left out."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import InputWarning, InvalidInput
from shoal.graph.network import Edges

WEIGHTS = (
    "weight",
    "weights",
    "count",
    "strength",
)  # columns that say how strong it is
Weights = NDArray[np.float64]


def simple_edges(pairs: NDArray[Any], *, directed: bool = False) -> Edges:
    """Every connection once, in order, none of a user with themselves; lower position first unless directed.

    >>> simple_edges(np.array([[2, 1], [0, 0], [1, 2]])).tolist()
    [[1, 2]]
    >>> simple_edges(np.array([[2, 1], [0, 0], [1, 2]]), directed=True).tolist()
    [[1, 2], [2, 1]]
    """
    pairs = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
    pairs = pairs if directed else np.sort(pairs, axis=1)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    width = int(pairs.max(initial=0)) + 1
    keys = np.unique(pairs[:, 0] * width + pairs[:, 1])
    return np.column_stack(np.divmod(keys, width)).astype(np.intp)


def tidy_edges(pairs: Edges, weights: Weights | None, *, directed: bool) -> tuple[Edges, Weights | None]:
    """As `simple_edges`, with the weights of repeated connections added up; says aloud what was left out.

    >>> tidy_edges(np.array([[2, 1], [0, 1]]), np.array([0.5, 3.0]), directed=False)
    (array([[0, 1],
           [1, 2]]), array([3. , 0.5]))
    """
    edges = simple_edges(pairs, directed=directed)
    apart = pairs[:, 0] != pairs[:, 1]
    if not apart.all():
        alone = len(apart) - int(apart.sum())
        say(f"{count(alone, 'connection')} left out: of users with themselves.")
    _say_repeated(pairs[apart], edges, directed, weights is not None)
    if weights is None:
        return edges, None
    width = int(edges.max(initial=0)) + 1
    found = pairs[apart] if directed else np.sort(pairs[apart], axis=1)
    place = np.searchsorted(edges[:, 0] * width + edges[:, 1], found[:, 0] * width + found[:, 1])
    total: Weights = np.bincount(place, weights=weights[apart], minlength=len(edges)).astype(np.float64)
    return edges, total


def _say_repeated(pairs: Edges, edges: Edges, directed: bool, weighted: bool) -> None:
    """Which connections were there more than once, and whether the file seems to have directions."""
    one_way = edges if directed else simple_edges(pairs, directed=True)
    if len(one_way) < len(pairs):
        what = "their weights are added up" if weighted else "each counts once"
        say(f"{count(len(pairs) - len(one_way), 'connection')} repeated; {what}.")
    both = len(one_way) - len(edges)
    if both and both < len(edges):  # all of them in both directions is a way to write friendships
        say(
            f"{both} of {len(edges)} pairs of users are connected in both directions, the others in one: "
            "directions are dropped here; directed=True (--directed) keeps them."
        )


def edge_weights(frame: pl.DataFrame) -> Weights | None:
    """The weights of connections, if a column of that name holds numbers; says what is dropped.

    >>> edge_weights(pl.DataFrame({"a": ["x"], "b": ["y"], "weight": [2]})).tolist()
    [2.0]
    """
    named = [name for name in frame.columns[2:] if name.lower() in WEIGHTS]
    dropped = [name for name in frame.columns[2:] if name not in named[:1]]
    if dropped:
        say(f"Columns of connections that are not read: {', '.join(dropped[:5])}; only weight is.")
    if not named:
        return None
    values = frame[named[0]].cast(pl.Float64, strict=False).to_numpy()
    if not np.isfinite(values).all():
        row = int(np.argmax(~np.isfinite(values)))
        raise InvalidInput(f"The weight of connection {row} is no number; mend it or drop the column.")
    return np.asarray(values, dtype=np.float64)


def count(number: int, what: str) -> str:
    """A number of things with its verb.

    >>> count(1, "user"), count(2, "user")
    ('1 user is', '2 users are')
    """
    return f"{number} {what} is" if number == 1 else f"{number} {what}s are"


def say(sentence: str) -> None:
    """A sentence about the file that was read, aimed at whoever called."""
    warnings.warn(sentence, InputWarning, stacklevel=2)
