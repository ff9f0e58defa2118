"""Networks in files: folders of csv, edge lists, GraphML, GML and Pajek."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Unpack

import numpy as np
import polars as pl

from shoal.errors import InputWarning, InvalidInput
from shoal.graph.io.edge_list import read_edge_list, write_edge_list
from shoal.graph.io.gml import read_gml, write_gml
from shoal.graph.io.network_parts import GraphOptions, NetworkParts, edges_to_write, users_to_write
from shoal.graph.io.network_text import network_text
from shoal.graph.io.networkx_graph import load_networkx, networkx_parts, to_networkx
from shoal.graph.io.pajek import read_pajek, write_pajek
from shoal.graph.network import Graph
from shoal.graph.tidy_edges import tidy_edges
from shoal.io import read_table
from shoal.io.atomic import check_target, whole_file
from shoal.io.packed import unpacked
from shoal.io.paths import existing_file
from shoal.table import Table
from shoal.types import RandomState

USERS_FILE, EDGES_FILE, POSTS_FILE = "users.csv", "edges.csv", "posts.jsonl"
POSTS_COLUMNS = ("user", "text", "reply_to", "time_zone", "language")
PACKED = (".gz", ".zst")


def read_graph(
    path: str | PathLike[str], *, encoding: str | None = None, **options: Unpack[GraphOptions]
) -> Graph:
    """Read a network: a folder of users.csv, edges.csv and posts.jsonl, or one file of any usual kind.

    Parameters
    ----------
    path
        A folder, in which users.csv has the column `user` and where known `location`, `topics` and any other
        columns, the first two columns of edges.csv name two users, and a line of posts.jsonl is
        ``{"user": "ana", "text": "..."}``; users.csv may be missing if there are edges. Or a file: edge list
        (.txt, .csv, .tsv, .edges, .edgelist), .graphml, .gml or .net of Pajek, packed (.gz) or not.
    encoding
        Of its texts, for example "cp850"; detected if not given.
    options
        `directed`, `roles`, `kinds`, `hierarchies`, `places`, `place_names`, `interests`, `words`, `finder`,
        `implied`, `most`: as
        in `as_graph`. Directions are kept where the file has them; edge lists and folders have none unless
        ``directed=True``.

    Returns
    -------
    Graph

    Notes
    -----
    Encodings are detected: UTF-8 and UTF-16; what is neither is read as cp1252, and that is said. GraphML
    needs ``pip install "shoal[graph]"``. What is not taken over is said in an `InputWarning`. Files are held
    in memory while they are read.

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
    return network_parts(Path(path), encoding).graph(options)


def network_parts(path: Path, encoding: str | None = None) -> NetworkParts:
    """Users, edges and posts as the files have them."""
    if path.is_dir():
        return _folder(path, encoding)
    kind = network_format(path)
    if kind == "" and not path.exists():
        raise InvalidInput(f"There is no folder {str(path)!r}; a network is a folder or a file.")
    return _READERS[kind or ".txt"](existing_file(path), encoding)


def network_format(path: Path) -> str:
    """The extension that tells the kind of a network file, without that of packing; "" for a folder.

    >>> network_format(Path("blogs.gml.gz")), network_format(Path("net"))
    ('.gml', '')
    """
    name = path.name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    suffix = Path(name).suffix
    if suffix and suffix not in _READERS and not path.is_dir() and not path.exists():
        return ""
    return suffix if suffix in _READERS else ""


def says_direction(path: Path) -> bool:
    """Does such a file say whether its connections have a direction? Folders and edge lists do not."""
    return network_format(path) in (".graphml", ".gml", ".net")


def _folder(path: Path, encoding: str | None) -> NetworkParts:
    edges, posts = _table(path / EDGES_FILE, encoding), _posts(path / POSTS_FILE, encoding)
    if edges is None:
        raise InvalidInput(f"The folder {str(path)!r} has no {EDGES_FILE}; it says who is connected to whom.")
    users = _table(path / USERS_FILE, encoding)
    links: pl.DataFrame = edges.frame
    return NetworkParts(_mentioned(links, posts) if users is None else users, links, False, posts)


