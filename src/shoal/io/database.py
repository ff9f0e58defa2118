"""Tables of databases: PostgreSQL and SQLite through ADBC, and files of DuckDB."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from shoal._check import did_you_mean
from shoal.errors import InvalidInput
from shoal.io._database.reasons import reason_of
from shoal.io.address import Address
from shoal.io.dates import written_dates
from shoal.io.formats import ALL, warn_of_lost
from shoal.table import Attribute

TABLES = {
    "postgresql": "SELECT schemaname || '.' || tablename FROM pg_tables "
    "WHERE schemaname NOT IN ('pg_catalog', 'information_schema') "
    "UNION SELECT schemaname || '.' || viewname FROM pg_views "
    "WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1",
    "sqlite": "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY 1",
    "duckdb": "SELECT table_name FROM information_schema.tables ORDER BY 1",
}
LIBRARIES = {
    "postgresql": "adbc_driver_postgresql.dbapi",
    "sqlite": "adbc_driver_sqlite.dbapi",
    "duckdb": "duckdb",
}
NO_COLUMNS = "What was asked of {} has no columns; ask for a table or a SELECT."
EXACT = 2**53  # whole numbers below survive as floats
BATCH = 65_536  # records; those of SQLite, which has no types of columns, are told by the first batch


def read_database(address: Address) -> pl.DataFrame:
    """The records of a table or a query, read in batches."""
    with _connection(address) as connection:
        frame = connection.frame(address.query or f"SELECT * FROM {_found(connection, address)}")
    if frame.width == 0:
        raise InvalidInput(NO_COLUMNS.format(address.name))
    return frame


def read_in_batches(address: Address) -> Iterator[pl.DataFrame]:
    """The records of a table or a query, some at a time; the first batch has none, but the columns."""
    with _connection(address) as connection:
        query = address.query or f"SELECT * FROM {_found(connection, address)}"
        for batch in connection.batches(query):
            if batch.width == 0:
                raise InvalidInput(NO_COLUMNS.format(address.name))
            yield batch


def check_new_table(address: Address) -> None:
    """Refuse, before long work, a database where the table could not be made, or is already."""
    if address.table is None:
        raise InvalidInput(f"Which new table of {address.name}? Give `into` (--out-table).")
    if address.path is None or address.path.exists():
        with _connection(address) as connection:
            _refuse_existing(connection, address.table)
            connection.try_to_make(*_parts(address.table))
        return
    if not address.path.parent.is_dir():
        raise InvalidInput(f"The folder {address.path.parent} does not exist; create it first.")
    _library(LIBRARIES[address.scheme])


def _refuse_existing(connection: Connection, table: str) -> None:
    if _place(connection, table) is not None:
        raise InvalidInput(f"{connection.address.name} has a table {table!r} already; give another name.")


@contextmanager
def drafted_table(address: Address) -> Iterator[TableDraft]:
    """A draft that is a new table, in one transaction: nobody sees it before the block has ended well."""
    if address.table is None:
        raise InvalidInput(f"Which new table of {address.name}? Give `into` (--out-table).")
    absent = address.path is not None and not address.path.exists()
    try:
        with _connection(address, create=True) as connection:
            _refuse_existing(connection, address.table)
            yield TableDraft(connection, address)
            connection.commit()
    except BaseException:
        if absent and address.path is not None:
            for ending in ("", ".wal", "-journal", "-wal", "-shm"):
                with suppress(OSError):
                    Path(f"{address.path}{ending}").unlink(missing_ok=True)
        raise


def _refuse_twins(names: list[str]) -> None:
    """Names that differ in capitals alone are one to SQLite, and DuckDB renames the second."""
    first: dict[str, str] = {}
    for name in names:
        twin = first.setdefault(name.lower(), name)
        if twin != name:
            raise InvalidInput(f"Columns {twin!r} and {name!r} have one name to this database; rename one.")


class TableDraft:
    """A table inside a transaction."""

    def __init__(self, connection: Connection, address: Address) -> None:
        self._connection, self._address = connection, address

    def write(self, frame: pl.DataFrame, attributes: Mapping[str, Attribute]) -> None:
        """Make the table, with the columns of the frame; SQLite has no dates but texts."""
        warn_of_lost(f"A table of {self._address.scheme}", ALL, frame, attributes)
        if self._address.scheme != "postgresql":
            _refuse_twins(frame.columns)
        if self._address.scheme == "sqlite":
            frame = written_dates(frame, {name: a.written for name, a in attributes.items()})
        self._connection.make(*_parts(self._address.table or ""), frame)

    def append(self, frame: pl.DataFrame) -> None:
        """More records with the same columns."""
        self._connection.make(*_parts(self._address.table or ""), frame, append=True)

    def cells(self) -> pl.DataFrame:
        """The table as the transaction sees it."""
        return self._connection.frame(f"SELECT * FROM {_quoted(self._address.table or '')}")

    def batches(self) -> Iterator[pl.DataFrame]:
        """As `cells`, some records at a time."""
        return self._connection.batches(f"SELECT * FROM {_quoted(self._address.table or '')}")


class Connection:
    """What this file needs of a database; every error is one sentence without the database's own words."""

    def __init__(self, address: Address, inner: Any) -> None:
        self.address, self.inner = address, inner
        self.duckdb = address.scheme == "duckdb"
        if self.duckdb:
            inner.begin()

    def frame(self, query: str) -> pl.DataFrame:
        """The answer to a query as a frame."""
        with _said(self.address):
            if self.duckdb:
                relation = _plain_relation(self.inner.sql(query))
                if relation is None:
                    return pl.DataFrame()
                # by pyarrow: polars would keep it beyond the connection
                return pl.DataFrame(relation.to_arrow_table())
        return pl.concat(self.batches(query), how="vertical")

    def batches(self, query: str) -> Iterator[pl.DataFrame]:
        """The answer to a query, some records at a time; the first batch has none, but the columns."""
        with _said(self.address):
            if self.duckdb:
                relation = _plain_relation(self.inner.sql(query))
                if relation is None:
                    yield pl.DataFrame()
                    return
                reader = relation.to_arrow_reader(BATCH)
                yield pl.DataFrame(reader.schema.empty_table())
                yield from map(pl.DataFrame, reader)
                return
            with self.inner.cursor() as cursor:
                if self.address.scheme == "sqlite":
                    cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH)})
                casts = _casts(cursor, query) if self.address.scheme == "postgresql" else {}
                cursor.execute(_with_casts(query, casts) if casts else query)
                reader = cursor.fetch_record_batch()
                yield pl.DataFrame(reader.schema.empty_table())
                wide = [name for name, cast in casts.items() if "float8" in cast]
                yield from (_exact(pl.DataFrame(batch), wide) for batch in reader)

    def make(self, schema: str | None, table: str, frame: pl.DataFrame, *, append: bool = False) -> None:
        """A new table with the records of a frame, or more records of one that is there."""
        with _said(self.address):
            if self.duckdb:
                self.inner.register("shoal_frame", frame)
                how = "INSERT INTO {}" if append else "CREATE TABLE {} AS"
                self.inner.execute(f"{how.format(_joined(schema, table))} SELECT * FROM shoal_frame")
                self.inner.unregister("shoal_frame")
                return
            with self.inner.cursor() as cursor:
                mode = "append" if append else "create"
                cursor.adbc_ingest(table, _storable(frame), mode=mode, db_schema_name=schema)

    def try_to_make(self, schema: str | None, table: str) -> None:
        """Make the table and take it back: what is read-only, or of others, is known before long work."""
        if not self.duckdb:  # whose file is opened for reading here
            with _said(self.address), self.inner.cursor() as cursor:
                cursor.execute(f"CREATE TABLE {_joined(schema, table)} (tried INTEGER)")
                self.inner.rollback()

    def commit(self) -> None:
        """Make what was done visible to all."""
        with _said(self.address):
            self.inner.commit()


