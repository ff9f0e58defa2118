"""shoal apply: treat the next file as a fitted recipe treated the first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli._texts.report_pages import Reporting
from shoal.cli.arguments import File, Naming, Opening, Writing, flat
from shoal.cli.protect import protect
from shoal.errors import InvalidInput
from shoal.workflow.recipe import Fitted


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
    reporting: Reporting,
) -> None:
    """Treat the next file as a fitted recipe treated the first; the promise is checked anew."""
    if unknown not in ("refuse", "top"):
        raise InvalidInput(f"`--unknown` must be refuse or top, got {unknown!r}.")
    read = Fitted.read(fitted)
    learned = replace(read, recipe=naming.released(read.recipe))
    table = naming.apply(opening.read(file))
    recipe = learned.recipe_for(table, unknown)  # type: ignore[arg-type]
    protect(
        file,
        table,
        recipe,
        writing,
        fitted,
        *naming.keys,
        reporting=reporting,
        opening=opening,
        same_households=naming.keeps_households(recipe),
    )
