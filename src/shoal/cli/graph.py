"""shoal graph: read, protect, attack and compare networks, make one up, or turn one into a table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli._network.network_figures import save_picture, show_figures, show_frame
from shoal.cli._network.network_options import Network, Protecting, Reading
from shoal.cli.arguments import Anyway, Force, Json, KeepIdentifiers, NoShuffle, Seed, flat

app = typer.Typer(
    help="Networks of people: read, protect, attack, evaluate, curve, table, make.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Picture = Annotated[
    Path | None, typer.Option(help="picture of users found and structure lost", metavar="PNG")
]
Protected = Annotated[Path, typer.Argument(help="the network after protection, users under the same names")]


@app.command("read")
@flat
def read(network: Network, reading: Reading, as_json: Json = False) -> None:
    """Say what a file is taken for: users, connections, attributes and how they will be treated."""
    from shoal.graph import sensitive_users

    graph = reading.graph(network)
    sensitive = dict(sensitive_users(graph).iter_rows())
    if as_json:
        facts = {"users": len(graph), "connections": len(graph.edges), "directed": graph.directed}
        print(
            json.dumps(
                facts
                | {"weights": graph.weights is not None, "attributes": graph.attributes}
                | {"sensitive": sensitive},
                indent=2,
            )
        )
        return
    console.say(str(graph))
    console.say(
        f"Protected would be: {', '.join(graph.attributes)}."
        if graph.attributes
        else "Users have no attributes; --degrees or --switch protect the connections."
    )
    if sensitive:
        found = ", ".join(f"{topic} {users}" for topic, users in sensitive.items())
        console.say(
            f"Sensitive topics, and how many users have them: {found}. --hide sensitive leaves them out."
        )


@app.command("protect")
@flat
def protect(
    network: Network,
    reading: Reading,
    protecting: Protecting,
    k: Annotated[int, typer.Option(help="minimum number of users who look alike: your promise")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="folder or network file to write", metavar="OUT"),
    ] = None,
    attack: Annotated[bool, typer.Option("--attack", help="also run the attacks, before and after")] = False,
    picture: Picture = None,
    keep_identifiers: KeepIdentifiers = False,
    no_shuffle: NoShuffle = False,
    force: Force = False,
    release_anyway: Anyway = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Protect a network: every user gets what at least k similar users have in common."""
    from shoal.graph import neighbourhoods_below, release_graph
    from shoal.graph.io.graph_files import check_output

    if output is not None:
        check_output(output, force)
    graph, how = reading.graph(network), protecting.protector(k, seed)
    with console.progress_bar("protecting") as callback:
        masked = how(graph, callback=callback)
    facts = _facts(graph, masked, protecting)
    frames = _attacked(graph, masked, how, protecting, seed) if attack or picture else None
    done = None
    if output is not None:
        options = {"degrees": protecting.degrees, "together": protecting.together, "anyway": release_anyway}
        written = {"identifiers": keep_identifiers, "shuffle": not no_shuffle, "overwrite": force}
        done = release_graph(
            masked, output, k=k, attributes=protecting.names(), rng=seed, **options, **written
        )
        facts |= (
            {"k": done.k, "degree_k": done.degree_k} if facts["attributes"] else {"degree_k": done.degree_k}
        )
    facts["neighbourhoods_below_k"] = neighbourhoods_below(masked, k)
    _tell(facts, frames, k, as_json)
    if frames is not None:
        save_picture(picture, frames[0], frames[1], force)
    if output is None and not as_json:
        console.say("Nothing was written; add -o OUT to write the protected network.")
    elif not as_json and done is not None:
        anyway = "" if done.kept else "RELEASED ANYWAY: "
        counted = _counted(done, bool(facts["attributes"]), protecting)
        console.say(f"{anyway}{len(masked)} users written to {output}; counted there once more: {counted}.")


