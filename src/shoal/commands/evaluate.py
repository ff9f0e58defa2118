"""shoal evaluate: compare two files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal import console
from shoal.commands.arguments import (
    Confidential,
    Decimal,
    Encoding,
    Identifier,
    Json,
    K,
    MissingCode,
    Nominal,
    Numeric,
    Ordinal,
    Quasi,
    Separator,
    kinds_from,
    names_from,
    read_file,
    roles_from,
)
from shoal.commands.protect import facts_of
from shoal.evaluate import evaluate
from shoal.table import as_table


def evaluate_files(
    original: Annotated[Path, typer.Argument(help="the file before masking")],
    masked: Annotated[Path, typer.Argument(help="the file after masking, rows in the same order")],
    quasi: Quasi = None,
    confidential: Confidential = None,
    identifier: Identifier = None,
    k: K = None,
    known: Annotated[
        list[str] | None, typer.Option(help="what the intruder knows; all if not given", metavar="COLUMNS")
    ] = None,
    score: Annotated[str, typer.Option(help="mean, max, or the weight of the loss from 0 to 1")] = "mean",
    numeric: Numeric = None,
    nominal: Nominal = None,
    ordinal: Ordinal = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    missing_code: MissingCode = None,
    as_json: Json = False,
) -> None:
    """Compare two files: k reached, information lost, records an intruder still finds."""
    before = read_file(original, separator, decimal, encoding, missing_code)
    after = read_file(masked, separator, decimal, encoding, missing_code)
    before = as_table(
        before,
        roles=roles_from(before, quasi, confidential, identifier),
        kinds=kinds_from(before, numeric, nominal, ordinal),
    )
    columns = names_from(known, before.names()) or None
    with console.progress_bar("evaluating") as callback:
        result = evaluate(before, after, known=columns, combine=_combine(score), callback=callback)
    if as_json:
        print(json.dumps(facts_of(result, result.k, k), indent=2))
    else:
        console.show_evaluation(result, k)


def _combine(score: str) -> Any:
    return float(score) if score.replace(".", "", 1).isdigit() else score
