"""GML, the format of Newman's network collection: nodes and edges in nested brackets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.graph.io.network_parts import (
    NetworkParts,
    known_values,
    parts_from_rows,
    users_to_write,
)
from shoal.graph.io.network_text import network_text
from shoal.graph.network import Graph
from shoal.graph.tidy_edges import say

_TOKENS = re.compile(r'"[^"]*"|\[|\]|[^\s\[\]"]+')
Block = list[tuple[str, Any]]


def read_gml(path: Path, encoding: str | None = None) -> NetworkParts:
    """The users and connections of a GML file, packed or not; labels name users if they are all different.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "two.gml"
    >>> _ = path.write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
    >>> read_gml(path).edges.rows()
    [('1', '2')]
    """
    text = re.sub(r"^\s*#.*$", "", network_text(path, encoding)[0], flags=re.MULTILINE)
    whole = _block(iter(_TOKENS.findall(text)), path, top=True)
    graph = next((value for key, value in whole if key == "graph" and isinstance(value, list)), None)
    if graph is None:
        raise InvalidInput(f"{path.name} has no block `graph [ ... ]`; export it again as GML.")
    nodes = [dict(value) for key, value in graph if key == "node"]
    edges = [dict(value) for key, value in graph if key == "edge"]
    if any("id" not in node for node in nodes) or any(not {"source", "target"} <= e.keys() for e in edges):
        raise InvalidInput(f"{path.name} has a node without id, or an edge without source or target.")
    names = _names(nodes)
    if len(names) < len(nodes):
        raise InvalidInput(f"{path.name} has several nodes with the same id; export it again.")
    try:
        ends = [(names[str(edge.pop("source"))], names[str(edge.pop("target"))]) for edge in edges]
    except KeyError:
        raise InvalidInput(f"{path.name} has an edge to a node that is not there; export it again.") from None
    rows = [_flat(node) for node in nodes]
    if any(isinstance(value, list) for node in [*nodes, *edges] for value in node.values()):
        say("Nested attributes of nodes and edges (such as graphics) are not read.")
    strengths = [{"weight" if key == "value" else key: v for key, v in _flat(edge).items()} for edge in edges]
    directed = dict(graph).get("directed") in (1, "1")
    return parts_from_rows(list(names.values()), rows, ends, strengths, directed)


def _names(nodes: list[dict[str, Any]]) -> dict[str, str]:
    """Name by id: the label where all have their own."""
    ids = [str(node.pop("id")) for node in nodes]
    labels = [str(node["label"]) for node in nodes if node.get("label") not in (None, "")]
    if len(set(labels)) == len(nodes):
        for node in nodes:
            del node["label"]
        return dict(zip(ids, labels, strict=True))
    return dict(zip(ids, ids, strict=True))


def _flat(block: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if not isinstance(value, list)}


def _block(tokens: Iterator[str], path: Path, top: bool = False) -> Block:
    """Keys and values up to the closing bracket."""
    found: Block = []
    for key in tokens:
        if key == "]" and not top:
            return found
        value = next(tokens, None)
        if value is None or key in "[]" or key.startswith('"') or value == "]":
            raise InvalidInput(f"{path.name} is broken or no GML file; export it again.")
        found.append((key, _block(tokens, path) if value == "[" else _value(value)))
    if not top:
        raise InvalidInput(f"{path.name} is broken or no GML file: it ends within a bracket.")
    return found


def _value(token: str) -> Any:
    if token.startswith('"'):
        return html.unescape(token[1:-1])
    try:
        number = float(token)
    except ValueError:
        return token
    return int(token) if re.fullmatch(r"[+-]?\d+", token) else number


def write_gml(graph: Graph, path: Path) -> None:
    """The graph as GML; texts in ASCII with entities, as the format asks."""
    lines = ["graph [", f"  directed {int(graph.directed)}"]
    for place, row in enumerate(users_to_write(graph).iter_rows(named=True)):
        known = known_values(row)
        fields = [f"label {_quoted(known.pop('user'))}"]
        fields += [f"{gml_key(name)} {_quoted(value)}" for name, value in known.items()]
        lines.append(f"  node [ id {place} {' '.join(fields)} ]")
    weights = [None] * len(graph.edges) if graph.weights is None else graph.weights.tolist()
    for (a, b), weight in zip(graph.edges.tolist(), weights, strict=True):
        strength = "" if weight is None else f" weight {weight!r}"
        lines.append(f"  edge [ source {a} target {b}{strength} ]")
    path.write_text("\n".join([*lines, "]", ""]), encoding="ascii")


def gml_key(name: str) -> str:
    """A name as a key of GML: letters and digits, and not one that GML uses itself.

    >>> gml_key("birth_year"), gml_key("id")
    ('birthyear', 'userid')
    """
    key = re.sub(r"[^A-Za-z0-9]", "", name) or "attribute"
    return f"user{key}" if key in ("id", "label", "posts") else key


def _quoted(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    text = str(value).replace("&", "&amp;").replace('"', "&quot;")
    return '"' + text.encode("ascii", "xmlcharrefreplace").decode() + '"'
