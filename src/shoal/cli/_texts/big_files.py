"""Files larger than memory on the command line: a glob or a folder instead of one file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from shoal.cli import console
from shoal.cli._texts.exit_codes import BROKEN
from shoal.cli._texts.promising import Promising
from shoal.cli.arguments import Opening, Reading, Writing
from shoal.distributed import ReleasedFiles, check_files, mask_files
from shoal.distributed.released_files import linkage_sentence, loss_sentences
from shoal.distributed.sources.source_files import source_files
from shoal.errors import InvalidInput, NotApplicable
from shoal.io import Address, source_of
from shoal.io.database import read_in_batches
from shoal.measures.description.figure_words import in_words
from shoal.table import Table, as_table
from shoal.workflow.recipe import Recipe

EngineName = Annotated[
    str | None,
    typer.Option(help="who works on files larger than memory: polars (here), dask or spark", metavar="NAME"),
]
Memory = Annotated[
    str | None, typer.Option(help="memory to take for files larger than it, e.g. 4GB", metavar="SIZE")
]

Scheduler = Annotated[
    str | None,
    typer.Option(help="where Dask or Spark is, e.g. tcp://host:8786 or spark://host:7077", metavar="ADDRESS"),
]


FOR_ONE_FILE = (  # options of reading without a form at scale
    *("separator", "decimal", "encoding", "missing_code", "date", "sheet", "layout", "keep_codes"),
)
KINDS = ("numeric", "nominal", "ordinal", "hierarchies")


@dataclass(frozen=True)
class Where:
    """Who works on files larger than memory, at what address, with how much memory."""

    engine: str | None
    scheduler: str | None
    memory: str | None

    def options(self) -> dict[str, Any]:
        """As the functions take them."""
        if self.scheduler and not self.engine:
            raise InvalidInput("--scheduler needs --engine dask or --engine spark; say which of them it is.")
        return vars(self) | {"engine": self.engine or "polars"}


def is_many(file: Path | Address) -> bool:
    """Whether an argument stands for several files: a glob or a folder.

    >>> is_many(Path("big/*.parquet")), is_many(Path("people.csv"))
    (True, False)
    """
    if not isinstance(file, Path):
        return False
    return file.is_dir() or (any(mark in str(file) for mark in "*?[") and not file.exists())


def columns_of(file: Path | Address, opening: Opening) -> Table:
    """A table without records that has the columns of these files, or of the answer of a database."""
    if isinstance(file, Path):
        return as_table(pl.DataFrame(schema=source_files(file).schema()))
    return as_table(next(read_in_batches(source_of(file, opening.table_name, opening.query))))  # type: ignore[arg-type]


def place_of(file: Path | Address, opening: Opening, ignored: Sequence[str] = ()) -> dict[str, Any]:
    """Source, table and query as the functions take them; a word how to read that has no form is refused."""
    given = [name for name in (*FOR_ONE_FILE, *ignored) if getattr(opening, name)]
    if given:
        raise NotApplicable(
            f"--{given[0].replace('_', '-')} is for one file that fits into memory; leave it out, or write "
            "the files as plain csv or parquet first."
        )
    source = str(file) if isinstance(file, Path) else file
    return {"source": source, "table": opening.table_name, "query": opening.query}


def check_many(
    file: Path | Address,
    promising: Promising,
    reading: Reading,
    gaps: str,
    listed: Path | None,
    where: Where,
    as_json: bool,
) -> None:
    """Yes or no about many files, as `shoal check` says it about one."""
    if listed is not None or gaps != "category":
        raise NotApplicable(
            "--list and --gaps wildcard are for one file that fits into memory; leave them out."
        )
    place = place_of(file, reading, KINDS)
    columns = columns_of(file, reading)
    roles = reading.roles(columns)
    promise = promising.promise(roles.get("confidential", []))
    if not promise:
        raise InvalidInput("There is no promise to check; say what the files should keep, e.g. --k 5.")
    with console.progress_bar("counting") as callback:
        verdict = check_files(**place, promise=promise, roles=roles, callback=callback, **where.options())
    if as_json:
        facts: dict[str, Any] = verdict.to_dict()
        print(json.dumps(facts, indent=2))
    else:
        first, *rest = verdict.sentences
        console.say(first, "green" if verdict.kept else "red bold")
        for sentence in rest:
            console.say(sentence)
        console.say(
            f"{verdict.records:,} records in {verdict.classes:,} classes of {', '.join(verdict.keys)}."
        )
    if not verdict.kept:
        raise typer.Exit(BROKEN)


def run_many(
    file: Path | Address,
    opening: Opening,
    recipe: Recipe,
    writing: Writing,
    only_for_one: Mapping[str, Any],
    where: Where,
    *,
    linkage: bool,
    resume: bool,
) -> None:
    """Protect many files; a broken promise ends with exit code 3 and nothing in place."""
    if writing.output is None:
        raise InvalidInput(
            "Files larger than memory need -o OUT: a new folder, one file .parquet or .csv, or a database "
            "with --out-table."
        )
    flags = {"--force": writing.force, "--no-shuffle": writing.no_shuffle, "--row-key": writing.row_key}
    flags |= {"--keep-identifiers": writing.keep_identifiers, **only_for_one}
    given = [name for name, value in flags.items() if value]
    if given:
        raise NotApplicable(f"{given[0]} is for one file that fits into memory; leave it out.")
    place = place_of(file, opening)
    with console.progress_bar("protecting") as callback:
        done = mask_files(
            **place,
            recipe=recipe,
            target=writing.output,
            into=writing.out_table,
            **where.options(),
            anyway=writing.release_anyway,
            linkage=linkage,
            resume=resume,
            rng=writing.seed,
            callback=callback,
        )
    if writing.as_json:
        print(json.dumps(done.to_dict(), indent=2))
    else:
        _show_released(done)


def _show_released(done: ReleasedFiles) -> None:
    """The promise first, then what every column kept."""
    console.say(done.headline, "green" if done.kept else "red bold")
    header = ("column", "mean before", "after", "std. deviation before", "after", "missing before", "after")
    rows = [
        (c.name, *map(_figure, (*c.mean, *c.deviation)), *(f"{count:,}" for count in c.missing))
        for c in done.columns
    ]
    if rows:
        console.show_table("what columns of numbers kept", header, rows, numbers=6)
    for sentence in loss_sentences(done.losses):
        console.say(sentence)
    if done.linkage is not None:
        console.say(linkage_sentence(done.linkage))
    records = f"{done.verdict.records:,} records"
    where = f"{done.files} files of {done.path}" if done.files > 1 else str(done.path)
    console.say(f"{records} written to {where}; counted there once more: k = {done.verdict.reached['k']}.")


def _figure(value: float | None) -> str:
    return "" if value is None else in_words(value)
