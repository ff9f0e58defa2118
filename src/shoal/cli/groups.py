"""shoal groups: which columns to microaggregate together, against groupings made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli._texts.small_files import refuse_existing, write_text
from shoal.cli.arguments import File, Force, Json, Reading, Seed, flat
from shoal.search import Cost, d_gomm, gomm, grouping_cost, hand_made
from shoal.table import as_table
from shoal.workflow.recipe import Recipe
from shoal.workflow.registry import MENUS, find_method

HEADER = ("grouping", "groups", "information loss", "interval risk", "linkage risk", "score")


@flat
def groups(
    file: File,
    k: Annotated[int, typer.Option(help="minimum number of records in a cluster")],
    reading: Reading,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="the recipe to write; FILE-groups.toml if not given", metavar="OUT"
        ),
    ] = None,
    partition: Annotated[str, typer.Option(help="partitioner (see `shoal methods`)")] = "mdav",
    generations: Annotated[int, typer.Option(help="at most this many")] = 100,
    population: Annotated[int, typer.Option(help="number of groupings alive")] = 200,
    seconds: Annotated[float | None, typer.Option(help="stop after this time")] = None,
    dynamic: Annotated[
        bool, typer.Option("--dynamic", help="D-GOMM: drop operators that stopped helping")
    ] = False,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Search which columns to microaggregate together, beside hand-made groupings; write the recipe.

    The search starts from the hand-made groupings, so it never ends worse than they are. Ctrl-C ends it with
    the best so far.
    """
    recipe_file = output or Path(f"{file.stem}-groups.toml")
    refuse_existing(force, recipe_file, inputs=[file])
    table = reading.read(file)
    roles, kinds = reading.roles_or_numbers(table), reading.kinds(table)
    table = as_table(table, roles=roles, kinds=kinds)
    method = find_method(partition, MENUS["partitioners"])
    by_hand = hand_made(table)
    search = d_gomm if dynamic else gomm
    with console.progress_bar("searching", stoppable=True) as callback:
        found = search(
            table,
            k=k,
            partition=method,
            population=population,
            generations=generations,
            seconds=seconds,
            initial=by_hand.values(),
            rng=seed,
            callback=callback,
        )
    step = {"method": "microaggregate", "k": k, "partition": partition, "groups": [list(g) for g in found]}
    write_text(recipe_file, Recipe(f"{file.stem}-groups", roles, [step], kinds).to_toml(), force)
    costs = {search.__name__: (len(found), found.cost)}
    for name, grouping in by_hand.items():
        costs[name] = len(grouping), grouping_cost(table, grouping, k=k, partition=method)
    _show(costs, step["groups"], recipe_file, as_json)


def _show(costs: dict[str, tuple[int, Cost]], groups: Any, recipe_file: Path, as_json: bool) -> None:
    if as_json:
        figures = {name: {"groups": g, **c._asdict(), "score": c.score} for name, (g, c) in costs.items()}
        print(json.dumps({"groups": groups, "costs": figures}, indent=2))
        return
    rows = [(name, str(g), *(f"{figure:.2f}" for figure in (*c, c.score))) for name, (g, c) in costs.items()]
    console.show_table("0-100, less is better", HEADER, rows, numbers=5)
    for position, group in enumerate(groups, 1):
        console.say(f"group {position}: {', '.join(group)}")
    if len(groups) > 1:
        console.warn("The columns are k-anonymous group by group only; the linkage risk is what is left.")
    console.say(f"Recipe written to {recipe_file}; `shoal run FILE {recipe_file} -o OUT` applies it.")
