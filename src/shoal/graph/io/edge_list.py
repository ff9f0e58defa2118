"""Edge lists: a line per connection, two names and if wanted a weight, with anything between them."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import polars as pl

from shoal.errors import InvalidInput
from shoal.graph.io.network_parts import NetworkParts, edges_to_write, users_to_write
from shoal.graph.io.network_text import network_text
from shoal.graph.network import Graph
from shoal.graph.tidy_edges import say

HEADS = {  # what the first line of an edge list calls its columns
    *("source", "target", "from", "to", "src", "dst", "user", "friend", "follower", "followee"),
    *("node1", "node2", "id1", "id2", "node", "ego", "alter", "sender", "receiver", "weight"),
    *("user1", "user2", "node_1", "node_2", "user_a", "user_b", "start", "end", "fromnodeid", "tonodeid"),
}


def read_edge_list(path: Path, encoding: str | None = None) -> NetworkParts:
    """The connections of a text file, packed or not; users are whoever is in it.

    Lines with # or % at the beginning are remarks. Names are parted by commas, semicolons, tabs or blanks; a
    third column of numbers is the weight.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "friends.txt"
    >>> _ = path.write_text("# who knows whom\\nana pau 2\\npau eva 1\\n")
    >>> read_edge_list(path).edges.rows()
    [('ana', 'pau', 2.0), ('pau', 'eva', 1.0)]
    """
    lines = pl.Series(network_text(path, encoding)[0].splitlines(), dtype=pl.String).str.strip_chars()
    kept = (lines.str.len_bytes() > 0) & ~lines.str.contains(r"^(#|%|//)")
    cells = _cells(lines.filter(kept))
    widths = cells.list.len()
    if (widths < 2).any():
        line = int(kept.arg_true()[(widths < 2).arg_true()[0]]) + 1
        raise InvalidInput(f"Line {line} of {path.name} does not name two users; a line is one connection.")
    first = cells[0].to_list() if len(cells) else []
    headed = bool(first) and _is_head(cells, first)
    if first and not headed and _may_be_head(cells, first):
        say(
            f"The first line of {path.name} is read as a connection, though its users are in no other line; "
            "if it names columns, call them source and target."
        )
    names = ["source", "target", "weight", *(f"column_{i}" for i in range(4, 1 + max(widths, default=2)))]
    if headed:
        names[2 : len(first)] = [name.lower() or f"column_{i}" for i, name in enumerate(first[2:], 3)]
        cells = cells[1:]
    columns = {
        name: cells.list.get(place, null_on_oob=True)
        for place, name in enumerate(names[: max(widths, default=2)])
    }
    return NetworkParts(*_frames(pl.DataFrame(columns)))


def _cells(lines: pl.Series) -> pl.Series:
    """Every line cut at the separator that the first ones have."""
    sample = lines.head(100)
    lines = lines.str.replace(r"\s*\{.*\}$", "")  # networkx writes a dict of attributes
    for separator in (",", ";", "\t"):
        if len(sample) and sample.str.contains(separator, literal=True).all():
            if lines.str.contains('"', literal=True).any():  # a name may hold the separator
                rows = list(csv.reader(lines.to_list(), delimiter=separator, skipinitialspace=True))
                return pl.Series(rows, dtype=pl.List(pl.String))
            return lines.str.split(separator).list.eval(pl.element().str.strip_chars())
    return lines.str.replace_all(r"\s+", " ").str.split(" ").list.eval(pl.element().str.strip_chars("\"'"))


def _is_head(cells: pl.Series, first: list[str]) -> bool:
    """Whether the first line names columns: by its words, or because numbers follow where it has none."""
    if {cell.lower().replace(" ", "") for cell in first[:2]} <= HEADS:
        return True
    rest = cells[1:]
    numbers = [rest.list.get(place).str.contains(r"^-?\d+$").all() for place in (0, 1)]
    return len(rest) > 0 and all(numbers) and not any(cell.lstrip("-").isdigit() for cell in first[:2])


def _may_be_head(cells: pl.Series, first: list[str]) -> bool:
    """Whether the words of the first line are in none of the others, as names of columns would be."""
    others = set(cells[1:].list.head(2).explode().to_list())
    words = [cell for cell in first[:2] if not cell.lstrip("-").isdigit()]
    return len(others) > 0 and len(words) == 2 and others.isdisjoint(words)


def _frames(edges: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Users in the order in which they are named, and the connections."""
    if "weight" in edges.columns:
        weights = _numbers(edges["weight"])
        if weights.null_count() == 0:
            edges = edges.with_columns(weight=weights)
        else:
            say("The third column of the connections is no number everywhere, so it is not read as a weight.")
            edges = edges.drop("weight")
    found = pl.concat([edges["source"], edges["target"]]).unique(maintain_order=True)
    return pl.DataFrame({"user": found}), edges


def _numbers(texts: pl.Series) -> pl.Series:
    """Numbers with decimal points, or all with decimal commas; missing where there is none."""
    comma = texts.str.contains(",", literal=True).any() and not texts.str.contains(".", literal=True).any()
    texts = texts.str.replace(",", ".", literal=True) if comma else texts
    return texts.cast(pl.Float64, strict=False)


def write_edge_list(graph: Graph, path: Path, like: Path) -> None:
    """The connections as text with a header; it has no place for what users have, and that is said."""
    users = users_to_write(graph)
    gone = [name for name in users.columns[1:] if users[name].null_count() < len(graph)]
    alone = int((graph.degrees == 0).sum())
    if gone:
        say(f"An edge list holds no attributes of users; not written: {', '.join(gone[:5])}.")
    if alone:
        say(f"An edge list holds no users without connections; not written: {alone} of them.")
    frame = edges_to_write(graph)
    text = frame.write_csv(separator="," if ".csv" in like.name.lower() else "\t").encode()
    path.write_bytes(gzip.compress(text, mtime=0) if like.suffix.lower() == ".gz" else text)
