"""shoal attack: run a panel of intruders against a release."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli._texts.option_texts import names_from
from shoal.cli.arguments import Json, Matching, Reading, Seed, flat
from shoal.errors import InvalidInput
from shoal.measures.attack.panel import attack


@flat
def attack_files(
    original: Annotated[Path, typer.Argument(help="the file before masking")],
    masked: Annotated[Path, typer.Argument(help="the file after masking")],
    reading: Reading,
    matching: Matching,
    known: Annotated[
        list[str] | None,
        typer.Option(help="what the intruders know; the quasi-identifiers if not given", metavar="COLUMNS"),
    ] = None,
    other: Annotated[
        Path | None, typer.Option(help="another release of the same persons in the same order")
    ] = None,
    written: Annotated[
        Path | None, typer.Option(help="the release as written: does its row order tell?")
    ] = None,
    matrices: Annotated[Path | None, typer.Option(help="published PRAM matrices, TOML or JSON")] = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Run intruders against a release: how often each is right, and how often a coin would be."""
    before, after = reading.pair(reading.table(original), masked)
    after, rows = matching.rows(before, after)
    with console.progress_bar("attacking", stoppable=True) as callback:
        panel = attack(
            before,
            after,
            other=None if other is None else reading.read(other),
            written=None if written is None else reading.read(written),
            matrices=None if matrices is None else _matrices(matrices),
            rows=rows,
            columns=names_from(known, before.names()) or None,
            rng=seed,
            callback=callback,
        )
    if as_json:
        print(panel.to_json())
        return
    console.say(panel.sentence, "red bold" if panel.strongest else "green")
    header = ("intruder", "guesses", "right of 100", "baseline", "worst case")
    console.show_table("Intruders that were run", header, panel.rows())
    for doubt in panel.warnings:
        console.warn(doubt)
    for name, reason in panel.not_run.items():
        console.say(f"not run: {name.replace('_', ' ')}: {reason}", "dim")


def _matrices(path: Path) -> dict[str, Any]:
    """Matrices by column, from a file that ends in .json or in TOML."""
    text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(
            f"The file {path.name!r} holds no matrices; write them as TOML or JSON: column, category, "
            "released category, chance."
        ) from error
    if not isinstance(found, dict):
        raise InvalidInput(f"The file {path.name!r} must map columns to matrices.")
    return found
