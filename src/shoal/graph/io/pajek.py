"""Pajek (.net): vertices by number, then arcs (with a direction) and edges (without)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.graph.io.network_parts import NetworkParts, parts_from_rows, users_to_write
from shoal.graph.io.network_text import network_text
from shoal.graph.network import Graph
from shoal.graph.tidy_edges import count, say


def read_pajek(path: Path, encoding: str | None = None) -> NetworkParts:
    """The users and connections of a Pajek file, packed or not; labels name users if they are all different.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "two.net"
    >>> _ = path.write_text('*Vertices 2\\n1 "ana"\\n2 "pau"\\n*Arcs\\n1 2 3.5\\n')
    >>> read_pajek(path).edges.rows()
    [('ana', 'pau', 3.5)]
    """
    sections = _sections(network_text(path, encoding)[0], path)
    unknown = sorted({name for name, _ in sections} - {"vertices", "arcs", "edges", "arcslist", "edgeslist"})
    if "matrix" in unknown or not any(name == "vertices" for name, _ in sections):
        raise InvalidInput(f"{path.name} needs *Vertices and then *Arcs or *Edges; save it so in Pajek.")
    if unknown:
        say(f"Sections of {path.name} that are not read: {', '.join(f'*{name}' for name in unknown)}.")
    names = _names([line for name, lines in sections if name == "vertices" for line in lines], path)
    links = [
        (name, a, b, weight)
        for name, lines in sections
        if name not in ("vertices", *unknown)
        for line in lines
        for a, b, weight in _pairs(name, line, names, path)
    ]
    directed = any(name.startswith("arcs") for name, *_ in links)
    if directed and any(name.startswith("edges") for name, *_ in links):
        say(f"{path.name} has arcs and edges; an edge counts as two arcs, one in either direction.")
        links += [(name, b, a, weight) for name, a, b, weight in links if name.startswith("edges")]
    weighted = any(weight is not None for *_, weight in links)
    strengths = [{"weight": 1.0 if w is None else w} if weighted else {} for *_, w in links]
    users = list(names.values())
    return parts_from_rows(users, [{}] * len(users), [(a, b) for _, a, b, _ in links], strengths, directed)


def _sections(text: str, path: Path) -> list[tuple[str, list[str]]]:
    """The lines below every line with a star; the number behind *Vertices as the first line."""
    found: list[tuple[str, list[str]]] = []
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("*"):
            name, *rest = line[1:].split()
            found.append((name.lower(), [" ".join(rest)] if name.lower() == "vertices" else []))
        elif line and not line.startswith("%"):
            if not found:
                raise InvalidInput(f"{path.name} is no Pajek file: it must begin with *Vertices.")
            found[-1][1].append(line)
    return found


def _names(lines: list[str], path: Path) -> dict[str, str]:
    """Name by number: the label where all have their own; who is only counted has a number."""
    announced = lines[0].split()[0] if lines[0].split() else ""
    if not announced.isdigit():
        raise InvalidInput(f"{path.name} does not say how many vertices there are (*Vertices 12).")
    labels = {str(i + 1): str(i + 1) for i in range(int(announced))}
    for line in lines[1:]:
        number, *rest = _cells(line)
        if number not in labels:
            raise InvalidInput(f"{path.name} has a vertex beyond the {announced} it announces.")
        labels[number] = rest[0] if rest else number
    if len(set(labels.values())) < len(labels):
        say("Labels of vertices are not all different; users are named by their numbers.")
        return {number: number for number in labels}
    return labels


def _cells(line: str) -> list[str]:
    """The parts of a line, quoted ones whole."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]


def _pairs(name: str, line: str, names: dict[str, str], path: Path) -> list[tuple[str, str, Any]]:
    cells = line.split()
    try:
        if name.endswith("list"):
            return [(names[cells[0]], names[other], None) for other in cells[1:]]
        return [(names[cells[0]], names[cells[1]], float(cells[2]) if len(cells) > 2 else None)]
    except (KeyError, IndexError, ValueError):
        raise InvalidInput(
            f"{path.name} has a line below *{name.capitalize()} that does not name two of its vertices."
        ) from None


def write_pajek(graph: Graph, path: Path) -> None:
    """The connections as Pajek; it has no place for what users have, and that is said."""
    users = users_to_write(graph)
    gone = [name for name in users.columns[1:] if users[name].null_count() < len(graph)]
    if gone:
        say(f"Pajek holds no attributes of users; not written: {', '.join(gone[:5])}.")
    quoted = [name.replace('"', "'") for name in users["user"]]
    changed = sum(one != other for one, other in zip(quoted, users["user"], strict=True))
    if changed:
        say(f"Pajek has no double quotes in names; {count(changed, 'name')} written with single ones.")
    lines = [f"*Vertices {len(graph)}", *(f'{i} "{name}"' for i, name in enumerate(quoted, 1))]
    lines.append("*Arcs" if graph.directed else "*Edges")
    weights = (
        [""] * len(graph.edges) if graph.weights is None else [f" {w!r}" for w in graph.weights.tolist()]
    )
    lines += [f"{a + 1} {b + 1}{w}" for (a, b), w in zip(graph.edges.tolist(), weights, strict=True)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
