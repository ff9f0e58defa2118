"""What mask, run, demo and evolve share: run a recipe, release the file, show the figures."""

from __future__ import annotations

import json
from pathlib import Path

from shoal.cli import console
from shoal.cli.arguments import Writing, refuse_existing
from shoal.io import Address
from shoal.measures.first_lines import promise_of_k
from shoal.table import Table, as_table
from shoal.workflow.recipe import Recipe
from shoal.workflow.release import release


def protect(file: Path | Address, table: Table, recipe: Recipe, writing: Writing) -> None:
    """Run a recipe on a table and release what it gives."""
    refuse_existing(writing.force, writing.output)
    with console.progress_bar("protecting") as callback:
        masked = recipe.run(table, rng=writing.seed, callback=callback)
    original = as_table(table, roles=recipe.roles or None, kinds=recipe.kinds)
    release_and_show(file, original, masked, recipe.promised.k, writing)


def release_and_show(
    file: Path | Address, original: Table, masked: Table, k: int | None, writing: Writing
) -> None:
    """Release a masked table, then show its figures."""
    with console.progress_bar("evaluating") as callback:
        done = release(original, masked, writing.target(file), k=k, rng=writing.seed, callback=callback)
    if writing.as_json:
        print(json.dumps(done.to_dict(), indent=2))
        return
    said, good = promise_of_k(done.reached, k)
    console.show_evaluation(done.evaluation, said, good=good)
    if writing.output is None:
        console.say("Nothing was written; add -o OUT to write the protected file.")
    else:
        console.say(
            f"{done.records} records written to {writing.output}; counted there once more: "
            f"k = {done.reached}."
        )
