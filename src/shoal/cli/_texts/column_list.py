"""The list of columns that is shown before anything is masked: a wrong kind or role is seen in time."""

from __future__ import annotations

from collections.abc import Collection

from shoal.cli import console
from shoal.encode.categories import categorise
from shoal.table import Table
from shoal.workflow.suggest_roles import is_code_by_name, is_few_whole_numbers, suggest_roles

HEADER = ("column", "kind", "why", "role", "different", "missing")
SHOWN = 40  # columns; a file with more is not read line by line


def show_columns(
    table: Table, declared: Collection[str], called: str = "", renumbered: Collection[str] = ()
) -> None:
    """Every column on standard error, then, once, what is released without a role as it is."""
    names = table.names()[:SHOWN]
    rows = []
    for name in names:
        codes, categories = categorise(table, name)
        attribute = table.attribute(name)
        why = "declared" if name in declared else _why(table, name)
        cells = (name, attribute.kind, why, attribute.role, len(categories), int((codes < 0).sum()))
        rows.append(tuple(map(str, cells)))
    more = len(table.names()) - len(names)
    unlisted = f"; {more} more columns are not listed" if more else ""
    title = f"{called}{': ' if called else ''}{len(table)} records{unlisted}"
    console.show_table(title, HEADER, rows, numbers=2, error=True)
    if not more:
        _warn_of_undeclared(table, renumbered)
    by_name = [name for name in table.names() if name not in declared and is_code_by_name(table, name)]
    if by_name:
        console.warn(
            f"By name these numbers are codes, not amounts: {', '.join(by_name)}. With --nominal "
            f"{','.join(by_name)} a code that exists is released, never a mean."
        )


def _why(table: Table, name: str) -> str:
    attribute = table.attribute(name)
    if attribute.order or attribute.value_labels:
        return "labels of the file"
    if is_few_whole_numbers(table, name):
        return "few whole numbers"
    if attribute.kind == "numeric":
        return "whole numbers" if table.is_integer(name) else "numbers"
    return "dates or times" if attribute.kind == "ordinal" else "text or truth values"


def _warn_of_undeclared(table: Table, renumbered: Collection[str]) -> None:
    """Columns released without a role; those that are near-unique or give a protected one away by name."""
    other = [name for name in table.names("other") if name not in renumbered]
    kept = [*other, *table.names("weight"), *table.names("confidential")]  # released as they are
    if not kept:
        return
    found = {suggestion.name: suggestion for suggestion in suggest_roles(table)}
    unique = [name for name in other if any(note.startswith("near-unique") for note in found[name].notes)]
    protected = set(table.names("quasi"))
    told = {name: sorted(protected & set(found[name].determines)) for name in kept}
    telling = [f"{name} determines {', '.join(told[name])}" for name in kept if told[name]]
    if other:
        listed = ", ".join(other[:20]) + (", ..." if len(other) > 20 else "")
        console.note(f"Released without a role: {listed}.")
    if unique:
        console.warn(f"Most records have a value of their own in {', '.join(unique)}: that names them.")
    if telling:
        console.warn(f"Masking does not hide what another column tells: {'; '.join(telling)}.")
