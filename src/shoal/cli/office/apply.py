"""shoal apply: treat the next file as a fitted recipe treated the first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.cli._texts.column_list import show_columns
from shoal.cli.arguments import File, Naming, Opening, Writing, flat
from shoal.cli.protect import release_and_show
from shoal.errors import InvalidInput
from shoal.workflow.recipe import Fitted
from shoal.workflow.release import check_target_of


@flat
def apply_fitted(
    file: File,
    fitted: Annotated[Path, typer.Argument(help="a recipe that --save-fitted wrote", metavar="RECIPE")],
    *,
    unknown: Annotated[
        str, typer.Option(help="values a kept hierarchy does not name: refuse, or top (the widest label)")
    ] = "refuse",
    naming: Naming,
    opening: Opening,
    writing: Writing,
) -> None:
    """Treat the next file as a fitted recipe treated the first; the promise is checked anew."""
    if unknown not in ("refuse", "top"):
        raise InvalidInput(f"`--unknown` must be refuse or top, got {unknown!r}.")
    read = Fitted.read(fitted)
    learned = replace(read, recipe=naming.released(read.recipe))
    inputs = [fitted, *naming.keys]
    check_target_of(writing.target(file, *inputs))
    table = naming.apply(opening.read(file))
    recipe = learned.recipe_for(table, unknown)  # type: ignore[arg-type]
    if not writing.as_json:
        show_columns(recipe.describe(table), recipe.kinds)
    with console.progress_bar("protecting") as callback:
        masked = recipe.run(table, rng=writing.seed, callback=callback)
    original, promise = recipe.describe(table), recipe.promised
    release_and_show(
        file,
        original,
        masked,
        promise,
        writing,
        *inputs,
        recipe=recipe,
        opening=opening,
        same_households=naming.keeps_households(recipe),
    )