@app.command("evaluate")
@flat
def evaluate(
    original: Network,
    protected: Protected,
    reading: Reading,
    k: Annotated[int | None, typer.Option(help="the k that was promised")] = None,
    attributes: Annotated[
        str | None, typer.Option(help="what an intruder may know: location, topics, columns")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare a network before and after: information and structure lost, users found again, k reached."""
    before, after = _pair(original, protected, reading)
    facts = _facts(before, after, Protecting(attributes=attributes))
    if k is not None:
        from shoal.graph import neighbourhoods_below

        facts["neighbourhoods_below_k"] = neighbourhoods_below(after, k)
    _tell(facts, None, k, as_json)


@app.command("attack")
@flat
def attack(
    original: Network,
    protected: Protected,
    reading: Reading,
    picture: Picture = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Attack a protected network: users found by attributes, by degree and by their friends' degrees."""
    from shoal.graph import attack_graph, structure_losses, what_is_left

    before, after = _pair(original, protected, reading)
    with console.progress_bar("attacking"):
        found = attack_graph(before, after)
    if as_json:
        print(json.dumps(found.to_dicts(), indent=2))
        return
    show_frame("users found, of 100", found)
    changed = before.edges.tolist() != after.edges.tolist()
    console.say(what_is_left(after, found, degrees=changed, switched=0.0))
    save_picture(picture, found, structure_losses(before, after), force)


@app.command("curve")
@flat
def curve(network: Network, reading: Reading, seed: Seed = None, as_json: Json = False) -> None:
    """Switch more and more connections: users found by their friends' degrees against structure lost."""
    from shoal.graph import privacy_curve

    graph = reading.graph(network)
    with console.progress_bar("switching"):
        found = privacy_curve(graph, rng=seed)
    if as_json:
        print(json.dumps(found.to_dicts(), indent=2))
        return
    show_frame("users found of 100, and losses in %, by share of connections switched", found)
    console.say("Take the smallest --switch whose users found you can answer for.")


@app.command("table")
@flat
def table(
    network: Network,
    reading: Reading,
    output: Annotated[Path, typer.Option("-o", "--output", help="where to write", metavar="OUT")],
    columns: Annotated[int, typer.Option(help="how many topics get a column")] = 3,
    keep_identifiers: KeepIdentifiers = False,
    no_shuffle: NoShuffle = False,
    force: Force = False,
    seed: Seed = None,
) -> None:
    """Write the users as microdata: own values and those of their friends, NOT protected yet."""
    from shoal.graph import to_table
    from shoal.io import write_table

    found = to_table(reading.graph(network), topics=columns)
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


def _counted(done: Any, attributes: bool, protecting: Protecting) -> str:
    """What the files keep of what was asked for."""
    parts = [f"k = {done.k}"] if attributes else []
    if protecting.together and attributes:
        parts.append(f"together with the number of connections {done.together_k}")
    elif protecting.degrees or protecting.together:
        parts.append(f"k of the connections = {done.degree_k}")
    return ", ".join(parts) or "nothing was promised"


def _pair(original: Path, protected: Path, reading: Reading) -> tuple[Any, Any]:
    """Both networks, users in the same order; folders and edge lists have the directions of the original."""
    from shoal.graph import in_order_of
    from shoal.graph.io.graph_files import says_direction

    before = reading.graph(original)
    if reading.directed is None and not says_direction(protected):
        reading = replace(reading, directed=before.directed)
    return before, in_order_of(before, reading.graph(protected))


def _facts(before: Any, after: Any, protecting: Protecting) -> dict[str, Any]:
    """Every figure of a protection by name; no attributes means figures of the structure only."""
    from shoal.graph import evaluate_graph, structure_losses

    with console.progress_bar("evaluating"):
        result = evaluate_graph(before, after, attributes=protecting.names())
        structure = structure_losses(before, after)
    known = protecting.names() or before.attributes
    return result.to_dict() | {"attributes": known, "structure": structure}


def _attacked(
    before: Any, after: Any, how: Any, protecting: Protecting, seed: int | None
) -> tuple[Any, Any, str]:
    from shoal.graph import attack_graph, structure_losses, what_is_left

    with console.progress_bar("attacking"):
        found = attack_graph(before, after, protect=how, attributes=protecting.names(), rng=seed)
    hidden = protecting.degrees or protecting.together
    left = what_is_left(after, found, degrees=hidden, switched=protecting.switch)
    return found, structure_losses(before, after), left


def _tell(facts: dict[str, Any], frames: tuple[Any, Any, str] | None, k: int | None, as_json: bool) -> None:
    structure = facts["structure"]
    if as_json:
        facts = facts | {"structure": structure.to_dicts()}
        facts |= {} if frames is None else {"attacks": frames[0].to_dicts(), "what_is_left": frames[2]}
        facts |= {} if k is None else {"k_promised": k, "k_reached": int(facts["k"]) >= k}
        print(json.dumps(facts, indent=2))
        return
    show_figures(facts, k)
    show_frame("structure: before, after, and % lost", structure)
    if frames is not None:
        show_frame("users found, of 100", frames[0])
        console.say(frames[2])
