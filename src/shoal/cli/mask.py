"""shoal mask: protect a file by one method, show what that costs, write it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli._texts.option_texts import steps_from, with_column_names
from shoal.cli._texts.promise_texts import also_confidential
from shoal.cli._texts.promising import Promising
from shoal.cli._texts.report_pages import Reporting
from shoal.cli._texts.small_files import refuse_existing, write_text
from shoal.cli.arguments import File, Naming, Reading, SaveFitted, Writing, flat
from shoal.cli.protect import protect
from shoal.models.promise import Promise
from shoal.workflow.recipe import Recipe


@flat
def mask(
    file: File,
    *,
    promising: Promising,
    method: Annotated[str, typer.Option(help="masker (see `shoal methods`)")] = "microaggregate",
    steps: Annotated[
        str | None,
        typer.Option(help="several maskers, one after the other: recode,suppress", metavar="NAMES"),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="option of the masker, e.g. partition=mdav; with --steps also suppress.certify=true",
            metavar="NAME=VALUE",
        ),
    ] = None,
    edit: Annotated[
        list[str] | None,
        typer.Option(help="what must hold in a record: 'total = wages + other'", metavar="RULE"),
    ] = None,
    name: Annotated[str | None, typer.Option(help="what to call the recipe")] = None,
    save_recipe: Annotated[Path | None, typer.Option(help="write what was done as a recipe")] = None,
    save_fitted: SaveFitted = None,
    naming: Naming,
    reading: Reading,
    writing: Writing,
    reporting: Reporting,
) -> None:
    """Protect a file: every record gets company of at least k that look the same."""
    table = naming.apply(reading.read(file))
    roles = also_confidential(reading.roles(table), promising.named)
    promise = promising.promise(roles.get("confidential", []))
    done = with_column_names(steps_from(steps or method, option), table.names())
    name = name or _named(file.stem, done[0], promise)
    recipe = Recipe(
        name,
        roles,
        done,
        reading.kinds(table),
        promise,
        reading.grown(table),
        edit or (),
    )
    if save_recipe is not None:
        refuse_existing(writing.force, save_recipe, writing.output, writing.row_key, inputs=[file])
        write_text(save_recipe, recipe.to_toml(), writing.force)
    protect(
        file,
        table,
        naming.released(recipe),
        writing,
        *naming.keys,
        save_fitted=save_fitted,
        reporting=reporting,
        opening=reading,
        same_households=naming.keeps_households(recipe),
    )


def _named(stem: str, step: Mapping[str, Any], promise: Promise) -> str:
    """A name that tells what is done, so that two recipes on one file differ."""
    asked = {**promise.to_dict(), **{name: value for name, value in step.items() if name != "method"}}
    return ", ".join([f"{stem}: {step['method']}", *(f"{name} = {value}" for name, value in asked.items())])
