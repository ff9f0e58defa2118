"""shoal graph: make up, protect and compare networks, or turn one into a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli.arguments import Force, Json, KeepIdentifiers, NoShuffle, Seed
from shoal.errors import InvalidInput

app = typer.Typer(
    help="Networks of users with locations and topics: protect, evaluate, table, make.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Network = Annotated[
    Path, typer.Argument(help="folder of users.csv, edges.csv, posts.jsonl; or .graphml", metavar="NETWORK")
]
Attributes = Annotated[str, typer.Option(help="what an intruder may know: location, topics or both")]
Places = Annotated[Path | None, typer.Option(help="your gazetteer: place;region;...;World", metavar="CSV")]
PlaceNames = Annotated[
    Path | None, typer.Option(help="other names of places: place;name;name", metavar="CSV")
]
Topics = Annotated[
    Path | None, typer.Option(help="your tree of topics: topic;area;...;anything", metavar="CSV")
]
Words = Annotated[Path | None, typer.Option(help="keywords of topics: topic;word;word", metavar="CSV")]


@app.command("protect")
def protect(
    network: Network,
    k: Annotated[int, typer.Option(help="minimum number of users who look alike: your promise")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="folder or .graphml file to write", metavar="OUT"),
    ] = None,
    attributes: Attributes = "location,topics",
    degrees: Annotated[
        bool, typer.Option("--degrees", help="also hide how many connections users have, by changing some")
    ] = False,
    shared: Annotated[int, typer.Option(help="users of a group who must share a topic")] = 2,
    places: Places = None,
    place_names: PlaceNames = None,
    topics: Topics = None,
    words: Words = None,
    keep_identifiers: KeepIdentifiers = False,
    no_shuffle: NoShuffle = False,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Protect a network: every user gets what at least k similar users have in common."""
    from shoal.graph import evaluate_graph, protect_graph, read_graph, user_anonymity, write_graph
    from shoal.graph.graph_files import check_output

    if output is not None:
        check_output(output, force)
    options = _options(places, place_names, topics, words)
    names = _names(attributes)
    with console.progress_bar("reading"):
        graph = read_graph(network, **options)
    with console.progress_bar("protecting") as callback:
        masked = protect_graph(
            graph, k=k, attributes=names, shared=shared, degrees=degrees, rng=seed, callback=callback
        )
    with console.progress_bar("evaluating"):
        result = evaluate_graph(graph, masked, attributes=names)
    facts = result.to_dict()
    if output is not None:
        written = {"identifiers": keep_identifiers, "shuffle": not no_shuffle, "overwrite": force}
        write_graph(masked, output, **written, rng=seed)
        facts["k"] = user_anonymity(read_graph(output, **options), attributes=names)
    _show(facts, k, as_json)
    if output is None and not as_json:
        console.say("Nothing was written; add -o OUT to write the protected network.")
    elif not as_json:
        console.say(f"{len(masked)} users written to {output}; counted there once more: k = {facts['k']}.")


@app.command("evaluate")
def evaluate(
    original: Network,
    protected: Annotated[
        Path, typer.Argument(help="the network after protection, users under the same names")
    ],
    k: Annotated[int | None, typer.Option(help="the k that was promised")] = None,
    attributes: Attributes = "location,topics",
    places: Places = None,
    place_names: PlaceNames = None,
    topics: Topics = None,
    words: Words = None,
    as_json: Json = False,
) -> None:
    """Compare a network before and after: information lost, users found again, k reached."""
    from shoal.graph import evaluate_graph, in_order_of, read_graph

    options = _options(places, place_names, topics, words)
    with console.progress_bar("reading"):
        before, after = read_graph(original, **options), read_graph(protected, **options)
    with console.progress_bar("evaluating"):
        result = evaluate_graph(before, in_order_of(before, after), attributes=_names(attributes))
    _show(result.to_dict(), k, as_json)


@app.command("table")
def table(
    network: Network,
    output: Annotated[Path, typer.Option("-o", "--output", help="where to write", metavar="OUT")],
    columns: Annotated[int, typer.Option(help="how many topics get a column")] = 3,
    places: Places = None,
    place_names: PlaceNames = None,
    topics: Topics = None,
    words: Words = None,
    keep_identifiers: KeepIdentifiers = False,
    no_shuffle: NoShuffle = False,
    force: Force = False,
    seed: Seed = None,
) -> None:
    """Write the users as microdata: own values and those of their friends, NOT protected yet."""
    from shoal.graph import read_graph, to_table
    from shoal.io import write_table

    with console.progress_bar("reading"):
        found = to_table(read_graph(network, **_options(places, place_names, topics, words)), topics=columns)
    written = {"identifiers": keep_identifiers, "shuffle": not no_shuffle, "overwrite": force}
    write_table(found, output, **written, rng=seed)  # type: ignore[arg-type]
    console.say(f"{len(found)} users written to {output}; protect the file with `shoal mask` before release.")


@app.command("make")
def make(
    output: Annotated[Path, typer.Option("-o", "--output", help="folder to write to", metavar="OUT")],
    users: Annotated[int, typer.Option(help="number of made-up users")] = 1000,
    force: Force = False,
    seed: Seed = None,
) -> None:
    """Make up a network of users with locations, posts and friends."""
    from shoal.graph import make_social

    make_social(users, rng=seed).write(output, overwrite=force)
    console.say(f"{users} made-up users are in {output}; nobody in it exists.")


def _names(attributes: str) -> list[str]:
    return [name.strip() for name in attributes.split(",") if name.strip()]


def _options(
    places: Path | None, place_names: Path | None, topics: Path | None, words: Path | None
) -> dict[str, Any]:
    """Gazetteer and topics as read_graph takes them."""
    from shoal.hierarchy import read_hierarchy

    found: dict[str, Any] = {
        "places": None if places is None else read_hierarchy(places),
        "interests": None if topics is None else read_hierarchy(topics),
    }
    if place_names is not None:
        found["place_names"] = {name: row[0] for row in _rows(place_names) for name in row[1:]}
    if words is not None:
        found["words"] = {row[0]: row[1:] for row in _rows(words)}
    return found


def _rows(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return [row for row in csv.reader(stream, delimiter=";") if row]
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} is not UTF-8 text; save it as such.") from error


def _show(facts: dict[str, Any], k: int | None, as_json: bool) -> None:
    reached = int(facts["k"])
    if as_json:
        promised = {} if k is None else {"k_promised": k, "k_reached": reached >= k}
        print(json.dumps(facts | promised, indent=2))
        return
    console.say(_verdict(reached, k), "green" if k is None or reached >= k else "red bold")
    console.say(
        f"An intruder who knows what users have finds {facts['linkage_risk']:.1f} of 100; "
        f"{facts['information_loss']:.1f} % of the information is lost."
    )
    rows = [
        (name, f"{value:.2f}" if isinstance(value, float) else str(value)) for name, value in facts.items()
    ]
    console.show_table("losses and risk 0-100, less is better", ("measure", "figure"), rows, numbers=1)


def _verdict(reached: int, k: int | None) -> str:
    """One sentence: do enough users look alike?"""
    fact = f"every user looks like at least {reached - 1} others."
    if reached == 1:
        fact = "some users are alone with what they have."
    if k is None:
        return f"k = {reached}: {fact}"
    return f"k = {k} reached: {fact}" if reached >= k else f"k = {k} NOT reached, only {reached}: {fact}"
