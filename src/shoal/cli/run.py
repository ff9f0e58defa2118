"""shoal run: protect a file as a recipe says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli._texts.report_pages import Reporting
from shoal.cli.arguments import File, Naming, Opening, SaveFitted, Writing, flat
from shoal.cli.protect import protect
from shoal.workflow.recipe import Recipe


@flat
def run(
    file: File,
    recipe: Annotated[Path, typer.Argument(help="a recipe, .toml or .json")],
    naming: Naming,
    opening: Opening,
    writing: Writing,
    reporting: Reporting,
    save_fitted: SaveFitted = None,
    script: Annotated[
        bool, typer.Option("--script", help="show the recipe as a Python script and stop")
    ] = False,
) -> None:
    """Protect a file as a recipe says."""
    steps = Recipe.read(recipe)
    if script:
        print(steps.to_python())
        return
    protect(
        file,
        naming.apply(opening.read(file)),
        naming.released(steps),
        writing,
        recipe,
        save_fitted=save_fitted,
        reporting=reporting,
    )
