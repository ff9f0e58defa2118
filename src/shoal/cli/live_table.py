"""A table of candidates that grows while an exploration runs, above its progress bar."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Table as RichTable

from shoal.cli import console
from shoal.types import Callback, Progress
from shoal.workflow.explore import HEADER, Exploration

SHOWN = 30  # rows of the live table; the whole table follows when the work is done


@contextmanager
def live_exploration(description: str) -> Iterator[Callback]:
    """A callback that draws what was found so far on standard error; a first Ctrl-C makes it return True."""
    screen, stop = Console(stderr=True), threading.Event()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = RichProgress(*columns, console=screen)
    task = bar.add_task(description, total=1.0)
    view = Live(bar, console=screen, transient=True, auto_refresh=screen.is_terminal)
    shown: Exploration | None = None

    def callback(progress: Progress) -> bool:
        nonlocal shown
        what = "stopping (Ctrl-C again stops at once)" if stop.is_set() else progress.message or description
        bar.update(task, completed=progress.fraction, description=escape(what))
        if screen.is_terminal and progress.best is not shown:
            shown = progress.best
            view.update(Group(_drawn(progress.best), bar))
        return stop.is_set()

    with console.interrupt_sets(stop):
        if screen.is_terminal:
            with view:
                yield callback
        else:
            yield callback


def _drawn(found: Exploration | None) -> Any:
    table = RichTable(title_justify="left")
    for position, name in enumerate(HEADER):
        table.add_column(name, justify="right" if position else "left")
    rows = found.rows() if found else []
    if len(rows) > SHOWN:
        table.title = f"the last {SHOWN} of {len(rows)}"
    for row in rows[-SHOWN:]:
        table.add_row(*map(escape, row), style="bold" if row[-1] == "*" else "")
    return table
