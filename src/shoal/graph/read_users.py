"""The users of a network: their names, and every other column with its kind and role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from shoal._check import check_names
from shoal._shared.eager_frames import eager_frame
from shoal.errors import InvalidInput
from shoal.graph.tidy_edges import count, say
from shoal.hierarchy import with_hierarchies
from shoal.table import Table, as_table
from shoal.types import Kind, Order, Role

OWN = ("user", "location", "topics")
NAMING = 0.9  # share of different texts from which a column names users: two people may have one name
Roles = Mapping[Role, Iterable[str] | str]
Kinds = Mapping[str, Kind | Order]


def frame_of(given: Any, what: str) -> pl.DataFrame:
    """Any frame, or a dict of columns, as a polars frame.

    >>> frame_of({"user": ["ana"]}, "users").shape
    (1, 1)
    """
    if isinstance(given, Table):
        given = given.frame
    try:
        frame: pl.DataFrame = nw.from_native(eager_frame(given), eager_only=True).to_polars()
    except TypeError:
        raise InvalidInput(f"The {what} need a frame of pandas, polars or pyarrow, or a dict.") from None
    return frame


def as_names(column: pl.Series) -> pl.Series:
    """Names as text; whole numbers that are floats, as pandas makes them, are whole again.

    >>> as_names(pl.Series([7.0, 8.0])).to_list()
    ['7', '8']
    """
    if column.dtype.is_float() and (column.is_null() | (column == column.round())).all():
        column = column.cast(pl.Int64, strict=False)
    return column.cast(pl.String)


def user_names(column: pl.Series) -> pl.Series:
    """The names as text: everybody has one, nobody has another's.

    >>> user_names(pl.Series([7, 8])).to_list()
    ['7', '8']
    """
    names = as_names(column)
    if names.null_count():
        row = int(np.argmax(names.is_null().to_numpy()))
        raise InvalidInput(f"The user of row {row} has no name; give every user one.")
    if names.n_unique() < len(names):
        row = int(np.argmax(~names.is_first_distinct().to_numpy()))
        raise InvalidInput(f"The user of row {row} is there twice; keep one row per user.")
    return names


def with_everybody(users: pl.DataFrame, found: pl.Series, where: str) -> pl.DataFrame:
    """The users and, without anything known of them, those who are found elsewhere only.

    >>> with_everybody(pl.DataFrame({"user": ["a", "b"]}), pl.Series(["b", "a"]), "edges")["user"].to_list()
    ['a', 'b']
    """
    new = found.drop_nulls().unique(maintain_order=True)
    new = new.filter(~new.is_in(users["user"].to_list()))
    if not len(new):
        return users
    say(f"{count(len(new), 'user')} only in the {where}; they are kept, and nothing is known of them.")
    return pl.concat([users, pl.DataFrame({"user": new})], how="diagonal")


def other_columns(
    frame: pl.DataFrame,
    known: Table | None,
    roles: Roles | None,
    kinds: Kinds | None,
    hierarchies: Mapping[str, Any] | None,
) -> Table | None:
    """Everything that is known of users besides location and topics, to be protected unless said otherwise.

    Columns that no role names are quasi-identifiers; a text different for nine users of ten names them.
    """
    names = [name for name in frame.columns if name not in OWN]
    if not names:
        check_names([*(hierarchies or ()), *(kinds or ())], names, what="column of users besides location")
        return None
    table = as_table(frame.select(names), kinds=kinds)
    if known is not None:  # kinds that a file or its owner has declared
        declared = {a.name: (a.order or a.kind) for a in known.attributes if a.name in names}
        table = as_table(table, kinds={**declared, **(kinds or {})})
    given = {role: [name] if isinstance(name, str) else list(name) for role, name in (roles or {}).items()}
    named = check_names([name for some in given.values() for name in some], names)
    free = [name for name in names if name not in named]
    naming = [name for name in free if frame[name].dtype == pl.String and _names_users(frame[name])]
    if naming:
        say(f"Different for (nearly) every user, so taken as a name, not released: {', '.join(naming[:5])}.")
    given["identifier"] = [*given.get("identifier", ()), *naming]
    given["quasi"] = [*given.get("quasi", ()), *(name for name in free if name not in naming)]
    grown = with_hierarchies(as_table(table, roles=given), hierarchies)
    return as_table(grown, kinds=dict.fromkeys(hierarchies or (), "nominal"))  # generalised, not averaged


def _names_users(column: pl.Series) -> bool:
    values = column.drop_nulls()
    return len(values) > 2 and values.n_unique() >= NAMING * len(values)
