"""Addresses of tables in databases, beside the paths of files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InvalidInput

SCHEMES = ("postgresql", "postgres", "sqlite", "duckdb")
DATABASE_FILES = {".sqlite": "sqlite", ".sqlite3": "sqlite", ".duckdb": "duckdb", ".db": "sqlite"}


@dataclass(frozen=True, repr=False)
class Address:
    """A database and, in it, a table or a query.

    Shown without user, password and options: they may be secret.

    Examples
    --------
    >>> Address("postgresql://ana:secret@db.example/register", table="persons")
    postgresql://db.example/register table persons
    """

    url: str
    table: str | None = None
    query: str | None = None

    def __repr__(self) -> str:
        return self.name + (f" table {self.table}" if self.table else "")

    __str__ = __repr__

    @property
    def scheme(self) -> str:
        """Which database: postgresql, sqlite or duckdb."""
        scheme = self.url.partition(":")[0]
        return "postgresql" if scheme == "postgres" else scheme

    @property
    def path(self) -> Path | None:
        """The file of a database that is one."""
        if self.scheme == "postgresql":
            return None
        return Path(re.sub(r"^\w+:(//)?", "", self.url))

    @property
    def name(self) -> str:
        """The database in words, without what may be secret."""
        if self.path is not None:
            return f"{self.scheme}:{self.path.name}"
        place, _, options = self.url.partition("://")[2].partition("?")
        if "@" in options:  # a password with a question mark in it, perhaps
            return f"{self.scheme}://..."
        host, slash, database = place.rpartition("@")[2].partition("/")  # passwords may hold an @ or a /
        return f"{self.scheme}://{re.sub(r':[^]]*$', '', host)}{slash}{database}"

    @property
    def stem(self) -> str:
        """A short name of what is read."""
        return self.table or "query"


def source_of(
    source: str | os.PathLike[str] | Address, table: str | None = None, query: str | None = None
) -> Path | Address:
    """A path, or an address if it names a database by its scheme or its extension.

    >>> source_of("people.csv").name
    'people.csv'
    >>> source_of("postgresql:///register", table="persons").stem
    'persons'
    >>> source_of("register.duckdb", table="persons").scheme
    'duckdb'
    """
    if table is not None and query is not None:
        raise InvalidInput("A table or a query is read, not both; leave one of them out.")
    if isinstance(source, Address):
        return source if table is None and query is None else Address(source.url, table, query)
    if not isinstance(source, str | os.PathLike):
        raise InvalidInput(f"A file or a database is named by a text or a path, got {type(source).__name__}.")
    text = os.fspath(source)
    match = re.match(r"^([\w+]+):(?!\\)", text)
    if match and len(match[1]) > 1:  # one letter is a drive of Windows
        if match[1] not in SCHEMES:
            raise InvalidInput(
                f"There is no database {match[1]!r} here; known are postgresql, sqlite and duckdb."
            )
        return Address(text, table, query)
    scheme = DATABASE_FILES.get(Path(text).suffix.lower())
    if scheme == "sqlite" and _is_duckdb(Path(text)):
        scheme = "duckdb"
    if scheme is not None:
        return Address(f"{scheme}:{text}", table, query)
    if table is not None or query is not None:
        raise InvalidInput("A table or a query is part of a database; give its address, or leave them out.")
    return Path(text)


def _is_duckdb(path: Path) -> bool:
    """Whether a file that is there says of itself that DuckDB wrote it: .db is the extension of both."""
    try:
        with path.open("rb") as stream:
            return stream.read(12)[8:] == b"DUCK"
    except OSError:
        return False
