"""Workers: an int becomes that many new processes for the time of one call; any map-like callable is one."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import wraps
from multiprocessing import get_context, pool
from typing import Any, TypeVar, cast

from shoal.errors import InvalidInput
from shoal.types import MapLike, Workers

F = TypeVar("F", bound=Callable[..., Any])


def pooled(function: F) -> F:
    """A function whose `workers` may be an int: it gets a map over that many processes, gone when it ends.

    >>> @pooled
    ... def doubled(values, *, workers=map):
    ...     return list(workers(abs, values))
    >>> doubled([-1, 2], workers=1)
    [1, 2]
    """

    @wraps(function)
    def called(*arguments: Any, **options: Any) -> Any:
        if options.get("workers", map) is map:
            return function(*arguments, **options)
        with worker_map(options.pop("workers")) as mapped:
            return function(*arguments, workers=mapped, **options)

    return cast(F, called)


def as_map(workers: Workers) -> MapLike:
    """The map that `pooled` made of workers."""
    if not callable(workers):
        raise InvalidInput(f"`workers` must be a whole number or a map-like callable, got {workers!r}.")
    return workers


@contextmanager
def worker_map(workers: Workers) -> Iterator[MapLike]:
    """A map over so many new processes, or the callable that was given.

    New processes begin from nothing ("spawn"): a fork would copy threads that no longer run, and hang.

    >>> with worker_map(1) as mapped:
    ...     list(mapped(abs, [-1, 2]))
    [1, 2]
    """
    if callable(workers):
        _refuse_fork(workers)
        yield workers
        return
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise InvalidInput(
            f"`workers` must be a whole number of at least 1 or a map-like callable, got {workers!r}."
        )
    count = min(workers, os.cpu_count() or 1)
    if count == 1:
        yield map
        return
    spawn = get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=spawn, initializer=_leave_ctrl_c) as executor:
        try:
            yield _spoken(executor.map)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _leave_ctrl_c() -> None:
    """Ctrl-C is for the process that collects; its helpers end when it has no more work for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _spoken(mapped: MapLike) -> MapLike:
    """The map of a pool, whose troubles are one sentence."""

    def call(function: Callable[..., Any], tasks: Iterable[Any]) -> Iterator[Any]:
        try:
            yield from mapped(function, tasks)
        except BrokenProcessPool as error:
            raise InvalidInput(
                "The workers could not start or were ended; in a script put the call below "
                'if __name__ == "__main__":, and give fewer workers if memory is short.'
            ) from error
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            if "pickle" not in str(error).lower() and "local object" not in str(error):
                raise
            raise InvalidInput(
                "A function that is made inside another one, or a lambda, cannot travel to other processes; "
                "write it at the top of a module, or give workers=map."
            ) from error

    return call


def _refuse_fork(workers: Callable[..., Any]) -> None:
    """A forked pool hangs sooner or later: polars and numba have threads that a fork leaves behind."""
    owner = getattr(workers, "__self__", None)
    context = None
    if isinstance(owner, ProcessPoolExecutor):
        context = getattr(owner, "_mp_context", None)
    elif isinstance(owner, pool.Pool) and not isinstance(owner, pool.ThreadPool):
        context = getattr(owner, "_ctx", None)
    if context is not None and context.get_start_method() == "fork":
        raise InvalidInput(
            "This pool forks its processes, which hangs; give workers=4, or a pool made with "
            'mp_context=multiprocessing.get_context("spawn").'
        )