@contextmanager
def _connection(address: Address, create: bool = False) -> Iterator[Connection]:
    if address.path is not None and not create and not address.path.exists():
        raise InvalidInput(f"There is no file {address.path.name!r}; give the path of the database.")
    with _said(address):
        inner = _opened(address, read_only=not create)
    try:
        yield Connection(address, inner)
    finally:
        with suppress(Exception):
            inner.rollback()
        with suppress(Exception):
            inner.close()


def _opened(address: Address, read_only: bool) -> Any:
    library = _library(LIBRARIES[address.scheme])
    if address.scheme == "duckdb":
        return library.connect(str(address.path), read_only=read_only)
    return library.connect(address.url if address.path is None else str(address.path))


def _library(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InvalidInput(
            f'This database needs {name.partition(".")[0]}: pip install "shoal[databases]".'
        ) from error


@contextmanager
def _said(address: Address) -> Iterator[None]:
    """The database's error as one sentence; its own words are for nobody: they may quote what is secret."""
    try:
        yield
    except InvalidInput:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        raise InvalidInput(f"{address.name} could not be used: {reason_of(error)}.") from None


def _found(connection: Connection, address: Address) -> str:
    """The quoted name of the table to read."""
    if address.table is None:
        listing = ", ".join(_tables(connection)) or "none"
        raise InvalidInput(f"Which table of {address.name}? Give `table` or `query`; its tables: {listing}.")
    place = _place(connection, address.table)
    if place is None:
        known = _tables(connection)
        raise InvalidInput(
            f"{address.name} has no table {address.table!r}.{did_you_mean(address.table, known)} "
            f"Its tables: {', '.join(known[:20]) or 'none'}."
        )
    return _quoted(place)


def _tables(connection: Connection) -> list[str]:
    found = connection.frame(TABLES[connection.address.scheme])
    return [str(name).removeprefix("public.") for name in found.to_series().to_list()]


def _place(connection: Connection, table: str) -> str | None:
    """The table, if it is there; one without a schema is of the first schema that has it."""
    known = _tables(connection)
    return table if table in known or table.removeprefix("public.") in known else None


def _parts(table: str) -> tuple[str | None, str]:
    schema, point, name = table.rpartition(".")
    return (schema, name) if point and schema else (None, table)


def _quote(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _joined(schema: str | None, table: str) -> str:
    return ".".join(_quote(part) for part in (schema, table) if part)


def _quoted(table: str) -> str:
    return _joined(*_parts(table))


def _casts(cursor: Any, query: str) -> dict[str, str]:
    """What PostgreSQL should make of types of its own (NUMERIC, UUID ...), by column; {} if it has none."""
    casts: dict[str, str] = {}
    schema = cursor.adbc_execute_schema(query)
    for name, kind in zip(schema.names, map(str, schema.types), strict=True):
        own = any(word in kind for word in ("extension<", "binary", "interval"))  # old drivers: UUID as bytes
        casts[name] = "::float8" if "type_name=numeric" in kind else "::text" if own else ""
    whole = [name for name, kind in zip(schema.names, map(str, schema.types), strict=True) if kind == "int64"]
    casts |= dict.fromkeys(_money(cursor, query, whole), "::numeric::float8")
    return casts if any(casts.values()) else {}


def _money(cursor: Any, query: str, whole: list[str]) -> list[str]:
    """The columns of MONEY, which comes as a count of cents that nothing tells from a number."""
    cursor.execute("SELECT 1 FROM pg_attribute WHERE atttypid = 'money'::regtype LIMIT 1")
    if not whole or cursor.fetchone() is None:
        return []
    asked = ", ".join(f"pg_typeof({_quote(name)})::text" for name in whole)
    cursor.execute(f"SELECT {asked} FROM ({_bare(query)}) AS asked LIMIT 1")
    return [name for name, kind in zip(whole, cursor.fetchone() or (), strict=False) if kind == "money"]


def _with_casts(query: str, casts: Mapping[str, str]) -> str:
    columns = ", ".join(f"{_quote(name)}{cast} AS {_quote(name)}" for name, cast in casts.items())
    return f"SELECT {columns} FROM ({_bare(query)}) AS asked"


def _bare(query: str) -> str:
    return query.strip().rstrip(";")


def _plain_relation(relation: Any) -> Any:
    """A relation of DuckDB with its intervals as texts, which no frame has a type for."""
    types = {} if relation is None else dict(zip(relation.columns, map(str, relation.types), strict=True))
    spans = [_quote(name) for name, kind in types.items() if kind == "INTERVAL"]
    texts = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in spans)
    return relation.project(f"* REPLACE ({texts})") if spans else relation


def _exact(frame: pl.DataFrame, wide: Iterable[str]) -> pl.DataFrame:
    """The frame, if the columns that were long numbers in the database kept all their digits."""
    for name in wide:
        if frame[name].dtype.is_float() and (frame[name].fill_nan(None).abs() >= EXACT).any():
            raise InvalidInput(
                f"Column {name!r} has numbers of more than 15 digits, which would lose some; read it by a "
                f"query as text, such as CAST({_quote(name)} AS text) AS {_quote(name)}."
            )
    return frame


def _storable(frame: pl.DataFrame) -> Any:
    """The frame in types that both databases have."""
    wider = {
        pl.UInt8: pl.Int16,
        pl.UInt16: pl.Int32,
        pl.UInt32: pl.Int64,
        pl.UInt64: pl.Int64,
        pl.Int8: pl.Int16,
    }
    columns = [
        column.cast(wider[column.dtype.base_type()])  # type: ignore[index]
        if column.dtype.base_type() in wider
        else column.cast(pl.Float64)
        if column.dtype.is_decimal()
        else column
        for column in frame
    ]
    return pl.DataFrame(columns).to_arrow(compat_level=pl.CompatLevel.oldest())
