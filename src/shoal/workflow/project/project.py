"""A project: tables, how they join, and what each and all of them must keep, as text."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.io import read_table
from shoal.models.promise import Promise
from shoal.table import Table, as_table
from shoal.types import Role
from shoal.workflow.recipe import Recipe, beside

OF_A_TABLE = (
    "name",
    "source",
    "target",
    "read",
    "roles",
    "kinds",
    "hierarchies",
    "promise",
    "steps",
    "notes",
)
OF_A_PROJECT = ("name", "notes", "promise", "tables", "joins")


@dataclass(frozen=True)
class ProjectTable:
    """One table: where it comes from, how it is read, what is done to it and what it is written as.

    A table without steps is released as it is, once its promise is counted.
    """

    name: str
    source: str
    target: str
    read: Mapping[str, Any] = field(default_factory=dict)
    recipe: Recipe | None = None
    roles: Mapping[Role, list[str]] = field(default_factory=dict)
    kinds: Mapping[str, Any] = field(default_factory=dict)
    promise: Promise = field(default_factory=Promise)


@dataclass(frozen=True)
class Join:
    """Which column of a table names the records of another: persons.home -> households.home."""

    child: str
    child_column: str
    parent: str
    parent_column: str

    def __str__(self) -> str:
        return f"{self.child}.{self.child_column} -> {self.parent}.{self.parent_column}"


@dataclass(frozen=True)
class Project:
    """Linked tables, their joins and the promise that holds on every join.

    Parameters
    ----------
    name
        What to call it.
    tables
        The tables, by name, parents before their children.
    joins
        How they are linked: many records of the child to one of the parent.
    promise
        What every join must keep, counted in records of the parent: households, or persons where the child
        holds events. Its k and highest risk hold for a table with quasi-identifiers, too, that says no k
        itself.
    notes
        Whatever should be remembered.
    folder
        Where sources lie, unless their paths are whole.

    Examples
    --------
    >>> text = '''
    ... name = "survey"
    ... [[tables]]
    ... name = "homes"
    ... source = "homes.csv"
    ... roles = { quasi = ["region"] }
    ... [[tables]]
    ... name = "persons"
    ... source = "persons.csv"
    ... [[joins]]
    ... child = "persons.home"
    ... parent = "homes.id"
    ... '''
    >>> print(*Project.from_toml(text).joins)
    persons.home -> homes.id
    """

    name: str
    tables: Mapping[str, ProjectTable]
    joins: tuple[Join, ...] = ()
    promise: Promise = field(default_factory=Promise)
    notes: str = ""
    folder: Path = field(default_factory=Path)

    def source_of(self, table: ProjectTable) -> Path:
        """The file of a table; a plain name lies beside the project."""
        path = Path(table.source)
        return path if path.is_absolute() else self.folder / path

    def keys_of(self, name: str) -> list[str]:
        """The columns of a table that joins use; they are numbered anew on release."""
        child = [join.child_column for join in self.joins if join.child == name]
        return child + [join.parent_column for join in self.joins if join.parent == name]

    def read_tables(self) -> dict[str, Table]:
        """All tables as their sources are now, with roles and kinds."""
        return {
            table.name: as_table(
                read_table(self.source_of(table), **table.read), roles=table.roles or None, kinds=table.kinds
            )
            for table in self.tables.values()
        }

    @classmethod
    def from_toml(cls, text: str, folder: Path | None = None) -> Project:
        """A project from TOML text."""
        try:
            content = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"The project is not TOML: {error}.") from error
        check_names(content, OF_A_PROJECT, what="entry of a project")
        _check_form(content)
        promise = Promise.from_dict(content.get("promise", {}))
        tables = [_table(given, folder or Path(), promise) for given in content.get("tables", [])]
        if not tables:
            raise InvalidInput("The project has no tables; write one [[tables]] for each.")
        names = check_names([t.name for t in tables], [t.name for t in tables], what="table")
        joins = [_join(given, names) for given in content.get("joins", [])]
        ordered = _parents_first({table.name: table for table in tables}, joins)
        name, notes = content.get("name", "project"), content.get("notes", "")
        return cls(name, ordered, tuple(joins), promise, notes, folder or Path())

    @classmethod
    def read(cls, path: str | Path) -> Project:
        """A project from a .toml file; sources lie beside it."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidInput(
                f"The project {Path(path).name!r} cannot be read: {error.strerror}."
            ) from error
        except UnicodeDecodeError as error:
            raise InvalidInput(f"The project {Path(path).name!r} is not text in UTF-8.") from error
        return cls.from_toml(text, Path(path).parent)


