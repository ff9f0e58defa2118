"""Work that the measures of one evaluation share, such as reading the cells of a column, is done once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar, cast

from shoal.table import Table

F = TypeVar("F", bound=Callable[..., Any])
# what was asked, which is held so that no other table takes its place in memory, and the answer
Kept = dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]]
_KEPT: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def shared_work() -> Iterator[None]:
    """Within this block a function that is `once` answers the same question about the same tables once.

    Nothing outlives the block, since the frame below a table may change after it; a block within another
    one shares with it, other threads and processes do not.
    """
    if _KEPT.get() is not None:
        yield
        return
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def once(function: F) -> F:
    """A function of tables and names whose answers are kept within `shared_work`; nobody changes them.

    >>> from shoal import as_table
    >>> @once
    ... def size(table):
    ...     print("counted")
    ...     return len(table)
    >>> table = as_table({"age": [30, 41]})
    >>> with shared_work():
    ...     size(table) + size(table)
    counted
    4
    """

    @wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        kept = _KEPT.get()
        if kept is None:
            return function(*given, **options)
        question = (function, *map(_asked, given), *((name, _asked(one)) for name, one in options.items()))
        if question not in kept:
            kept[question] = (given, function(*given, **options))
        return kept[question][1]

    return cast(F, called)


def _asked(one: Any) -> Any:
    """A table by its place in memory, a list by what it holds."""
    return id(one) if isinstance(one, Table) else tuple(one) if isinstance(one, list | set | dict) else one
