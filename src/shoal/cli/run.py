"""shoal run: protect a file as a recipe says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli._texts.big_files import EngineName, Memory, Scheduler, Where, is_many, run_many
from shoal.cli._texts.promise_texts import also_confidential
from shoal.cli._texts.promising import Promising
from shoal.cli._texts.report_pages import Reporting
from shoal.cli.arguments import File, Naming, Opening, SaveFitted, Writing, flat
from shoal.cli.protect import protect
from shoal.errors import InvalidInput
from shoal.models.promise import Promise
from shoal.workflow.recipe import Recipe


@flat
def run(
    file: File,
    recipe: Annotated[Path, typer.Argument(help="a recipe, .toml or .json")],
    naming: Naming,
    opening: Opening,
    promising: Promising,
    writing: Writing,
    reporting: Reporting,
    save_fitted: SaveFitted = None,
    engine: EngineName = None,
    scheduler: Scheduler = None,
    memory: Memory = None,
    linkage: Annotated[
        bool,
        typer.Option("--linkage", help="look for a sample of records in files larger than memory, masked"),
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="go on with a job on files larger than memory that was killed")
    ] = False,
    script: Annotated[
        bool, typer.Option("--script", help="show the recipe as a Python script and stop")
    ] = False,
) -> None:
    """Protect a file, or a glob or folder of them, as a recipe says; --k, --l, --t ... promise more."""
    steps = Recipe.read(recipe)
    if script:
        print(steps.to_python(str(file), str(writing.output or "protected.csv")))
        return
    steps = _promising(steps, promising)
    if is_many(file) or engine or memory or scheduler or resume:
        only_for_one = {"--save-fitted": save_fitted, "--pseudonymise": naming.pseudonymise}
        where = Where(engine, scheduler, memory)
        run_many(file, opening, steps, writing, only_for_one, where, linkage=linkage, resume=resume)
        return
    if linkage:
        raise InvalidInput("--linkage is for files larger than memory; of one, `shoal evaluate` shows it.")
    protect(
        file,
        naming.apply(opening.read(file)),
        naming.released(steps),
        writing,
        recipe,
        *naming.keys,
        save_fitted=save_fitted,
        reporting=reporting,
        opening=opening,
        same_households=naming.keeps_households(steps),
    )


def _promising(recipe: Recipe, promising: Promising) -> Recipe:
    """The recipe with what the command line promises in place of its own words about the same."""
    asked = promising.promise(recipe.roles.get("confidential", [])).to_dict()
    if not asked:
        return recipe
    roles = also_confidential(recipe.roles, promising.named)
    return replace(recipe, roles=roles, promise=Promise.from_dict(recipe.promised.to_dict() | asked))
