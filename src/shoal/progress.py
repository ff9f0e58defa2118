"""A progress bar as a callback: in a notebook, on a terminal, and nothing where nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from shoal.types import Callback, Progress

EVERY = 0.2  # seconds between two pictures of a bar


@contextmanager
def progress_bar(description: str = "working") -> Iterator[Callback]:
    """A callback for every function that has one, which shows how far the work is.

    Parameters
    ----------
    description
        What is being done.

    Returns
    -------
    Iterator of Callback
        To be used with ``with``; the bar is gone when the block ends.

    Notes
    -----
    In a notebook the bar is plain HTML and needs no extension; on a terminal it is drawn by rich on standard
    error; elsewhere (a pipe, a log) nothing is written. The bar never stops the work; interrupt the kernel
    for that.

    Examples
    --------
    >>> from shoal import as_table, microaggregate
    >>> table = as_table({"age": [20, 22, 61, 63]}, roles={"quasi": ["age"]})
    >>> with progress_bar("protecting") as callback:
    ...     masked = microaggregate(table, k=2, callback=callback)
    >>> masked.frame["age"].to_list()
    [21.0, 21.0, 62.0, 62.0]
    """
    with _in_notebook(description) if _is_notebook() else _on_terminal(description) as callback:
        yield callback


def _is_notebook() -> bool:
    """Whether a kernel of Jupyter runs this; asked without importing IPython."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def _in_notebook(description: str) -> Iterator[Callback]:
    from IPython import display as shown

    HTML: Any = shown.HTML
    display: Any = shown.display
    handle: Any = display(HTML(bar_html(description, 0.0)), display_id=True)
    last = time.monotonic()

    def callback(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last < EVERY:
            return
        last = time.monotonic()
        text = f"{description}: {progress.message}" if progress.message else description
        handle.update(HTML(bar_html(text, progress.fraction)))

    try:
        yield callback
    finally:
        handle.update(HTML(""))


def bar_html(text: str, fraction: float) -> str:
    """A bar as a notebook shows it.

    >>> bar_html("a < b", 0.5)
    '<progress max="1" value="0.500"></progress> 50.0 % a &lt; b'
    """
    share = min(max(fraction, 0.0), 1.0)
    return f'<progress max="1" value="{share:.3f}"></progress> {share:.1%} '.replace("%", " %") + escape(text)


@contextmanager
def _on_terminal(description: str) -> Iterator[Callback]:
    from rich.console import Console
    from rich.markup import escape as plain
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(plain(description), total=None)

        def callback(progress: Progress) -> None:
            text = f"{description}: {progress.message}" if progress.message else description
            bar.update(task, total=1.0, completed=progress.fraction, description=plain(text))

        yield callback
