"""What the command line shows: tables, verdicts and a progress bar; plain text when piped."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from shoal.types import Callback, Progress

if TYPE_CHECKING:
    from shoal.measures.evaluate import Evaluation

PATIENCE = 1.0  # seconds before a progress bar appears


def show_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], numbers: int = 0, *, error: bool = False
) -> None:
    """A table: drawn on a terminal (its last `numbers` columns to the right), tab-separated in a pipe.

    With `error` it goes to standard error, so that what a command answers stays the first line of its output.
    """
    console = Console(stderr=error)
    if not console.is_terminal:
        for row in (header, *rows):
            print(*row, sep="\t", file=sys.stderr if error else sys.stdout)
        return
    table = RichTable(title=title, title_justify="left")
    for position, name in enumerate(header):
        right = position >= len(header) - numbers
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)


def show_evaluation(
    evaluation: Evaluation,
    headline: str = "",
    *,
    good: bool = True,
    intruder: str | None = None,
    details: bool = False,
) -> None:
    """What everybody should read, the promise first; with `details` every figure and column; then doubts."""
    from shoal.measures.first_lines import first_lines

    for place, line in enumerate(first_lines(evaluation, headline, intruder)):
        say(line, "" if place else "green" if good else "red bold")
    totals = [f"{name} {figure}" for group, name, figure, _ in evaluation.rows() if group == "total"]
    if details:
        _show_details(evaluation)
    elif totals:
        say(f"{', '.join(totals)} (0-100, less is better); --details shows all figures.", "dim")
    for doubt in evaluation.warnings:
        warn(doubt)


def _show_details(evaluation: Evaluation) -> None:
    """Every figure, what every column lost, and what was not measured."""
    from shoal.measures.description.figure_words import words_of

    rows = [(name, figure, words_of(id).sentence) for _, name, figure, id in evaluation.rows()]
    show_table("0-100, less is better", ("figure", "value", "what it means"), rows)
    if evaluation.columns:
        header = ("column", "role", "what happened", "changed %", "suppressed %", "lost %")
        show_table("what every changed column lost", header, evaluation.column_rows(), numbers=3)
    for name, reason in evaluation.skipped.items():
        say(f"not measured: {words_of(name).name}: {reason}", "dim")


def say(sentence: str, style: str = "") -> None:
    """A sentence on standard output."""
    Console(soft_wrap=True).print(escape(sentence), style=style, highlight=False)


def warn(sentence: str) -> None:
    """A warning on standard error."""
    Console(stderr=True, soft_wrap=True).print(
        f"warning: {escape(sentence)}", style="yellow", highlight=False
    )


def note(sentence: str) -> None:
    """A sentence on standard error."""
    Console(stderr=True, soft_wrap=True).print(escape(sentence), highlight=False)


def complain(sentence: str) -> None:
    """What is wrong, on standard error, as it stands."""
    print(f"shoal: {sentence}", file=sys.stderr)


@contextmanager
def progress_bar(description: str, *, stoppable: bool = False) -> Iterator[Callback]:
    """A callback that draws a bar with the time left on standard error, once the work takes over a second.

    With `stoppable` the first Ctrl-C makes the callback return True: the work ends with the best so far.
    """
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = RichProgress(*columns, console=console, transient=True)
    task = bar.add_task(description, total=None)

    stop = threading.Event()

    def callback(progress: Progress) -> bool:
        text = f"{description}: {progress.message}" if progress.message else description
        bar.update(task, total=1.0, completed=progress.fraction, description=escape(text))
        return stop.is_set()

    timer = threading.Timer(PATIENCE, bar.start)
    if console.is_terminal:
        timer.start()
    try:
        with interrupt_sets(stop) if stoppable else nullcontext():
            yield callback
    finally:
        timer.cancel()
        if bar.live.is_started:
            bar.stop()


@contextmanager
def interrupt_sets(stop: threading.Event) -> Iterator[None]:
    """The first Ctrl-C sets the event; a second one interrupts as usual."""

    def note(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        stop.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
