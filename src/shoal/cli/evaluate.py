"""shoal evaluate: compare two files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli.arguments import (
    Json,
    K,
    Reading,
    flat,
    names_from,
)
from shoal.measures.evaluate import evaluate
from shoal.measures.first_lines import promise_of_k
from shoal.workflow.release import facts_of


@flat
def evaluate_files(
    original: Annotated[Path, typer.Argument(help="the file before masking")],
    masked: Annotated[Path, typer.Argument(help="the file after masking, rows in the same order")],
    reading: Reading,
    k: K = None,
    known: Annotated[
        list[str] | None, typer.Option(help="what the intruder knows; all if not given", metavar="COLUMNS")
    ] = None,
    score: Annotated[str, typer.Option(help="mean, max, or the weight of the loss from 0 to 1")] = "mean",
    as_json: Json = False,
) -> None:
    """Compare two files: k reached, information lost, records an intruder still finds."""
    before, after = reading.table(original), reading.read(masked)
    columns = names_from(known, before.names()) or None
    with console.progress_bar("evaluating") as callback:
        result = evaluate(
            before, after, known=columns, combine=_combine(score), rows="checked", callback=callback
        )
    if as_json:
        print(json.dumps(facts_of(result, result.k, k), indent=2))
    else:
        said, good = promise_of_k(result.k, k)
        console.show_evaluation(result, said, good=good)


def _combine(score: str) -> Any:
    return float(score) if score.replace(".", "", 1).isdigit() else score
