"""Users and edges with what posts add to them, as far as it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.graph.implied.mentions import mentions
from shoal.graph.implied.post_places import post_places
from shoal.graph.tidy_edges import WEIGHTS, count, say
from shoal.hierarchy import Hierarchy

IMPLIED = ("places", "mentions", "time_zone", "language")


def with_implied(
    users: pl.DataFrame,
    edges: pl.DataFrame,
    posts: pl.DataFrame | None,
    implied: Iterable[str],
    *,
    places: Hierarchy | None = None,
    place_names: Mapping[str, str] | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Fill in places, connections, time zones and languages from posts, and say how many of each.

    >>> users, posts = pl.DataFrame({"user": ["a", "b"]}), pl.DataFrame({"user": ["a"], "text": ["hi @b"]})
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with_implied(users, pl.DataFrame({"x": [], "y": []}), posts, ["mentions"])[1].rows()
    [('a', 'b')]
    """
    wanted = check_names([implied] if isinstance(implied, str) else list(implied), IMPLIED, "implied fact")
    if not wanted:
        return users, edges
    if posts is None:
        raise InvalidInput(f"Nothing can be found in posts ({', '.join(wanted)}): there are none.")
    if "places" in wanted:
        users = _with_places(users, post_places(posts, places=places, names=place_names))
    for name in ("time_zone", "language"):
        if name in wanted:
            users = _with_most_frequent(users, posts, name)
    if "mentions" in wanted:
        edges = _with_mentions(edges, mentions(posts, users["user"]))
    return users, edges


def _with_places(users: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    if "location" not in users.columns:
        users = users.with_columns(location=pl.lit(None, dtype=pl.String))
    given = pl.col("location").cast(pl.String)
    empty = given.is_null() | (given.str.strip_chars() == "")
    joined = users.join(found.rename({"location": "named"}), on="user", how="left", maintain_order="left")
    filled = joined.filter(empty & pl.col("named").is_not_null()).height
    say(f"Users whose place is from their posts: {filled}.")
    return joined.with_columns(location=pl.when(empty).then("named").otherwise(given)).drop("named")


def _with_most_frequent(users: pl.DataFrame, posts: pl.DataFrame, name: str) -> pl.DataFrame:
    """A column of posts as one of users; the value of most posts, the first of them if there are several."""
    if name not in posts.columns:
        raise InvalidInput(f"Posts have no column {name!r}; shoal does not guess it from their words.")
    if name in users.columns:
        raise InvalidInput(f"Users have a column {name!r} of their own; ask for one of both.")
    values = posts.select(pl.col("user").cast(pl.String), pl.col(name).cast(pl.String)).drop_nulls()
    counted = values.group_by("user", name, maintain_order=True).len()
    first = counted.sort("len", descending=True, maintain_order=True).unique("user", keep="first")
    return users.join(first.drop("len"), on="user", how="left", maintain_order="left")


def _with_mentions(edges: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """The connections that are there, and those of mentions that are not, in either direction."""
    ends = edges.columns[:2]
    known = edges.select(
        source=pl.col(ends[0]).cast(pl.String), target=pl.col(ends[1]).cast(pl.String)
    ).unique()
    both = pl.concat([known, known.select(source="target", target="source")])
    new = found.join(both, on=["source", "target"], how="anti", maintain_order="left")
    say(f"{count(new.height, 'connection')} from mentions and replies in posts.")
    new = new.rename({"source": ends[0], "target": ends[1]})
    weighted = [name for name in edges.columns[2:] if name.lower() in WEIGHTS][:1]
    new = new.with_columns(pl.lit(1.0).alias(name) for name in weighted)
    casted = edges.with_columns(pl.col(name).cast(pl.String) for name in ends)
    return pl.concat([casted, new], how="diagonal_relaxed")
