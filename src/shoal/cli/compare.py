"""shoal compare: partitioners side by side on one file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.cli._texts.option_texts import sizes_from
from shoal.cli._texts.small_files import refuse_existing, write_text
from shoal.cli.arguments import File, Force, Json, Reading, Seed, flat
from shoal.errors import InvalidInput
from shoal.table import as_table
from shoal.types import Partitioner
from shoal.workflow.compare import COMPARED, HEADER, compare
from shoal.workflow.registry import MENUS, bind_method, find_method

OUTSIDE = re.compile(r",(?![^{}]*\})")  # a comma that is in no braces


@flat
def compare_methods(
    file: File,
    k: Annotated[str, typer.Option(help="minimum group sizes, e.g. 3,5,10")],
    reading: Reading,
    methods: Annotated[
        str,
        typer.Option(
            help='comma separated, with options as {method="hac", linkage="single"}; all partitioners but '
            "best if not given"
        ),
    ] = "",
    seconds: Annotated[
        float, typer.Option(help="skip a method that takes longer; how long best searches")
    ] = 60.0,
    csv: Annotated[Path | None, typer.Option(help="write the table as csv", metavar="OUT")] = None,
    force: Force = False,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Compare partitioners: loss, groups and seconds for every k, the best marked."""
    refuse_existing(force, csv, inputs=[file])
    table = reading.read(file)
    table = as_table(table, roles=reading.roles_or_numbers(table), kinds=reading.kinds(table))
    chosen = methods_from(methods) or COMPARED
    with console.progress_bar("comparing") as callback:
        found = compare(
            table, sizes_from(k), partitioners=chosen, seconds=seconds, rng=seed, callback=callback
        )
    if csv is not None:
        write_text(csv, found.to_csv(), force)
    if as_json:
        print(found.to_json())
        return
    console.show_table(f"{found.records} records", HEADER, found.rows(), numbers=7)
    for sentence in found.skipped():
        console.say(f"skipped {sentence}", "dim")


def methods_from(text: str) -> list[Partitioner]:
    """Partitioners by name, comma separated; one in braces is read as TOML and has options.

    >>> [method.__name__ for method in methods_from("mdav, hac")]
    ['mdav', 'hac']
    >>> methods_from('{method="hac", linkage="single"}')[0].keywords
    {'linkage': 'single'}
    """
    menu, found = MENUS["partitioners"], []
    for part in (part.strip() for part in OUTSIDE.split(text)):
        if part.startswith("{"):
            try:
                step = tomllib.loads(f"step = {part}")["step"]
            except tomllib.TOMLDecodeError:
                raise InvalidInput(
                    f'`--methods` cannot read {part!r}; write options as {{method="hac", linkage="single"}}.'
                ) from None
            found.append(bind_method(step, menu))
        elif part:
            found.append(find_method(part, menu))
    return found
