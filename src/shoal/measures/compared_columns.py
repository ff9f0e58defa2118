"""Which columns a measure compares, and that the two files fit together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shoal._check import check_names
from shoal.errors import InvalidInput, NotApplicable
from shoal.table import Table
from shoal.types import Kind

BYSTANDERS = ("identifier", "weight", "household")  # roles never compared unless asked for


def compared_columns(
    original: Table,
    masked: Table,
    columns: Iterable[str] | None = None,
    *,
    kinds: tuple[Kind, ...] = ("numeric", "ordinal", "nominal"),
) -> list[str]:
    """The columns to compare: those asked for, else the quasi-identifiers, else all but identifiers.

    Only columns of these kinds count; none left is `NotApplicable`.

    >>> from shoal import as_table
    >>> table = as_table({"age": [1, 2], "town": ["a", "b"]}, roles={"quasi": ["age", "town"]})
    >>> compared_columns(table, table, kinds=("numeric",))
    ['age']
    """
    if len(original) != len(masked):
        raise InvalidInput(
            f"The files have {len(original)} and {len(masked)} records; they must correspond row by row. "
            "What one file alone can show is counted by check(masked, Promise(k=...)) or `shoal check`."
        )
    if not len(original):
        raise NotApplicable("The file has no records.")
    names = _asked_or_known(original, columns)
    check_names(names, masked.names(), what="column of the masked file")
    fitting = [name for name in names if original.attribute(name).kind in kinds]
    if not fitting:
        raise NotApplicable(f"No compared column is {' or '.join(kinds)}.")
    return fitting


def with_strata(original: Table, masked: Table, names: Sequence[str]) -> list[str]:
    """The columns, and the strata that an intruder knows as well.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30], "area": ["n"]}, roles={"quasi": "age", "stratum": "area"})
    >>> with_strata(table, table, ["age"])
    ['age', 'area']
    """
    both = [name for name in original.names() if name in masked.names() and name not in names]
    roles = {name: (original.attribute(name).role, masked.attribute(name).role) for name in both}
    return [*names, *(name for name in both if "stratum" in roles[name])]


def intruder_columns(original: Table, masked: Table, columns: Iterable[str] | None = None) -> list[str]:
    """What an intruder knows: the columns asked for, else those to compare and the strata.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30], "area": ["n"]}, roles={"quasi": "age", "stratum": "area"})
    >>> intruder_columns(table, table), intruder_columns(table, table, ["age"])
    (['age', 'area'], ['age'])
    """
    names = compared_columns(original, masked, columns)
    return names if columns is not None else with_strata(original, masked, names)


def comparable_columns(
    original: Table,
    masked: Table,
    columns: Iterable[str] | None = None,
    *,
    kinds: tuple[Kind, ...] = ("numeric", "ordinal", "nominal"),
) -> list[str]:
    """The compared columns, if their values can be compared: numbers that became text cannot.

    >>> from shoal import as_table
    >>> comparable_columns(as_table({"age": [21, 22]}), as_table({"age": ["20-29", "20-29"]}))
    Traceback (most recent call last):
    ...
    shoal.errors.NotApplicable: Column 'age' is numeric in the original and categorical in the masked file.
    """
    names = compared_columns(original, masked, columns, kinds=kinds)
    changed = [name for name in names if became_text(original, masked, name)]
    if changed:
        raise NotApplicable(
            f"Column {changed[0]!r} is numeric in the original and categorical in the masked file."
        )
    return names


def became_text(original: Table, masked: Table, name: str) -> bool:
    """Whether masking turned numbers into categories, such as intervals.

    >>> from shoal import as_table
    >>> became_text(as_table({"age": [21, 22]}), as_table({"age": ["20-29", "20-29"]}), "age")
    True
    """
    return original.attribute(name).kind == "numeric" and masked.attribute(name).kind != "numeric"


def _asked_or_known(original: Table, columns: Iterable[str] | None) -> list[str]:
    if columns is not None:
        return check_names(columns, original.names())
    return original.names(role="quasi") or [a.name for a in original.attributes if a.role not in BYSTANDERS]
