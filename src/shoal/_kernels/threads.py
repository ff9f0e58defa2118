"""How many threads are worth starting, and two calls at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeAlias

Both: TypeAlias = Callable[[Callable[..., Any], Iterable[Any]], tuple[Any, Any]]

NUMBERS_PER_THREAD = 1 << 19  # numbers a thread should have to read, or starting it takes longer


def useful_threads(numbers: int) -> int:
    """As many as there are processors, unless there is too little to read for so many."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, numbers // NUMBERS_PER_THREAD))


@contextmanager
def two_at_once() -> Iterator[Both]:
    """A `map` for two tasks, one of them done by the caller's thread.

    Two threads that wake up while their caller falls asleep often share a processor for some milliseconds.
    """
    with ThreadPoolExecutor(1) as helper:

        def both(step: Callable[..., Any], tasks: Iterable[Any]) -> tuple[Any, Any]:
            first, second = tasks
            other = helper.submit(step, second)
            return step(first), other.result()

        yield both
