"""shoal project: linked tables, masked in step and released together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.cli._texts.column_list import show_columns
from shoal.cli.arguments import Json, Seed
from shoal.workflow.project import Project, ReleasedProject, release_project


def run_project(
    project: Annotated[Path, typer.Argument(help="a project: tables, joins, promise (.toml)")],
    folder: Annotated[
        Path, typer.Option("-o", "--output", help="the folder to make; it must not exist", metavar="FOLDER")
    ],
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Mask linked tables in step and release all of them, each and every join counted, or none."""
    given = Project.read(project)
    for name, table in ({} if as_json else given.read_tables()).items():
        show_columns(table, given.tables[name].kinds, name, given.keys_of(name))
    with console.progress_bar("protecting") as callback:
        done = release_project(given, folder, rng=seed, callback=callback)
    if as_json:
        print(json.dumps(done.to_dict(), indent=2))
    else:
        _show(done, folder)


def _show(done: ReleasedProject, folder: Path) -> None:
    for name, table in done.tables.items():
        console.say(f"{name}: {table.headline}", "green" if table.kept else "red bold")
    for name, verdict in done.joins.items():
        console.say(f"join {name}: {verdict.headline}", "green" if verdict.kept else "red bold")
    console.say(f"{len(done.tables)} tables written to {folder}; each was counted there once more.")
