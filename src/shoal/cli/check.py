"""shoal check: does one file keep a promise, and which of its records break it?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import narwhals as nw
import polars as pl
import typer

from shoal.cli import console
from shoal.cli._texts.big_files import EngineName, Memory, Scheduler, Where, check_many, is_many
from shoal.cli._texts.exit_codes import BROKEN
from shoal.cli._texts.promising import Promising
from shoal.cli._texts.small_files import refuse_existing, write_text
from shoal.cli.arguments import File, Force, Json, Reading, flat
from shoal.encode.spellings import warn_of_spellings
from shoal.errors import InvalidInput
from shoal.measures.check import Verdict, check
from shoal.measures.risk.k_anonymity import violating_classes
from shoal.table import Table

WORST = 10  # classes shown
POSITIONS = 20  # records named on the screen; --list has all


@flat
def check_file(
    file: File,
    *,
    promising: Promising,
    gaps: Annotated[
        str, typer.Option(help="category: a gap is a value of its own; wildcard: it looks like any value")
    ] = "category",
    listed: Annotated[
        Path | None,
        typer.Option("--list", help="where to write the rows that break the promise", metavar="OUT"),
    ] = None,
    force: Force = False,
    engine: EngineName = None,
    scheduler: Scheduler = None,
    memory: Memory = None,
    as_json: Json = False,
    reading: Reading,
) -> None:
    """Say yes or no: does a file, or a folder or glob of files, keep a promise? Exit code 0 or 3.

    There is nothing to compare with. Text is counted as it stands: 1 and 1.0 are different.
    Rows are counted from 0, below the header.
    """
    if is_many(file) or engine or memory or scheduler:
        check_many(file, promising, reading, gaps, listed, Where(engine, scheduler, memory), as_json)
        return
    refuse_existing(force, listed, inputs=[file])
    table = reading.table(file, promising.named, masked=True)
    promise = promising.promise(table.names("confidential"))
    if not promise:
        raise InvalidInput("There is no promise to check; say what the file should keep, e.g. --k 5.")
    warn_of_spellings(table)
    table = reading.as_written(table, file, gaps=gaps)
    verdict = check(table, promise, gaps=gaps)  # type: ignore[arg-type]
    if listed is not None:
        write_text(listed, pl.DataFrame({"row": verdict.breaking_records}).write_csv(), force)
    if as_json:
        rows = {} if listed else {"breaking_rows": verdict.breaking_records.tolist()}
        print(json.dumps(verdict.to_dict() | rows, indent=2))
    else:
        _show(table, verdict, gaps, listed)
    if not verdict.kept:
        raise typer.Exit(BROKEN)


def _show(table: Table, verdict: Verdict, gaps: str, listed: Path | None) -> None:
    """Yes or no, the counts, the worst classes, the rows."""
    first, *rest = verdict.sentences
    console.say(first, "green" if verdict.kept else "red bold")
    for sentence in rest:
        console.say(sentence)
    console.say(f"{verdict.records} records in {verdict.classes} classes of {', '.join(verdict.keys)}.")
    if verdict.kept:
        return
    title, worst = _worst(table, verdict, gaps)
    rows = nw.from_native(worst, eager_only=True).head(WORST)
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows.iter_rows()]
    console.show_table(title, rows.columns, cells, numbers=1)
    named = verdict.breaking_records[:POSITIONS].tolist()
    left = len(verdict.breaking_records) - POSITIONS
    more = f" and {left} more" if left > 0 else ""
    console.say(f"Rows that break the promise: {', '.join(map(str, named))}{more}.")
    if listed is not None:
        console.say(f"All of them are listed in {listed}.")


def _worst(table: Table, verdict: Verdict, gaps: Any) -> tuple[str, Any]:
    """The smallest classes below k; where all are large enough, those that break the rest of the promise."""
    size = verdict.promise.class_size
    if verdict.reached["k"] < size:
        return "the smallest classes", violating_classes(table, size, gaps=gaps, columns=verdict.keys)
    broken = table.take(verdict.breaking_records)
    every = len(broken) + 1
    return "the classes that break it", violating_classes(broken, every, columns=verdict.keys)
