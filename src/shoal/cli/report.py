"""shoal report: what was done to a file, what it cost and what is left to risk, as a page to hand over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.cli._texts.option_texts import names_from
from shoal.cli._texts.report_pages import Attack, run_panel
from shoal.cli.arguments import Force, Json, Matching, Reading, flat
from shoal.errors import InvalidInput
from shoal.io.atomic import check_target, refuse_inputs
from shoal.measures.evaluate import evaluate
from shoal.models.promise import Promise
from shoal.report import markdown, summary, write_plots, write_report
from shoal.workflow.explore import Exploration
from shoal.workflow.recipe import Recipe


@flat
def report_files(
    original: Annotated[Path, typer.Argument(help="the file before masking")],
    masked: Annotated[Path, typer.Argument(help="the file after masking")],
    reading: Reading,
    matching: Matching,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", help="where to write: .html, .md or .json", metavar="OUT"),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="without parameters, counts and risks: to hand out")
    ] = False,
    recipe: Annotated[Path | None, typer.Option(help="what was done, .toml or .json")] = None,
    exploration: Annotated[
        Path | None, typer.Option(help="what else was tried: exploration.json of `shoal explore`")
    ] = None,
    known: Annotated[
        list[str] | None, typer.Option(help="what the intruder knows; all if not given", metavar="COLUMNS")
    ] = None,
    title: Annotated[str, typer.Option(help="heading of the report")] = "How this file was protected",
    plots: Annotated[Path | None, typer.Option(help="folder for the pictures too", metavar="FOLDER")] = None,
    png: Annotated[bool, typer.Option("--png", help="pictures as png instead of svg")] = False,
    attacked: Attack = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Report what masking did: a page for the committee, or with --public for everybody."""
    refuse_inputs([original, masked], output or ())
    for path in output or ():
        check_target(path, force)
    done = None if recipe is None else Recipe.read(recipe)
    before = reading.read(original)
    if done is not None:
        before = done.describe(before)
    before, after = reading.pair(reading.describe(before), masked)
    after, rows = matching.rows(before, after)
    columns = names_from(known, before.names()) or None
    threshold = (done.promised if done else Promise()).threshold
    with console.progress_bar("evaluating") as callback:
        judged = evaluate(before, after, known=columns, threshold=threshold, rows=rows, callback=callback)
    for doubt in judged.warnings:
        console.warn(doubt)
    panel = run_panel(before, after) if attacked and judged.aligned else None
    with console.progress_bar("reporting"):
        tried = None if exploration is None else _read_exploration(exploration)
        facts = summary(
            before,
            after,
            evaluation=judged,
            recipe=done,
            exploration=tried,
            intruder=panel,
            title=title,
            public=public,
        )
        for path in output or ():
            write_report(facts, path, overwrite=force)
        if plots is not None:
            write_plots(facts, plots, format="png" if png else "svg", overwrite=force)
    if as_json:
        print(json.dumps(facts, indent=2))
    elif not output:
        print(markdown(facts))
    else:
        kind = "public" if public else "internal"
        console.say(f"The {kind} report is in {', '.join(map(str, output))}.")


def _read_exploration(path: Path) -> Exploration:
    try:
        return Exploration.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"The exploration {path.name!r} cannot be read: {error.strerror}.") from error
