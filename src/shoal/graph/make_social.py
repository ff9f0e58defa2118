"""A made-up social network: users with locations, posts and friendships; nobody in it exists."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count
from shoal.errors import InvalidInput
from shoal.graph.build_graph import as_graph
from shoal.graph.io.graph_files import EDGES_FILE, POSTS_FILE, USERS_FILE
from shoal.graph.network import Graph
from shoal.graph.places.world_countries import place_names, shipped_rows, world
from shoal.graph.tidy_edges import simple_edges
from shoal.graph.topics.topic_lists import topic_tree
from shoal.io.atomic import check_target, whole_file
from shoal.types import RandomState

Rows = NDArray[np.intp]
KNOWN_PLACE = 0.92  # share of users who name a place
SAME_COUNTRY, SAME_TOPIC = 0.55, 0.3  # of friendships; the rest are with anybody


@dataclass(frozen=True)
class Social:
    """A made-up network as plain frames: `users` (user, location), `posts` (user, text), `edges` (a, b)."""

    users: pl.DataFrame
    posts: pl.DataFrame
    edges: pl.DataFrame

    def graph(self) -> Graph:
        """The graph of these users, with the gazetteer and the topics of shoal."""
        return as_graph(self.users, self.edges, posts=self.posts, places=world(), place_names=place_names())

    def write(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write users.csv, posts.jsonl and edges.csv to a folder, as `read_graph` reads them."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        files = {USERS_FILE: self.users, POSTS_FILE: self.posts, EDGES_FILE: self.edges}
        for name in files:
            check_target(folder / name, overwrite)
        for name, frame in files.items():
            with whole_file(folder / name, overwrite) as temporary, temporary.open("wb") as stream:
                (frame.write_ndjson if name == POSTS_FILE else frame.write_csv)(stream)
        return folder


def make_social(
    n: int = 1000, *, friends: float | None = None, posts: int = 4, rng: RandomState = None
) -> Social:
    """Make up a social network: users with locations, posts and friendships.

    Parameters
    ----------
    n
        Number of users, at least 2.
    friends
        Mean number of friends of a user; 20, or fewer in a network too small for that, if not given.
    posts
        Number of posts of a user.
    rng
        Seed or generator; the same one gives the same network.

    Returns
    -------
    Social
        Frames of users, posts and edges; `.graph()` makes a `Graph` of them, `.write(folder)` files.

    Notes
    -----
    Countries have very different numbers of users; users write their country, or a town, or nothing. Every
    user has one to three favourite topics and posts about them, at times about something else. Friends are
    mostly of the same country (55 %) or share the first topic (30 %), and some users have many: numbers of
    friends have a heavy tail. Time and memory O(n (friends + posts)).

    Examples
    --------
    >>> make_social(100, rng=1).edges.height
    1000
    """
    rng = np.random.default_rng(rng)
    n, posts = check_count("n", n), check_count("posts", posts)
    friends = min(20.0, (n - 1) / 4) if friends is None else friends
    if n < 2 or not 0 <= friends <= (n - 1) / 2:
        raise InvalidInput(f"{n} users can have 0 to {(n - 1) / 2:g} friends on average, got {friends}.")
    country = rng.choice(len(world().paths), n, p=_uneven(len(world().paths), rng))
    topic = rng.choice(len(topic_tree().paths), n, p=_uneven(len(topic_tree().paths), rng))
    location = _written_places(country, rng)
    edges = _friendships(country, topic, round(n * friends / 2), rng)
    names = pl.Series([f"user{i}" for i in range(n)], dtype=pl.String)
    return Social(
        pl.DataFrame({"user": names, "location": pl.Series(location, dtype=pl.String)}),
        _posts(names, topic, posts, rng),
        pl.DataFrame({"source": names.gather(edges[:, 0]), "target": names.gather(edges[:, 1])}),
    )


def _uneven(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Shares that fall like 1/2, 1/3, 1/4 ..., in random order."""
    share: NDArray[np.float64] = rng.permutation(1.0 / np.arange(2, count + 2))
    share /= share.sum()
    return share


def _written_places(country: Rows, rng: np.random.Generator) -> list[str | None]:
    """A country as its users write it: its name, another name, or nothing."""
    names: dict[str, list[str]] = {path[0]: [path[0], path[0]] for path in world().paths}
    for name, place in place_names().items():
        if place in names:
            names[place].append(name)
    lists = [names[path[0]] for path in world().paths]
    draw, known = rng.random(len(country)), rng.random(len(country)) < KNOWN_PLACE
    return [
        lists[c][int(u * len(lists[c]))] if seen else None
        for c, u, seen in zip(country.tolist(), draw.tolist(), known.tolist(), strict=True)
    ]


def _posts(users: pl.Series, topic: Rows, posts: int, rng: np.random.Generator) -> pl.DataFrame:
    """Posts about the first topic, a second one, or anything, in sentences no list of words was made from."""
    n, topics = len(users), [path[0] for path in topic_tree().paths]
    second = rng.integers(len(topics), size=n)
    which = rng.random((n, posts))
    about = np.where(which < 0.6, topic[:, None], np.where(which < 0.9, second[:, None], -1)).reshape(-1)
    about = np.where(about < 0, rng.integers(len(topics), size=len(about)), about)
    sentences = {row[0]: row[1:] for row in shipped_rows("demo_posts.csv")}
    lists, pick = [sentences[name] for name in topics], rng.random(len(about))
    texts = [lists[t][int(u * len(lists[t]))] for t, u in zip(about.tolist(), pick.tolist(), strict=True)]
    return pl.DataFrame({"user": users.gather(np.repeat(np.arange(n), posts)), "text": texts})


def _friendships(country: Rows, topic: Rows, m: int, rng: np.random.Generator) -> Rows:
    """m different pairs; who is popular is drawn often, friends come from the same pool."""
    popular = np.minimum(rng.pareto(2.5, len(country)) + 0.3, 15.0)
    pools = (country, topic, np.zeros(len(country), dtype=np.intp))
    found = np.empty((0, 2), dtype=np.intp)
    while len(found) < m:
        count = int(1.2 * (m - len(found))) + 10
        one = rng.choice(len(country), count, p=popular / popular.sum())
        pool = rng.choice(3, count, p=[SAME_COUNTRY, SAME_TOPIC, 1 - SAME_COUNTRY - SAME_TOPIC])
        other = np.empty(count, dtype=np.intp)
        for number, labels in enumerate(pools):
            mine = pool == number
            other[mine] = _drawn_from(labels, popular, labels[one[mine]], rng)
        fresh = simple_edges(np.vstack([found, np.column_stack([one, other])]))
        if len(fresh) == len(found) and m > len(country) * (len(country) - 1) // 4:
            fresh = simple_edges(np.vstack([fresh, rng.integers(len(country), size=(4 * m, 2))]))
        found = fresh
    return simple_edges(rng.permutation(found)[:m])


def _drawn_from(labels: Rows, weight: NDArray[np.float64], wanted: Rows, rng: np.random.Generator) -> Rows:
    """For every wanted label one of the users who have it, drawn by weight."""
    order = np.argsort(labels, kind="stable")
    ladder = np.concatenate([[0.0], np.cumsum(weight[order])])
    ends = np.searchsorted(labels[order], [wanted, wanted + 1])
    low, high = ladder[ends[0]], ladder[ends[1]]
    place = np.searchsorted(ladder, low + rng.random(len(wanted)) * (high - low), side="right") - 1
    drawn: Rows = order[np.clip(place, ends[0], ends[1] - 1)]
    return drawn
