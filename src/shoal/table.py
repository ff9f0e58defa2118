"""The table: a frame, and for every column its kind and its role."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_args

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from shoal._check import check_choice, check_names, check_width
from shoal._shared.cell_values import (
    as_floats,
    exact_cells,
    few_whole_numbers,
    has_fractions,
    is_missing,
    new_series,
    same_values,
    without_negative_zeros,
)
from shoal._shared.display import html_table
from shoal._shared.eager_frames import check_column_names, eager_frame
from shoal._shared.plain_types import plain_types
from shoal.errors import InvalidInput
from shoal.types import Kind, Order, Role

ROLES: tuple[Role, ...] = get_args(Role)
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Attribute:
    """One column: its name, its kind, its role and what is known about its values.

    Parameters
    ----------
    name
        The column's name.
    kind
        "numeric" (amounts: means make sense), "ordinal" (ranks: medians do) or "nominal" (names: only
        the most frequent value does).
    role
        "identifier" (names a record: never released unless asked), "quasi" (an intruder may know it: this
        is what is protected), "confidential" (what nobody should learn about a known person), "weight" (how
        many people of the population a record stands for), "household" (who lives together: k counts
        households), "stratum" (treated apart: never changed, always part of what an intruder knows), "other".
    order
        The categories of an ordinal column from lowest to highest; empty means sorted.
    hierarchy
        How categories generalise, for the methods that use it.
    label, value_labels
        The variable label and the meaning of codes, as statistical packages keep them.
    missing_codes
        Codes that its file declares to mean missing, with their labels; a range is a pair (lowest, highest).
    written
        How its file wrote its dates, ``%d.%m.%Y``, or its numbers where all have as many decimals, ``%.2f``.
    importance
        How much one would mind losing a cell (`suppress_to_k`).

    Examples
    --------
    >>> Attribute("education", "ordinal", "quasi", order=("low", "middle", "high")).role
    'quasi'
    """

    name: str
    kind: Kind
    role: Role = "other"
    order: tuple[Any, ...] = ()
    hierarchy: Any = None
    label: str = ""
    value_labels: Mapping[Any, str] = field(default_factory=dict, hash=False)
    missing_codes: Mapping[Any, str] = field(default_factory=dict, hash=False)
    written: str = ""
    importance: float = 1.0


@dataclass(frozen=True, repr=False, eq=False)
class Table:
    """A frame (pandas, polars or pyarrow) and one `Attribute` per column; never changed in place.

    Rows are positions: an index is never consulted.

    Examples
    --------
    >>> import polars as pl
    >>> table = as_table(pl.DataFrame({"age": [30, 41], "town": ["a", "b"]}), roles={"quasi": ["age"]})
    >>> table.names(role="quasi")
    ['age']
    >>> table.assign(age=[35.5, 35.5]).frame["age"].to_list()
    [35.5, 35.5]
    """

    frame: Any
    attributes: tuple[Attribute, ...]

    def __len__(self) -> int:
        return self._narwhal.shape[0]

    def __eq__(self, other: object) -> bool:
        """Whether names, kinds, roles and all values are the same; missing values are alike."""
        if not isinstance(other, Table) or self.attributes != other.attributes or len(self) != len(other):
            return False
        return all(same_values(self._narwhal[a.name], other._narwhal[a.name]) for a in self.attributes)

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        missing = self.missing()
        rows = [(a.name, a.kind, a.role, missing[a.name]) for a in self.attributes]
        return html_table(f"Table of {len(self)} records", ["column", "kind", "role", "missing"], rows)

    def __repr__(self) -> str:
        missing = self.missing()
        rows = [
            f"  {a.name}: {a.kind}, {a.role}" + (f", {missing[a.name]} missing" if missing[a.name] else "")
            for a in self.attributes
        ]
        return "\n".join([f"Table of {len(self)} records and {len(rows)} columns", *rows])

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.frame, self.attributes)

    @cached_property
    def _narwhal(self) -> nw.DataFrame[Any]:
        return nw.from_native(self.frame, eager_only=True)

    def names(self, role: Role | None = None, kind: Kind | None = None) -> list[str]:
        """Names of the columns, of one role or kind if given, in the order of the frame."""
        return [a.name for a in self.attributes if role in (None, a.role) and kind in (None, a.kind)]

    def attribute(self, name: str) -> Attribute:
        """The attribute of that name."""
        if name not in self._by_name:
            check_names(name, self.names())
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Attribute]:
        return {a.name: a for a in self.attributes}

    def column(self, name: str) -> NDArray[Any]:
        """The values of a column: float64 with NaN where missing if numeric, else objects with None."""
        attribute = self.attribute(name)
        series = self._narwhal[name]
        if attribute.kind == "numeric":
            return as_floats(series)
        return exact_cells(series)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """The numbers of a column, whatever its kind, as float64; NaN where missing."""
        self.attribute(name)
        return as_floats(self._narwhal[name])

    def cells(self, name: str) -> NDArray[Any]:
        """The values of a column as Python objects, exactly as they are; None where missing."""
        self.attribute(name)
        return exact_cells(self._narwhal[name])

    def is_integer(self, name: str) -> bool:
        """Whether the column holds whole numbers by type."""
        self.attribute(name)
        return bool(self._narwhal[name].dtype.is_integer())

    def is_number(self, name: str) -> bool:
        """Whether the column holds numbers by type, whatever its kind."""
        self.attribute(name)
        return bool(self._narwhal[name].dtype.is_numeric())

    def missing(self) -> dict[str, int]:
        """Number of missing cells of every column."""
        frame = self._narwhal
        return {name: int(is_missing(frame[name]).sum()) for name in self.names()}

    def assign(self, /, **columns: Any) -> Table:
        """A new table with these columns replaced; row count, names, roles and column order stay."""
        check_names(columns, self.names())
        frame = self._narwhal
        series = [new_series(frame, name, values) for name, values in columns.items()]
        frame = frame.with_columns(*series)
        schema = frame.schema
        attributes = tuple(
            replace(a, kind="nominal") if a.kind == "numeric" and not schema[a.name].is_numeric() else a
            for a in self.attributes
        )
        return Table(frame.to_native(), attributes)

    def select(self, names: Iterable[str]) -> Table:
        """A new table with only these columns."""
        wanted = check_names(names, self.names())
        return Table(self._narwhal.select(wanted).to_native(), tuple(self.attribute(n) for n in wanted))

    def take(self, rows: ArrayLike) -> Table:
        """A new table with the records at these positions, in this order, or those where `rows` is true."""
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        elif chosen.size and chosen.dtype.kind not in "iu":
            raise InvalidInput("`rows` must be positions (whole numbers) or a truth value per record.")
        return Table(self._narwhal[chosen.tolist()].to_native(), self.attributes)


def as_table(
    frame: Any,
    *,
    roles: Mapping[Role, Iterable[str] | str] | None = None,
    kinds: Mapping[str, Kind | Order] | None = None,
) -> Table:
    """Wrap a frame of pandas, polars or pyarrow (or a dict of columns) as a `Table`.

    Parameters
    ----------
    frame
        The frame; a `Table` gets new roles and kinds. A dict of columns, a numpy array with named fields, a
        lazy frame (polars, DuckDB, dask: collected, with a warning) and anything that speaks Arrow become a
        polars frame.
    roles
        Column names by role: ``{"quasi": ["age", "income"], "identifier": "name"}``. They replace the roles
        a `Table` had: columns not named are "other". At most one column each is "weight" and "household".
    kinds
        Kind by column name where the inferred one is wrong (numbers are numeric, but ordinal where 100
        records or more hold at most 20 different whole numbers; dates and ordered categories ordinal; text,
        booleans and other categories nominal). A sequence of categories makes the column ordinal in that
        order: ``{"education": ["low", "middle", "high"]}``.

    Returns
    -------
    Table

    Notes
    -----
    Values are not copied, but -0.0 becomes 0.0, and types that only one library knows (intervals, periods,
    sparse columns, Arrow's views) become plain ones. Missing values (null, None, NaN) are counted and kept;
    no number such as -999 is ever taken as missing. Of few whole numbers (grades, rooms, codes) the centre of
    a group is one that exists: 3 or 4, never 3.5; a weight is numeric all the same.

    Examples
    --------
    >>> as_table({"age": [30, None], "town": ["a", "b"]}, roles={"quasi": ["age"]})
    Table of 2 records and 2 columns
      age: numeric, quasi, 1 missing
      town: nominal, other
    """
    attributes = {a.name: a for a in frame.attributes} if isinstance(frame, Table) else {}
    narwhal = frame._narwhal if isinstance(frame, Table) else _as_narwhal(frame)
    names = narwhal.columns
    for name in names:
        if name not in attributes:
            attributes[name] = _infer(narwhal[name])
    if roles is not None:  # the roles given are all there are
        attributes = {name: replace(attributes[name], role="other") for name in names}
    for role, members in (roles or {}).items():
        known: Role = check_choice("role", role, ROLES)
        for name in check_names(members, names):
            attributes[name] = replace(attributes[name], role=known)
            if known == "weight" and narwhal[name].dtype.is_numeric() and not attributes[name].order:
                attributes[name] = replace(attributes[name], kind="numeric")
    _refuse_two_roles(roles or {})
    _refuse_two_columns(roles or {})
    check_names(kinds or (), names)
    for name, kind in (kinds or {}).items():
        attributes[name] = _with_kind(attributes[name], kind)
        _check_values(attributes[name], narwhal[name])
    return Table(narwhal.to_native(), tuple(attributes[name] for name in names))


def _as_narwhal(frame: Any) -> nw.DataFrame[Any]:
    frame = eager_frame(frame)
    try:
        narwhal: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    except nw.exceptions.DuplicateError as error:
        raise InvalidInput("Two columns have the same name; rename one of them.") from error
    except TypeError as error:
        raise InvalidInput(
            f"A frame of pandas, polars or pyarrow is needed, got {type(frame).__name__}."
        ) from error
    check_column_names(narwhal.columns)
    if not narwhal.columns:
        raise InvalidInput("The file has no columns; at least one is needed.")
    check_width(len(narwhal.columns))
    return without_negative_zeros(plain_types(narwhal))


def with_same_kinds(
    original: Table, masked: Table, *, declared: Collection[str] | None = None
) -> tuple[Table, Table]:
    """Two files of one thing: columns of numbers are of the original's kind in the masked file too.

    How many different values a file happens to hold must not make one column two things. Whole numbers of
    the original that nobody `declared` to be codes are amounts if the masked file has fractions there; None
    means that its kinds are decided.

    >>> before, after = as_table({"age": list(range(100))}), as_table({"age": [20, 70] * 50})
    >>> after.attribute("age").kind, with_same_kinds(before, after)[1].attribute("age").kind
    ('ordinal', 'numeric')
    """
    frame = masked._narwhal
    numbers = [n for n in masked.names() if n in original._by_name and frame[n].dtype.is_numeric()]
    if declared is not None:
        averaged = [
            name
            for name in numbers
            if name not in declared
            and original.attribute(name).kind == "ordinal"
            and not original.attribute(name).order
            and original._narwhal[name].dtype.is_numeric()
            and has_fractions(frame[name])
        ]
        original = as_table(original, kinds=dict.fromkeys(averaged, "numeric"))
    known = {name: original.attribute(name) for name in numbers}
    attributes = tuple(
        replace(a, kind=known[a.name].kind, order=a.order or known[a.name].order) if a.name in known else a
        for a in masked.attributes
    )
    return original, Table(masked.frame, attributes)


def with_roles_of(original: Table, masked: Table) -> Table:
    """The masked table with the roles of the original, if it has none: files and frames come without.

    Households and strata count in every k, also in that of a file somebody reads again.

    >>> original = as_table({"age": [30], "home": [1]}, roles={"household": "home"})
    >>> with_roles_of(original, as_table({"age": [30], "home": [1]})).names("household")
    ['home']
    """
    if any(attribute.role != "other" for attribute in masked.attributes):
        return masked
    known = {attribute.name: attribute.role for attribute in original.attributes}
    return Table(masked.frame, tuple(replace(a, role=known.get(a.name, "other")) for a in masked.attributes))


def _infer(series: nw.Series[Any]) -> Attribute:
    name, dtype = series.name, series.dtype
    if dtype.is_numeric():
        return Attribute(name, "ordinal" if few_whole_numbers(series) else "numeric")
    if isinstance(dtype, nw.Enum):
        return Attribute(name, "ordinal", order=tuple(dtype.categories))
    return Attribute(name, "ordinal" if dtype.is_temporal() else "nominal")


def _with_kind(attribute: Attribute, kind: Kind | Order) -> Attribute:
    if isinstance(kind, str):
        known: Kind = check_choice(f"kind of {attribute.name}", kind, KINDS)
        return replace(attribute, kind=known, order=attribute.order if kind == "ordinal" else ())
    return replace(attribute, kind="ordinal", order=tuple(kind))


def _check_values(attribute: Attribute, series: nw.Series[Any]) -> None:
    """Refuse text in a numeric column and categories outside a given order, by position, never by value."""
    if attribute.kind == "numeric" and not (series.dtype.is_numeric() or series.dtype == nw.Boolean()):
        if is_missing(series).all():
            return
        bad = np.array([not _is_number(value) for value in series.to_list()])
        where = f" (first at row {int(np.argmax(bad))})" if bad.any() else ""
        raise InvalidInput(
            f"Column {attribute.name!r} cannot be numeric: it holds text{where}; mend the file "
            "or leave it nominal."
        )
    if attribute.order:
        known = set(attribute.order)
        if len(known) < len(attribute.order):
            raise InvalidInput(
                f"The order of column {attribute.name!r} names a category twice; name it once."
            )
        outside = np.array([v not in known for v in series.to_list()]) & ~is_missing(series)
        if outside.any():
            raise InvalidInput(
                f"Column {attribute.name!r} has a category at row {int(np.argmax(outside))} that its order "
                "does not name; add it to the order."
            )


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return value is None
    return True


def _refuse_two_columns(roles: Mapping[Role, Iterable[str] | str]) -> None:
    for role in ("weight", "household"):
        members = roles.get(role, ())
        if not isinstance(members, str) and len(list(members)) > 1:
            raise InvalidInput(f"At most one column has the role {role}; name one.")


def _refuse_two_roles(roles: Mapping[Role, Iterable[str] | str]) -> None:
    seen: dict[str, str] = {}
    for role, members in roles.items():
        for name in [members] if isinstance(members, str) else members:
            if name in seen:
                raise InvalidInput(f"Column {name!r} has two roles, {seen[name]} and {role}; give it one.")
            seen[name] = role
