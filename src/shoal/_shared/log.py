"""What shoal tells the log of a program: which function, how large a file, how long. Nothing of the file."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

logging.getLogger("shoal").addHandler(logging.NullHandler())
_depth: ContextVar[int] = ContextVar("depth", default=0)


@contextmanager
def told(function: Callable[..., Any], size: Callable[[], tuple[int, int] | None]) -> Iterator[None]:
    """Log how long the block took: INFO for what a program called itself, DEBUG for what that called in turn.

    The logger is that of the function's module. Names of columns, values, options, paths and words of errors
    are never logged: only the function, the number of records and columns, seconds and the kind of an error.

    >>> logging.getLogger("shoal").setLevel(logging.INFO)
    >>> with told(told, lambda: (10, 3)):
    ...     pass
    """
    logger = logging.getLogger(function.__module__)
    depth = _depth.get()
    level = logging.DEBUG if depth else logging.INFO
    if not logger.isEnabledFor(level):
        yield
        return
    start, before = time.perf_counter(), _depth.set(depth + 1)
    ended = ""
    try:
        yield
    except BaseException as error:
        ended = f", ended by {type(error).__name__}"
        raise
    finally:
        _depth.reset(before)
        found = size()
        of = "" if found is None else f" of {found[0]} records and {found[1]} columns"
        logger.log(level, "%s%s: %.3f s%s", function.__name__, of, time.perf_counter() - start, ended)
