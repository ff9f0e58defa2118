"""shoal run: protect a file as a recipe says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.arguments import Decimal, Encoding, File, MissingCode, Reading, Separator, Writing, flat
from shoal.cli.protect import protect
from shoal.workflow.recipe import Recipe


@flat
def run(
    file: File,
    recipe: Annotated[Path, typer.Argument(help="a recipe, .toml or .json")],
    writing: Writing,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    missing_code: MissingCode = None,
    script: Annotated[
        bool, typer.Option("--script", help="show the recipe as a Python script and stop")
    ] = False,
) -> None:
    """Protect a file as a recipe says."""
    steps = Recipe.read(recipe)
    if script:
        print(steps.to_python())
        return
    reading = Reading(separator=separator, decimal=decimal, encoding=encoding, missing_code=missing_code)
    protect(file, reading.read(file), steps, writing)
