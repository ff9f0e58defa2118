"""shoal evolve: mask a file in many ways and let the masked files evolve."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli._texts.column_list import show_columns
from shoal.cli._texts.promising import Promising
from shoal.cli._texts.report_pages import Reporting
from shoal.cli.arguments import File, Reading, Writing, flat
from shoal.cli.protect import release_and_show
from shoal.errors import InvalidInput
from shoal.search import evolve_file
from shoal.search.files.checkpoint import checkpoint_path, read_checkpoint, save_checkpoint
from shoal.table import Table
from shoal.types import Callback, Progress
from shoal.workflow.release import check_target_of

ENDLESS = 10**9  # generations: the clock ends the run
EVERY = 20.0  # seconds between checkpoints


@flat
def evolve(
    file: File,
    *,
    minutes: Annotated[float, typer.Option(help="how long to search; Ctrl-C ends it with the best")] = 5.0,
    generations: Annotated[int | None, typer.Option(help="at most this many")] = None,
    fitness: Annotated[str, typer.Option(help="minimise the max or the mean of loss and risk")] = "max",
    promising: Promising,
    restart: Annotated[bool, typer.Option("--restart", help="forget a checkpoint, start anew")] = False,
    reading: Reading,
    writing: Writing,
    reporting: Reporting,
) -> None:
    """Mask a file in many ways, let the masked files evolve, and write the best.

    The first Ctrl-C ends the search with the best so far. While it runs a checkpoint lies next to OUT; after
    an interruption the same command goes on from it.
    """
    check_target_of(writing.target(file))
    reporting.check(writing.force, [file] if isinstance(file, Path) else [])
    if not minutes >= 0:
        raise InvalidInput(f"`--minutes` must be a number of at least 0, got {minutes!r}.")
    table = reading.table(file, promising.named)
    if not writing.as_json:
        show_columns(table, reading.kinds(table))
    promise = promising.promise(table.names("confidential"))
    path = None if writing.output is None else checkpoint_path(writing.output)
    options = {"fitness": fitness, "seconds": 60 * minutes, "rng": writing.seed}
    masked = _search(table, path, restart, ENDLESS if generations is None else generations, options)
    release_and_show(
        file,
        table,
        masked,
        promise,
        writing,
        reporting=reporting,
        combine="max" if fitness == "max" else "mean",
        opening=reading,
    )
    if path is not None:
        path.unlink(missing_ok=True)


def _search(
    table: Table, path: Path | None, restart: bool, generations: int, options: dict[str, Any]
) -> Table:
    """Evolve from the checkpoint if there is one, else from the start."""
    columns, done, files = table.names(role="quasi"), 0, None
    if path is not None and path.exists() and not restart:
        found = read_checkpoint(path, table, columns=columns)
        files, done = found.files, found.generations
        typer.echo(f"Going on after generation {done}, from the checkpoint {path.name}.", err=True)

    def save(masked: list[Table], count: int) -> None:
        if path is not None:
            save_checkpoint(path, table, masked, generations=count, columns=columns)

    with console.progress_bar("evolving", stoppable=True) as show:
        follow = _follower(show, save, done, options["seconds"])
        left = max(generations - done, 0)
        masked: Table = evolve_file(table, population=files, generations=left, callback=follow, **options)
    return masked


def _follower(
    show: Callback, save: Callable[[list[Table], int], None], done: int, seconds: float
) -> Callback:
    """A callback that shows generation, loss, risk and score, and saves a checkpoint now and then."""
    begun = time.monotonic()
    state = {"saved": begun, "count": done - 1}

    def callback(progress: Progress) -> bool | None:
        state["count"] += 1
        best, now = progress.best, time.monotonic()
        message = (
            f"generation {state['count']:.0f}, loss {best.figures.information_loss:.2f}, "
            f"risk {best.figures.disclosure_risk:.2f}, score {best.score:.2f}"
        )
        spent = min((now - begun) / max(seconds, 1e-9), 1.0)
        stop = show(Progress(max(progress.fraction, spent), message))
        if now - state["saved"] >= EVERY or stop:
            save(best.files(), int(state["count"]))
            state["saved"] = time.monotonic()
        return stop

    return callback