def _graphml(path: Path, encoding: str | None = None) -> NetworkParts:
    networkx = load_networkx()
    try:
        text = unpacked(path).decode(encoding or "utf-8")
        return networkx_parts(networkx.parse_graphml(text))
    except (SyntaxError, networkx.NetworkXError, KeyError, ValueError) as error:
        raise InvalidInput(f"{path.name} is broken or no GraphML file; export it again.") from error


_READERS: Mapping[str, Callable[[Path, str | None], NetworkParts]] = {
    **dict.fromkeys((".txt", ".csv", ".tsv", ".edges", ".edgelist", ".el"), read_edge_list),
    ".graphml": _graphml,
    ".gml": read_gml,
    ".net": read_pajek,
}


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
        A folder for users.csv and edges.csv (made if it does not exist), or a file: .graphml, .gml, .net, or
        an edge list (.csv, .txt, .csv.gz ...). Pajek and edge lists hold no attributes of users, and say so.
    identifiers
        Write the users' own names; else they are numbered anew. Columns that name users are never written.
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
    if network_format(path) or path.suffix:
        with whole_file(path, overwrite) as temporary:
            _write_file(graph, temporary, path)
        return path
    path.mkdir(parents=True, exist_ok=True)
    for name, frame in ((USERS_FILE, users_to_write(graph)), (EDGES_FILE, edges_to_write(graph))):
        with whole_file(path / name, overwrite) as temporary, temporary.open("wb") as stream:
            frame.write_csv(stream)
    return path


def _write_file(graph: Graph, temporary: Path, path: Path) -> None:
    kind = network_format(path)
    if kind == ".graphml":
        load_networkx().write_graphml(to_networkx(graph), temporary)
    elif kind == ".gml":
        write_gml(graph, temporary)
    elif kind == ".net":
        write_pajek(graph, temporary)
    else:
        write_edge_list(graph, temporary, path)


def check_output(path: str | PathLike[str], overwrite: bool) -> Path:
    """The path, if a network may be written there; said before long work, and again by `write_graph`."""
    path = Path(path)
    if path.suffix and not path.is_dir():
        if not network_format(path):
            known = ", ".join(sorted(_READERS))
            raise InvalidInput(f"{path.name} is no kind of network file; end it in one of {known}.")
        if path.suffix.lower() in PACKED and network_format(path) not in (".txt", ".csv", ".tsv", ".edges"):
            raise InvalidInput(f"{path.name} cannot be packed; only edge lists are.")
        if network_format(path) == ".graphml":
            load_networkx()
        check_target(path, overwrite)
        return path
    if path.exists() and not path.is_dir():
        raise InvalidInput(f"{path} is a file; give the name of a folder or of a network file.")
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
    others = None if graph.others is None else graph.others.take(order)
    edges, weights = tidy_edges(place[graph.edges], graph.weights, directed=graph.directed)
    return replace(graph, users=users, edges=edges, weights=weights, others=others)


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


def _table(path: Path, encoding: str | None) -> Table | None:
    if not path.exists():
        return None
    found = network_text(path, encoding)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # about kinds of columns, which do not matter here
        return read_table(path, encoding=found)


def _posts(path: Path, encoding: str | None) -> pl.DataFrame | None:
    if not path.exists():
        return None
    nothing = path.stat().st_size < len("{}")
    text = "" if nothing else network_text(path, encoding)[0]
    try:
        posts = pl.read_ndjson(text.encode(), schema=dict.fromkeys(POSTS_COLUMNS, pl.String))
    except pl.exceptions.PolarsError:  # its message would quote a post
        raise InvalidInput(f'{path.name} needs lines such as {{"user": "ana", "text": "..."}}.') from None
    if posts["user"].null_count():
        row = int(np.argmax(posts["user"].is_null().to_numpy()))
        raise InvalidInput(f"Line {row + 1} of {path.name} has no user.")
    return posts.select(
        name for name in posts.columns if name in ("user", "text") or posts[name].null_count() < posts.height
    )


def _mentioned(edges: pl.DataFrame, posts: pl.DataFrame | None) -> pl.DataFrame:
    """Everybody who has a connection or wrote a post, where no file lists the users."""
    found = [edges[name].cast(pl.String).rename("user") for name in edges.columns[:2]]
    found += [] if posts is None else [posts["user"]]
    return pl.DataFrame({"user": pl.concat(found).drop_nulls().unique(maintain_order=True)})
