"""Options of the commands on networks: how a network is read, protected and written."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.errors import InvalidInput

Network = Annotated[
    Path,
    typer.Argument(
        help="folder of users.csv, edges.csv, posts.jsonl; or .txt, .csv, .gml, .graphml, .net",
        metavar="NETWORK",
    ),
]
Places = Annotated[Path | None, typer.Option(help="your gazetteer: place;region;...;World", metavar="CSV")]
PlaceNames = Annotated[
    Path | None, typer.Option(help="other names of places: place;name;name", metavar="CSV")
]
Topics = Annotated[
    Path | None, typer.Option(help="your tree of topics: topic;area;...;anything", metavar="CSV")
]
Words = Annotated[Path | None, typer.Option(help="keywords of topics: topic;word;word", metavar="CSV")]


@dataclass(frozen=True)
class Reading:
    """How a network is read: directions, roles and kinds of columns, places and topics."""

    directed: Annotated[
        bool | None,
        typer.Option(
            "--directed/--undirected", help="keep directions, or drop them; as the file says if not given"
        ),
    ] = None
    confidential: Annotated[
        list[str] | None,
        typer.Option(help="columns of users nobody should learn: left as they are", metavar="COLUMNS"),
    ] = None
    identifier: Annotated[
        list[str] | None, typer.Option(help="columns that name a person: never written", metavar="COLUMNS")
    ] = None
    nominal: Annotated[
        list[str] | None, typer.Option(help="columns whose numbers are only names", metavar="COLUMNS")
    ] = None
    hierarchies: Annotated[
        Path | None, typer.Option(help="folder with a hierarchy per column: COLUMN.csv", metavar="DIR")
    ] = None
    places: Places = None
    place_names: PlaceNames = None
    topics: Topics = None
    words: Words = None
    encoding: Annotated[
        str | None, typer.Option(help="encoding of the texts, for example cp850; detected if not given")
    ] = None
    sentences: Annotated[
        Path | None,
        typer.Option(
            help="find topics by a model of sentence embeddings in this folder (extra topics)",
            metavar="MODEL",
        ),
    ] = None
    implied: Annotated[
        list[str] | None,
        typer.Option(
            help="also take from posts: places, mentions (as connections), time_zone, language",
            metavar="FACTS",
        ),
    ] = None

    def options(self) -> dict[str, Any]:
        """As `read_graph` takes them."""
        from shoal.hierarchy import read_hierarchy

        roles = {"confidential": _names(self.confidential), "identifier": _names(self.identifier)}
        found: dict[str, Any] = {
            "directed": self.directed,
            "encoding": self.encoding,
            "roles": {role: names for role, names in roles.items() if names},
            "kinds": dict.fromkeys(_names(self.nominal), "nominal"),
            "places": None if self.places is None else read_hierarchy(self.places),
            "interests": None if self.topics is None else read_hierarchy(self.topics),
        }
        if self.sentences is not None:
            from shoal.graph import sentence_finder

            found["finder"] = sentence_finder(self.sentences)
        if self.implied:
            found["implied"] = _names(self.implied)
        if self.hierarchies is not None:
            files = sorted(self.hierarchies.glob("*.csv"))
            found["hierarchies"] = {file.stem: read_hierarchy(file) for file in files}
        if self.place_names is not None:
            found["place_names"] = {name: row[0] for row in _rows(self.place_names) for name in row[1:]}
        if self.words is not None:
            found["words"] = {row[0]: row[1:] for row in _rows(self.words)}
        return found

    def graph(self, network: Path) -> Any:
        """The network, with a bar if that takes long."""
        from shoal.graph import read_graph

        with console.progress_bar("reading"):
            return read_graph(network, **self.options())


@dataclass(frozen=True)
class Protecting:
    """What is protected and how much of the structure is given for it."""

    attributes: Annotated[
        str | None,
        typer.Option(help="what an intruder may know: location, topics, columns; all if not given"),
    ] = None
    degrees: Annotated[
        bool, typer.Option("--degrees", help="also hide how many connections users have, by changing some")
    ] = False
    together: Annotated[
        bool,
        typer.Option("--together", help="hide that number together with the attributes: changes many more"),
    ] = False
    switch: Annotated[float, typer.Option(help="share of the connections to switch at random, 0 to 1")] = 0.0
    hide: Annotated[
        str | None,
        typer.Option(help="topics never released, or the word sensitive for all of these", metavar="TOPICS"),
    ] = None
    shared: Annotated[int, typer.Option(help="users of a group who must share a topic")] = 2

    def names(self) -> list[str] | None:
        """The attributes, None for all."""
        return None if self.attributes is None else _names([self.attributes])

    def protector(self, k: int, seed: int | None) -> Any:
        """`protect_graph` with these options, after `hide_topics`."""
        from shoal.graph import hide_topics, protect_graph

        protecting = partial(
            protect_graph,
            k=k,
            attributes=self.names(),
            shared=self.shared,
            degrees=self.degrees,
            together=self.together,
            switch=self.switch,
            rng=seed,
        )
        if self.hide is None:
            return protecting
        hidden = None if self.hide.strip() == "sensitive" else _names([self.hide])
        return lambda graph, **options: protecting(hide_topics(graph, hidden), **options)


def _names(texts: list[str] | None) -> list[str]:
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()]


def _rows(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return [row for row in csv.reader(stream, delimiter=";") if row]
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} is not UTF-8 text; save it as such.") from error
