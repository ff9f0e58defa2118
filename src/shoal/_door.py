"""The door for plain frames: wherever a table is wanted a frame will do, and a frame comes back."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

import narwhals as nw

from shoal._shared.log import told
from shoal.table import Table, as_table, with_same_kinds

F = TypeVar("F", bound=Callable[..., Any])


def takes_frames(function: F) -> F:
    """A function that wants a `Table` takes a frame of pandas, polars or pyarrow, or a dict of columns, too.

    A plain frame has no roles, so `columns=` names what the function is about. Tables among the results
    become frames of the library that came in, where the first table was a plain frame.

    >>> import polars as pl
    >>> @takes_frames
    ... def same(table: "Table") -> "Table":
    ...     return table
    >>> same({"age": [30, 41]}), same(pl.DataFrame({"age": [30, 41]})).shape
    ({'age': [30, 41]}, (2, 1))
    """
    parameters = inspect.signature(function).parameters
    always = {name for name, p in parameters.items() if p.annotation == "Table"}
    places = {
        name: place
        for place, (name, p) in enumerate(parameters.items())
        if name in always or str(p.annotation).startswith("Table |")
    }

    @wraps(function)
    def called(*arguments: Any, **options: Any) -> Any:
        given, plain = list(arguments), None
        first: tuple[Any, Any, bool] | None = None  # where the first one is, and whether it came plain
        for name, place in places.items():
            holder: Any = given if place < len(given) else options
            key: Any = place if place < len(given) else name
            if holder is options and name not in options:
                continue
            value = holder[key]
            wrapped = not isinstance(value, Table) and (name in always or _is_frame(value))
            if wrapped:
                holder[key] = as_table(value)
            if first is None:
                first, plain = (holder, key, wrapped), value if wrapped else None
            elif wrapped and isinstance(first[0][first[1]], Table):
                _same_kinds(first, holder, key)
        with told(function, lambda: _size(first)):
            result = function(*given, **options)
        return result if plain is None else _unwrapped(result, isinstance(plain, Mapping))

    called.takes_frames = True  # type: ignore[attr-defined]
    return cast(F, called)


def _size(first: tuple[Any, Any, bool] | None) -> tuple[int, int] | None:
    """Records and columns of the first table, if there is one."""
    table = None if first is None else first[0][first[1]]
    return (len(table), len(table.attributes)) if isinstance(table, Table) else None


def _same_kinds(first: tuple[Any, Any, bool], holder: Any, key: Any) -> None:
    """What the second frame holds is of the kind it has in the first one."""
    where, place, plain = first
    where[place], holder[key] = with_same_kinds(where[place], holder[key], declared=() if plain else None)


def _is_frame(value: Any) -> bool:
    return isinstance(value, Mapping) or nw.dependencies.is_into_dataframe(value)


def _unwrapped(result: Any, as_dict: bool) -> Any:
    """The result with frames (or dicts of columns) in place of its tables."""
    if isinstance(result, Table):
        frame = nw.from_native(result.frame, eager_only=True)
        return frame.to_dict(as_series=False) if as_dict else result.frame
    if type(result) in (tuple, list):
        return type(result)(_unwrapped(item, as_dict) for item in result)
    return result