def _check_form(content: Mapping[str, Any]) -> None:
    """Tables and joins are lists of entries, a promise is an entry of its own."""
    for entry in ("tables", "joins"):
        given = content.get(entry, [])
        if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
            raise InvalidInput(f"The {entry} of a project are written [[{entry}]], once for each.")
    if not isinstance(content.get("promise", {}), Mapping):
        raise InvalidInput("The promise of a project is written [promise], its entries below.")


def _table(given: Mapping[str, Any], folder: Path, whole: Promise) -> ProjectTable:
    check_names(given, OF_A_TABLE, what="entry of a table")
    for needed in ("name", "source"):
        if not isinstance(given.get(needed), str):
            raise InvalidInput(f"Every table of a project needs `{needed}`, a text.")
    for entry in ("read", "roles", "kinds", "hierarchies", "promise"):
        if not isinstance(given.get(entry, {}), Mapping):
            raise InvalidInput(f"`{entry}` of table {given['name']!r} is written {{ name = value }}.")
    name, source = given["name"], given["source"]
    target = given.get("target", f"{name}{Path(source).suffix or '.csv'}")
    if Path(target).name != target:
        raise InvalidInput(
            f"The target of table {name!r} must be a plain file name; the folder is said once."
        )
    roles, kinds = given.get("roles", {}), given.get("kinds", {})
    promise = Promise.from_dict(given.get("promise", {}))
    said = any("k" in step for step in given.get("steps", []) if isinstance(step, Mapping))
    if not promise and roles.get("quasi") and not said:  # l and t are for columns of some table
        promise = Promise(k=whole.k, max_risk=whole.max_risk)
    recipe = None
    if given.get("steps"):
        grown = {name: beside(folder, how) for name, how in given.get("hierarchies", {}).items()}
        recipe = Recipe(name, roles, given["steps"], kinds, promise, grown)
        promise = recipe.promised
    return ProjectTable(name, source, target, dict(given.get("read", {})), recipe, roles, kinds, promise)


def _join(given: Mapping[str, Any], tables: list[str]) -> Join:
    check_names(given, ("child", "parent"), what="entry of a join")
    sides: list[str] = []
    for side in ("child", "parent"):
        table, dot, column = str(given.get(side, "")).partition(".")
        if not dot:
            raise InvalidInput(f"The {side} of a join is written table.column, got {given.get(side)!r}.")
        check_names(table, tables, what="table")
        sides += [table, column]
    if sides[0] == sides[2]:
        raise InvalidInput(f"Table {sides[0]!r} is joined with itself; joins link two tables.")
    return Join(*sides)


def _parents_first(tables: Mapping[str, ProjectTable], joins: list[Join]) -> dict[str, ProjectTable]:
    """The tables so that parents come before their children; each child has one parent."""
    several = [join.child for join in joins]
    twice = [name for name in several if several.count(name) > 1]
    if twice:
        raise InvalidInput(f"Table {twice[0]!r} has two parents; a table is masked within one.")
    parent_of = {join.child: join.parent for join in joins}
    ordered: dict[str, ProjectTable] = {}
    while len(ordered) < len(tables):
        ready = [n for n in tables if n not in ordered and parent_of.get(n, n) in {*ordered, n}]
        if not ready:
            raise InvalidInput("The joins of the project go in a circle; no table can be masked first.")
        ordered |= {name: tables[name] for name in ready}
    return ordered
