"""shoal explore: many maskings of one file, loss against risk, and the recipe to take."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal._shared.workers import worker_map
from shoal.cli import console
from shoal.cli._texts.column_list import show_columns
from shoal.cli._texts.option_texts import options_from, sizes_from
from shoal.cli._texts.promise_texts import also_confidential
from shoal.cli._texts.promising import Hiding
from shoal.cli._texts.report_pages import Reporting
from shoal.cli._texts.small_files import refuse_existing, write_text
from shoal.cli.arguments import File, Force, Json, Reading, Seed, flat
from shoal.cli.live_table import live_exploration
from shoal.encode.spellings import warn_of_spellings
from shoal.errors import InvalidInput, ShoalError
from shoal.models.promise import Promise
from shoal.table import Table
from shoal.types import Progress, Role
from shoal.workflow.explore import (
    HEADER,
    Candidate,
    Exploration,
    explore,
    kinds_of,
    make_recipes,
    rule_in_words,
)
from shoal.workflow.recipe import Recipe

INTERRUPTED = 130  # what a shell says after Ctrl-C


@flat
def explore_file(
    file: File,
    reading: Reading,
    reporting: Reporting,
    hiding: Hiding,
    methods: Annotated[
        str, typer.Option(help="maskers, partitioners and PRAM matrices, comma separated")
    ] = "",
    k: Annotated[str, typer.Option(help="minimum group sizes, e.g. 3,5,10")] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="values to try, e.g. rank_swap.percent=[5,10]", metavar="METHOD.OPTION=VALUES"
        ),
    ] = None,
    recipe: Annotated[list[Path] | None, typer.Option(help="a recipe to try too, .toml or .json")] = None,
    risk: Annotated[
        float | None, typer.Option(help="recommend the least loss with at most this risk (0-100)")
    ] = None,
    at_least: Annotated[
        int | None, typer.Option("--at-least", help="recommend only where this many records look alike")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="where to write the recommended recipe", metavar="OUT"),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="where figures are kept to go on later; FILE-explore if not given")
    ] = None,
    workers: Annotated[int, typer.Option(help="recipes at once, each in a process of its own", min=1)] = 1,
    csv: Annotated[Path | None, typer.Option(help="write the table as csv", metavar="OUT")] = None,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Try many maskings, show loss against risk and recommend one; Ctrl-C keeps what is done."""
    refuse_existing(force, output, csv, inputs=[file, *(recipe or ())])
    reporting.check(force, [file] if isinstance(file, Path) else [])
    _recommended(Exploration(0, 0), risk, at_least)  # a rule that makes no sense is refused before the work
    table = reading.table(file, hiding.named)
    roles = also_confidential(reading.roles(table), hiding.named)
    recipes = _recipes(table, methods, k, option, roles, recipe)
    recipes = [_promising(one, hiding.promise(table.names("confidential"))) for one in recipes]
    recipes = [replace(one, hierarchies={**reading.grown(table), **one.hierarchies}) for one in recipes]
    if not as_json:
        show_columns(table, reading.kinds(table))
    warn_of_spellings(table)
    folder = Path(f"{file.stem}-explore") if folder is None else folder
    found = _run(table, recipes, folder, seed, workers)
    write_text(folder / "exploration.json", found.to_json(), force=True)
    if csv is not None and found.candidates:  # stopped before the first: an old table stays
        write_text(csv, found.to_csv(), force)
    best, why_not = _recommended(found, risk, at_least)
    written = folder / "recommended.toml" if output is None else output
    if best is not None:
        write_text(written, _text(best.recipe, written), force or output is None)
    if as_json:
        facts = {"recommended": best and best.name, "rule": rule_in_words(risk=risk, k=at_least)}
        print(json.dumps(found.to_dict() | facts, indent=2))
    else:
        _show(found, best, why_not, rule_in_words(risk=risk, k=at_least), written, folder)
    if best is not None and reporting.pages:
        with console.progress_bar("protecting"):
            masked = best.recipe.run(table, rng=seed)
        before, told = best.recipe.describe(table), {"file": file, "force": force, "quiet": as_json}
        panel = reporting.run_panel(before, masked, seed)
        reporting.write(before, masked, recipe=best.recipe, exploration=found, panel=panel, **told)
    if not found.complete:
        raise typer.Exit(INTERRUPTED)


def _recipes(
    table: Table,
    methods: str,
    k: str,
    option: Sequence[str] | None,
    roles: dict[Role, list[str]],
    files: list[Path] | None,
) -> list[Recipe]:
    """The grid of the methods asked for, and the recipes given as files."""
    grid: dict[str, dict[str, Any]] = {name.strip(): {} for name in methods.split(",") if name.strip()}
    for path, values in options_from(option).items():
        method, dot, name = path.partition(".")
        if not dot or method not in grid:
            raise InvalidInput(
                f"`--set` needs METHOD.OPTION=VALUES with a method of --methods, got {path!r}."
            )
        grid[method][name] = values
    given = [Recipe.read(path) for path in files or ()]
    if grid:
        return [*make_recipes(grid, k=sizes_from(k), roles=roles, kinds=kinds_of(table)), *given]
    if not given:
        raise InvalidInput("There is nothing to explore; name methods, e.g. --methods mdav,mondrian --k 3,5.")
    return given


def _promising(recipe: Recipe, asked: Promise) -> Recipe:
    """The recipe that promises this too; one without k is held to the smallest k of the others, as always."""
    return (
        replace(recipe, promise=Promise.from_dict(recipe.promised.to_dict() | asked.to_dict()))
        if asked
        else recipe
    )


def _run(table: Table, recipes: list[Recipe], folder: Path, seed: int | None, workers: int) -> Exploration:
    """Explore with a live table; a second Ctrl-C gives what was found until then; warnings come once."""
    latest = Exploration(len(table), len(recipes))

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", UserWarning)
        with live_exploration("exploring") as draw, worker_map(workers) as mapped:

            def callback(progress: Progress) -> bool | None:
                nonlocal latest
                latest = progress.best
                return draw(progress)

            with suppress(KeyboardInterrupt):
                latest = explore(table, recipes, folder=folder, rng=seed, workers=mapped, callback=callback)
    for sentence in dict.fromkeys(str(warning.message) for warning in heard):
        console.warn(sentence)
    return latest


def _recommended(found: Exploration, risk: float | None, k: int | None) -> tuple[Candidate | None, str]:
    """The candidate to take, or None and why there is none."""
    try:
        return found.recommend(risk=risk, k=k), ""
    except InvalidInput:
        raise
    except ShoalError as error:
        return None, str(error)


def _text(recipe: Recipe, path: Path) -> str:
    return recipe.to_json() if path.suffix.lower() == ".json" else recipe.to_toml()


def _show(
    found: Exploration, best: Candidate | None, why_not: str, rule: str, written: Path, folder: Path
) -> None:
    title = f"{found.records} records; 0-100, less is better; * no other has both less loss and less risk"
    console.show_table(title, HEADER, found.rows(), numbers=len(HEADER) - 1)
    for note in found.notes():
        console.say(f"note {note}", "dim")
    if not found.complete:
        done = f"{len(found.candidates)} of {found.planned} recipes are done"
        console.say(f"Stopped: {done} and kept in {folder}; the same command goes on.", "yellow")
    if best is None:
        console.say(f"No recipe is recommended. {why_not}", "red bold")
        return
    console.say(f"Recommended: {best.name}, {rule}: loss {best.loss:.1f}, risk {best.risk:.1f}.", "green")
    console.say(f"Its recipe is in {written}; shoal run FILE {written} -o OUT makes the file.")
