"""Maskers on part of a file: the records that `where` chooses are masked, the others stay as they are."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeAlias, TypeVar, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from shoal.edits import EditRule, read_edit
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.hierarchy.tree import as_text
from shoal.masking.households.household_variables import household_of, household_variables
from shoal.table import Table, as_table

F = TypeVar("F", bound=Callable[..., Table])
Where: TypeAlias = str | EditRule | Iterable[bool] | Callable[[Table], Iterable[bool]]
LAST = ("columns", "rng", "workers", "callback")


def takes_where(masker: F) -> F:
    """The masker with one more option, `where`: which records it masks; the others stay as they are.

    A condition such as ``industry == "mining" and turnover > 1000``, one truth value per record, or a
    function of the table that gives them. k then holds among the records chosen; whoever counts the file
    counts the others as they are.
    """

    @wraps(masker)
    def masked(table: Any, *, where: Where | None = None, **options: Any) -> Any:
        if where is None:
            return masker(table, **options)
        whole = table if isinstance(table, Table) else as_table(table)
        rows = rows_where(whole, where)
        if not len(rows):
            warnings.warn(
                f"`where` chooses no record, so that {masker.__name__} masked nothing.",
                PrivacyWarning,
                stacklevel=2,
            )
            return table
        part = whole.take(rows)
        _refuse_split_households(whole, rows, options.get("columns"))
        done = put_back(whole, part, masker(part, **options), rows)
        return done if isinstance(table, Table) else _as_given(done, table)

    signature = inspect.signature(masker)
    parameters = list(signature.parameters.values())
    option = inspect.Parameter(
        "where", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Where | None"
    )
    place = next((i for i, p in enumerate(parameters) if p.name in LAST), len(parameters))
    parameters.insert(place, option.replace(annotation="Where | None"))
    masked.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return cast(F, masked)


def rows_where(table: Table, where: Where) -> NDArray[np.intp]:
    """The positions of the records that a condition, truth values or a function of the table choose.

    A comparison with a missing cell does not hold.

    >>> rows_where(as_table({"age": [70, 30, None]}), "age >= 65").tolist()
    [0]
    """
    if isinstance(where, str):
        where = read_edit(where)
    if isinstance(where, EditRule):
        return np.flatnonzero(where.holds(table))
    chosen = np.asarray(where(table) if callable(where) else list(where))
    if chosen.dtype != bool or chosen.shape != (len(table),):
        raise InvalidInput(
            "`where` needs a condition, such as 'age >= 65', or one truth value for each of the "
            f"{len(table)} records."
        )
    return np.flatnonzero(chosen)


def put_back(whole: Table, part: Table, done: Table, rows: NDArray[np.intp]) -> Table:
    """The whole table with the masked records of a part in their places.

    A column that became text in the part becomes text for all.

    >>> whole = as_table({"age": [20, 30, 70]})
    >>> rows = np.array([2])
    >>> put_back(whole, whole.take(rows), as_table({"age": ["65+"]}), rows).frame["age"].to_list()
    ['20', '30', '65+']
    """
    changed: dict[str, NDArray[Any]] = {}
    for name in part.names():
        new = done.cells(name)
        if part.attribute(name) == done.attribute(name) and np.array_equal(part.cells(name), new):
            continue
        cells = whole.cells(name)
        cells[rows] = new
        known = [value for value in cells if value is not None]
        if any(isinstance(value, str) for value in known) and not all(isinstance(v, str) for v in known):
            cells = np.array([None if value is None else as_text(value) for value in cells], dtype=object)
        changed[name] = cells
    together = whole.assign(**changed)
    attributes = [
        replace(done.attribute(a.name), kind=_kind(a.kind, done.attribute(a.name).kind))
        if a.name in changed
        else a
        for a in together.attributes
    ]
    return Table(together.frame, tuple(attributes))


def _kind(together: Any, masked: Any) -> Any:
    """A column of which some cells are text is nominal, whatever the masked ones alone would be."""
    return "nominal" if together == "nominal" else masked


def _refuse_split_households(whole: Table, rows: NDArray[np.intp], columns: Any) -> None:
    """What a household shares can only be masked for all of its members."""
    if not whole.names(role="household"):
        return
    names = (
        whole.names(role="quasi") if columns is None else [columns] if isinstance(columns, str) else columns
    )
    shared = household_variables(whole, columns=list(names))
    homes = household_of(whole)
    chosen = np.zeros(len(whole), dtype=bool)
    chosen[rows] = True
    split = ~chosen & np.isin(homes, homes[rows])
    if shared and split.any():
        raise InvalidInput(
            f"`where` chooses only some members of the household of row {int(np.argmax(split))}, but column "
            f"{shared[0]!r} is the household's; choose whole households, or leave it out of `columns`."
        )


def _as_given(done: Table, given: Any) -> Any:
    if isinstance(given, dict):
        return nw.from_native(done.frame, eager_only=True).to_dict(as_series=False)
    return done.frame
