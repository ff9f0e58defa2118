"""shoal demo: a made-up file, protected."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.cli.arguments import Json, Writing
from shoal.cli.protect import protect
from shoal.io import write_table
from shoal.table import ROLES
from shoal.workflow.recipe import Recipe


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="folder to write to")] = Path("demo"),
    records: Annotated[int, typer.Option(help="number of made-up persons")] = 1000,
    k: Annotated[int, typer.Option(help="minimum number of records that look alike")] = 5,
    as_json: Json = False,
) -> None:
    """Make up a file of persons, protect it and show what that costs and brings."""
    from shoal.datasets import make_census

    table = make_census(records, rng=0)
    output.mkdir(parents=True, exist_ok=True)
    original = output / "original.csv"
    write_table(table, original, identifiers=True, shuffle=False, overwrite=True)
    step = {"method": "microaggregate", "k": k}
    recipe = Recipe("demo", {role: table.names(role) for role in ROLES}, [step])
    if not as_json:
        console.say(f"{records} made-up persons are in {original}; nobody in it exists.")
    protect(original, table, recipe, Writing(output / "protected.csv", force=True, as_json=as_json))
    if not as_json:
        console.say(
            f"Next: {_name_to_type()} inspect {original} (who stands out, and why), {_studio(original)} (the "
            "same with a mouse), or your own file in its place; docs/quickstart.md goes step by step."
        )


def _name_to_type() -> str:
    """After `make demo` the command is in .venv/bin, where no shell looks for it unless told to."""
    return "shoal" if shutil.which("shoal") else sys.argv[0]


def _studio(original: Path) -> str:
    """What opens the studio here: `make demo` does not install what it needs, `make studio` does."""
    return f"{_name_to_type()} studio {original}" if find_spec("uvicorn") else "make studio"
