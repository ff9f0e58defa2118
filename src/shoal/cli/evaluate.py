"""shoal evaluate: compare two files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli._texts.exit_codes import BROKEN
from shoal.cli._texts.option_texts import names_from
from shoal.cli._texts.promising import Promising
from shoal.cli.arguments import Details, Json, Matching, Reading, flat
from shoal.measures.check import check
from shoal.measures.evaluate import evaluate


@flat
def evaluate_files(
    original: Annotated[Path, typer.Argument(help="the file before masking")],
    masked: Annotated[Path, typer.Argument(help="the file after masking")],
    reading: Reading,
    promising: Promising,
    matching: Matching,
    known: Annotated[
        list[str] | None, typer.Option(help="what the intruder knows; all if not given", metavar="COLUMNS")
    ] = None,
    score: Annotated[str, typer.Option(help="mean, max, or the weight of the loss from 0 to 1")] = "mean",
    details: Details = False,
    as_json: Json = False,
) -> None:
    """Compare two files: is the promise kept, information lost, records an intruder still finds."""
    before, after = reading.pair(reading.table(original, promising.named), masked)
    released = after
    after, rows = matching.rows(before, after)
    columns = names_from(known, before.names()) or None
    promise = promising.promise(before.names("confidential"))
    with console.progress_bar("evaluating") as callback:
        result = evaluate(
            before,
            after,
            known=columns,
            combine=_combine(score),
            threshold=promise.threshold,
            rows=rows,
            callback=callback,
        )
    seen = reading.as_written(released, masked, keys=result.keys)
    verdict = check(seen, promise, columns=result.keys)
    if as_json:
        said = {name: verdict.to_dict()[name] for name in ("promise", "kept", "reached", "breaking_records")}
        print(json.dumps(said | result.to_dict(), indent=2))
    else:
        console.show_evaluation(result, verdict.headline, good=verdict.kept, details=details)
    if not verdict.kept:
        raise typer.Exit(BROKEN)


def _combine(score: str) -> Any:
    return float(score) if score.replace(".", "", 1).isdigit() else score
