"""Networks in files: a folder of users.csv, edges.csv and posts.jsonl, or GraphML."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.errors import InputWarning, InvalidInput
from shoal.graph.build_graph import as_graph, simple_edges
from shoal.graph.network import Graph, topic_texts
from shoal.graph.networkx_graph import from_networkx, load_networkx, to_networkx
from shoal.graph.topics import Words
from shoal.hierarchy import Hierarchy
from shoal.io import read_table
from shoal.io.atomic import check_target, whole_file
from shoal.io.paths import existing_file
from shoal.types import RandomState

USERS_FILE, EDGES_FILE, POSTS_FILE = "users.csv", "edges.csv", "posts.jsonl"


def read_graph(
    path: str | PathLike[str],
    *,
    places: Hierarchy | None = None,
    place_names: Mapping[str, str] | None = None,
    interests: Hierarchy | None = None,
    words: Words | None = None,
    most: int = 5,
) -> Graph:
    """Read a network from a folder (users.csv, edges.csv, if any posts.jsonl) or a GraphML file.

    Parameters
    ----------
    path
        The folder, or a file ending in .graphml. users.csv has the column `user`, and where known `location`
        and `topics`; the first two columns of edges.csv name two users; a line of posts.jsonl is
        ``{"user": "ana", "text": "..."}``. A folder may lack users.csv if it has posts or edges.
    places, place_names, interests, words, most
        As in `as_graph`.

    Returns
    -------
    Graph

    Notes
    -----
    GraphML needs ``pip install "shoal[graph]"``; see `from_networkx` for the names of its attributes. Files
    are held in memory while they are read.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "users.csv").write_text("user,location\\nana,Lisboa\\npau,Spain\\n")
    >>> _ = (folder / "edges.csv").write_text("a,b\\nana,pau\\n")
    >>> read_graph(folder)
    Graph of 2 users and 1 connections
      location: 2 users, 2 different
      topics: 0 users, 0 different
    """
    path = Path(path)
    options: dict[str, Any] = {
        "places": places,
        "place_names": place_names,
        "interests": interests,
        "words": words,
        "most": most,
    }
    if path.suffix.lower() == ".graphml":
        networkx, file = load_networkx(), existing_file(path)
        try:
            network = networkx.read_graphml(file)
        except (SyntaxError, networkx.NetworkXError, KeyError, ValueError) as error:
            raise InvalidInput(f"{path.name} is broken or no GraphML file; export it again.") from error
        return from_networkx(network, **options)
    if not path.is_dir():
        raise InvalidInput(f"There is no folder {str(path)!r}; a network is a folder or a .graphml file.")
    edges, posts = _table(path / EDGES_FILE), _posts(path / POSTS_FILE)
    if edges is None:
        raise InvalidInput(f"The folder {str(path)!r} has no {EDGES_FILE}; it says who is connected to whom.")
    users = _table(path / USERS_FILE)
    if users is None:
        users = _mentioned(edges, posts)
    return as_graph(users, edges, posts=posts, **options)


def write_graph(
    graph: Graph,
    path: str | PathLike[str],
    *,
    identifiers: bool = False,
    shuffle: bool = True,
    overwrite: bool = False,
    rng: RandomState = None,
) -> Path:
    """Write a network to release: users in random order under new numbers, whole files or none.

    Parameters
    ----------
    graph
        The graph.
    path
        A folder for users.csv and edges.csv (made if it does not exist), or a file ending in .graphml.
    identifiers
        Write the users' own names; else they are numbered anew.
    shuffle
        Write users in random order: the order of a file is information.
    overwrite
        Replace files that exist.
    rng
        Seed or generator of the shuffle; with a known seed the original order can be restored, so a seed is
        as secret as the file.

    Returns
    -------
    Path
        The path written.

    Notes
    -----
    Every file is written under another name and renamed when it is complete. Weights have six digits.

    Examples
    --------
    >>> import tempfile
    >>> from shoal.graph import make_social
    >>> folder = write_graph(make_social(30, rng=1).graph(), tempfile.mkdtemp(), rng=1)
    >>> read_graph(folder).users["user"].to_list()[:3]
    ['1', '2', '3']
    """
    rng = np.random.default_rng(rng)
    path = check_output(path, overwrite)
    graph = renumbered(graph, rng.permutation(len(graph)) if shuffle else np.arange(len(graph)), identifiers)
    if path.suffix.lower() == ".graphml":
        networkx = load_networkx()
        with whole_file(path, overwrite) as temporary:
            networkx.write_graphml(to_networkx(graph), temporary)
        return path
    path.mkdir(parents=True, exist_ok=True)
    users = graph.users.select("user", "location", topics=topic_texts(graph.users["topics"]))
    names, ends = users["user"], graph.edges.T
    edges = pl.DataFrame({"source": names.gather(ends[0]), "target": names.gather(ends[1])})
    for name, frame in ((USERS_FILE, users), (EDGES_FILE, edges)):
        with whole_file(path / name, overwrite) as temporary, temporary.open("wb") as stream:
            frame.write_csv(stream)
    return path


def check_output(path: str | PathLike[str], overwrite: bool) -> Path:
    """The path, if a network may be written there; said before long work, and again by `write_graph`."""
    path = Path(path)
    if path.suffix.lower() == ".graphml":
        load_networkx()
        check_target(path, overwrite)
        return path
    if path.exists() and not path.is_dir():
        raise InvalidInput(f"{path} is a file; give the name of a folder or of a .graphml file.")
    if (path / POSTS_FILE).exists():
        raise InvalidInput(f"{path} holds {POSTS_FILE}: released users do not belong beside original posts.")
    for name in (USERS_FILE, EDGES_FILE) if path.exists() else ():
        check_target(path / name, overwrite)
    return path


def renumbered(graph: Graph, order: np.ndarray[tuple[int], np.dtype[np.intp]], identifiers: bool) -> Graph:
    """The same graph with users in this order, under their names or as 1, 2, 3 ..."""
    users = graph.users[order.tolist()]
    if not identifiers:
        users = users.with_columns(user=pl.Series(map(str, range(1, len(graph) + 1)), dtype=pl.String))
    place = np.empty(len(graph), dtype=np.intp)
    place[order] = np.arange(len(graph))
    return Graph(users, simple_edges(place[graph.edges]), graph.places, graph.interests)


def in_order_of(graph: Graph, other: Graph) -> Graph:
    """The other graph with its users in the order of the first, who must have the same names.

    >>> from shoal.graph import as_graph
    >>> one = as_graph({"user": ["a", "b"]}, {"a": ["a"], "b": ["b"]})
    >>> other = as_graph({"user": ["b", "a"]}, {"a": ["a"], "b": ["b"]})
    >>> in_order_of(one, other).users["user"].to_list()
    ['a', 'b']
    """
    place = {name: row for row, name in enumerate(other.users["user"].to_list())}
    rows = [place.get(name, -1) for name in graph.users["user"].to_list()]
    if -1 in rows or len(rows) != len(place):
        raise InvalidInput(
            "The networks have users of different names, so that nobody can be compared; write the protected "
            "one with identifiers=True (--keep-identifiers) where it stays in the house."
        )
    return renumbered(other, np.array(rows, dtype=np.intp), identifiers=True)


def _table(path: Path) -> pl.DataFrame | None:
    if not path.exists():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # about kinds of columns, which do not matter here
        frame: pl.DataFrame = read_table(path).frame
    return frame


def _posts(path: Path) -> pl.DataFrame | None:
    if not path.exists():
        return None
    try:
        posts = pl.read_ndjson(path, schema={"user": pl.String, "text": pl.String})
    except pl.exceptions.PolarsError:  # its message would quote a post
        raise InvalidInput(f'{path.name} needs lines such as {{"user": "ana", "text": "..."}}.') from None
    if posts["user"].null_count():
        row = int(np.argmax(posts["user"].is_null().to_numpy()))
        raise InvalidInput(f"Line {row + 1} of {path.name} has no user.")
    return posts


def _mentioned(edges: pl.DataFrame, posts: pl.DataFrame | None) -> pl.DataFrame:
    """Everybody who has a connection or wrote a post, where no file lists the users."""
    found = [edges[name].cast(pl.String).rename("user") for name in edges.columns[:2]]
    found += [] if posts is None else [posts["user"]]
    return pl.DataFrame({"user": pl.concat(found).drop_nulls().unique(maintain_order=True)})
