"""Databases: read and written in one transaction, and nothing secret in any sentence."""

import datetime as dt
import os
import sys

import numpy as np
import polars as pl
import pytest

from io_postgres import PASSWORD, server
from shoal import Promise, Target, release
from shoal.errors import InvalidInput
from shoal.io import Address, check_draft, drafted, read_table, source_of, write_table
from shoal.io.form import Form
from shoal.table import as_table

duckdb = pytest.importorskip("duckdb", reason="databases need the extra `databases`")
sqlite = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="databases need the extra `databases`")
postgres = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="databases need the extra `databases`")

FRAME = pl.DataFrame(
    {
        "age": [30, None, 41],
        "income": [12.5, 8.25, None],
        "town": ["Vic", None, "it's; DROP TABLE persons"],
        "Member of": [True, None, False],
        "born": [dt.date(1990, 1, 2), None, dt.date(1980, 12, 31)],
        "seen": [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(2021, 1, 1)],
    }
)
TABLE = as_table(FRAME)


@pytest.fixture(scope="module")
def cluster():
    with server() as address:
        yield address


@pytest.fixture(params=["postgresql", "sqlite", "duckdb"])
def database(request, tmp_path):
    """An address of every kind; that of the server is shared by the tests, so each takes its own names."""
    if request.param == "postgresql":
        return request.getfixturevalue("cluster")
    return f"{request.param}:{tmp_path / 'register.db'}"


@pytest.fixture
def name(request):
    """A table's name of the test's own."""
    return "t_" + "".join(c if c.isalnum() else "_" for c in request.node.name)[-40:].lower()


def ask(cluster, query):
    """What the server answers, in a connection of its own."""
    with postgres.connect(cluster) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        answer = cursor.fetchall() if cursor.description else None
        connection.commit()
    return answer


def as_stored(frame, database):
    """SQLite has no truth values."""
    if not database.startswith("sqlite"):
        return frame.rows()
    return frame.with_columns(pl.col(pl.Boolean).cast(pl.Int64)).rows()


@pytest.mark.slow
def test_a_table_comes_back(database, name):
    where = write_table(TABLE, database, into=name, shuffle=False)
    assert isinstance(where, Address)
    back = read_table(database, table=name)
    assert back.frame.rows() == as_stored(FRAME, database)
    assert back.names() == FRAME.columns
    assert read_table(where).names() == FRAME.columns


def test_a_query_is_read(database, name):
    write_table(TABLE, database, into=name)
    table = read_table(database, query=f"SELECT age, town FROM {name} WHERE age > 35;")
    assert table.frame.rows() == [(41, "it's; DROP TABLE persons")]
    assert len(read_table(database, query=f"SELECT age FROM {name} WHERE age > 99")) == 0


def test_a_table_that_is_there_is_refused(database, name):
    write_table(TABLE, database, into=name)
    with pytest.raises(InvalidInput, match=f"has a table '{name}' already; give another name"):
        write_table(TABLE, database, into=name, overwrite=True)
    assert len(read_table(database, table=name)) == 3


def test_what_cannot_be_written_is_refused_before_long_work(database, name, tmp_path):
    """A table that is there, a folder that is not, a wrong password: known before a record is masked."""
    write_table(TABLE, database, into=name)
    people = as_table(FRAME, roles={"quasi": ["age"]})
    target = Target(source_of(database, name))
    with pytest.raises(InvalidInput, match=f"has a table '{name}' already"):
        release(people, people, Promise(k=99), target)  # and not: the promise is broken
    if not database.startswith("postgresql"):
        lost = f"{database.partition(':')[0]}:{tmp_path / 'nowhere' / 'a.db'}"
        with pytest.raises(InvalidInput, match="nowhere does not exist; create it first"):
            check_draft(source_of(lost, name), overwrite=False)
        assert not (tmp_path / "nowhere").exists()
    else:
        wrong = source_of(database.replace(PASSWORD, "wrong-word"), "new_table")
        with pytest.raises(InvalidInput, match="it refused the user or the password"):
            check_draft(wrong, overwrite=False)


def test_a_table_that_does_not_exist(database, name):
    write_table(TABLE, database, into=name)
    with pytest.raises(
        InvalidInput, match=rf"has no table '{name[:-1]}'. Did you mean '{name}'\? Its tables: "
    ):
        read_table(database, table=name[:-1])
    with pytest.raises(InvalidInput, match=r"Which table of .*\? Give `table` or `query`; its tables: "):
        read_table(database)
    with pytest.raises(InvalidInput, match=r"Which new table of .*\? Give `into` \(--out-table\)"):
        write_table(TABLE, database)


def test_the_whole_table_or_nothing(database, name):
    """A draft that is given up, after its records were counted, leaves no table and no file."""
    address = source_of(database, name)

    def give_up():
        with drafted(address, Form()) as draft:
            draft.write(FRAME, {})
            assert draft.cells()["age"].to_list() == [30, None, 41]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    if address.path is not None:
        assert not list(address.path.parent.iterdir())
        write_table(TABLE, database, into="other")
    with pytest.raises(InvalidInput, match="has no table"):
        read_table(database, table=name)


def test_nobody_sees_it_before_it_is_whole(cluster, name):
    with drafted(source_of(cluster, name), Form()) as draft:
        draft.write(FRAME, {})
        seen = ask(cluster, f"SELECT count(*) FROM pg_tables WHERE tablename = '{name}'")
        assert seen == [(0,)]
    assert ask(cluster, f"SELECT count(*) FROM {name}") == [(3,)]


def test_a_query_that_makes_no_sense(database, name):
    write_table(TABLE, database, into=name)
    for query in ("SELEC 1", f"SELECT nothing FROM {name}"):
        with pytest.raises(InvalidInput, match="it does not understand the query; try the query there first"):
            read_table(database, query=query)


def test_types_of_postgresql(cluster):
    ask(cluster, "CREATE SCHEMA s")
    ask(cluster, "CREATE TYPE s.mood AS ENUM ('low', 'high')")
    ask(
        cluster,
        "CREATE TABLE s.persons (n numeric(10,2), v varchar(5), c char(3), m s.mood, u uuid, r real,"
        " t timestamptz, i smallint)",
    )
    ask(
        cluster,
        "INSERT INTO s.persons VALUES (1.25, 'a', 'abc', 'high', "
        "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 1.5, '2020-01-02 03:04:05+02', 3), "
        "(null, null, null, null, null, null, null, null)",
    )
    frame = read_table(cluster, table="s.persons").frame
    assert frame.row(0)[:6] == (1.25, "a", "abc", "high", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", 1.5)
    assert frame.row(1) == (None,) * 8
    assert frame.schema["n"] == pl.Float64
    write_table(as_table(FRAME), cluster, into="s.safe")
    assert len(read_table(cluster, table="s.safe")) == 3


# ---- what goes wrong, in one sentence without a secret -------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda a: a.replace(PASSWORD, "wrong-word"), "it refused the user or the password; set PGUSER and"),
        (lambda a: a.replace(f":{PASSWORD}", ""), "it refused the user or the password"),
        (lambda a: a.replace("/postgres?", "/nothing?"), "there is no database of that name"),
        (lambda a: a.replace("host=/", "host=/nowhere/"), "it cannot be reached; is it running"),
        (lambda a: "postgresql:///?service=nothing", "the service file does not have that service"),
    ],
)
def test_a_connection_that_is_refused(cluster, monkeypatch, change, sentence):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    for call in (
        lambda address: read_table(address, table="t"),
        lambda address: write_table(TABLE, address, into="t"),
    ):
        with pytest.raises(InvalidInput, match=sentence) as caught:
            call(change(cluster))
        said = f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__suppress_context__}"
        assert PASSWORD not in said
        assert "wrong-word" not in said
        assert "ana" not in said.replace("another", "")


def test_the_password_from_the_environment_and_a_service_file(cluster, monkeypatch, tmp_path):
    folder = cluster.partition("host=")[2]
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    monkeypatch.setenv("PGUSER", "ana")
    plain = f"postgresql:///postgres?host={folder}"
    assert read_table(plain, query="SELECT 1 AS one").frame["one"].to_list() == [1]
    monkeypatch.delenv("PGPASSWORD")
    services = tmp_path / "services.conf"
    services.write_text(f"[register]\nhost={folder}\ndbname=postgres\nuser=ana\npassword={PASSWORD}\n")
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    table = read_table("postgresql:///?service=register", query="SELECT 1 AS one")
    assert table.frame["one"].to_list() == [1]


def test_an_address_is_shown_without_secrets(cluster):
    address = source_of(cluster, "t")
    assert PASSWORD not in f"{address} {address!r} {address.name}"
    assert "ana" not in str(address)


def test_a_connection_lost_in_the_middle(cluster, name):
    """Another session ends ours after the records are written and before they are committed."""
    address = source_of(cluster, name)

    def lose():
        with drafted(address, Form()) as draft:
            draft.write(FRAME, {})
            ask(
                cluster,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
            )
            draft.cells()

    with pytest.raises(InvalidInput, match="the connection was lost; nothing was changed, try again"):
        lose()
    assert ask(cluster, f"SELECT count(*) FROM pg_tables WHERE tablename = '{name}'") == [(0,)]


def test_a_read_only_database(cluster, name, tmp_path):
    read_only = f"{cluster}&options=-c%20default_transaction_read_only%3Don"
    assert len(read_table(read_only, query="SELECT 1 AS one")) == 1
    with pytest.raises(InvalidInput, match="it is read-only; ask its owner, or write a file"):
        write_table(TABLE, read_only, into=name)


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_a_read_only_file(tmp_path, scheme, monkeypatch):
    path = tmp_path / "a.db"
    write_table(TABLE, f"{scheme}:{path}", into="t")
    before = path.read_bytes()
    if os.name == "posix" and os.geteuid() == 0:  # root may write all: the file is a link to a place of none
        pytest.skip("root may write every file")
    path.chmod(0o444)
    with pytest.raises(InvalidInput, match=r"read-only|may not do that|not there"):
        write_table(TABLE, f"{scheme}:{path}", into="u")
    assert path.read_bytes() == before


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_a_database_that_was_opened_read_only(tmp_path, scheme, monkeypatch):
    """What the libraries themselves say of one, whoever runs the test: root may write every file."""
    write_table(TABLE, f"{scheme}:{tmp_path / 'a.db'}", into="t")
    before = (tmp_path / "a.db").read_bytes()

    def opened(address, read_only):
        if scheme == "duckdb":
            return duckdb.connect(str(address.path), read_only=True)
        inner = sqlite.connect(str(address.path))
        with inner.cursor() as cursor:
            cursor.execute("PRAGMA query_only = ON")
        return inner

    monkeypatch.setattr("shoal.io.database._opened", opened)
    with pytest.raises(InvalidInput, match="it is read-only; ask its owner, or write a file"):
        write_table(TABLE, f"{scheme}:{tmp_path / 'a.db'}", into="u")
    assert (tmp_path / "a.db").read_bytes() == before


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_files_that_are_no_database(tmp_path, scheme):
    with pytest.raises(InvalidInput, match=r"There is no file 'none\.db'"):
        read_table(f"{scheme}:{tmp_path / 'none.db'}", table="t")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"a,b\n1,2\n" * 999)
    with pytest.raises(InvalidInput, match=r"broken or not of this kind"):
        read_table(f"{scheme}:{broken}", table="t")
    with pytest.raises(InvalidInput, match=r"broken or not of this kind"):
        write_table(TABLE, f"{scheme}:{broken}", into="t")
    assert broken.read_bytes() == b"a,b\n1,2\n" * 999


def test_a_row_the_database_refuses_quotes_no_value(cluster, name):
    with pytest.raises(InvalidInput) as caught:
        read_table(cluster, query="SELECT 'Gombren'::int AS x")
    assert "Gombren" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [("mysql://x/y", "There is no database 'mysql' here; known are postgresql, sqlite and duckdb")],
)
def test_other_databases_are_named(source, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        read_table(source, table="t")


def test_a_file_db_of_duckdb_is_told_from_one_of_sqlite(tmp_path):
    for scheme in ("duckdb", "sqlite"):
        path = tmp_path / f"{scheme}.db"
        write_table(TABLE, f"{scheme}:{path}", into="t", shuffle=False)
        assert source_of(path).scheme == scheme
        assert read_table(path, table="t").frame["age"].to_list() == [30, None, 41]
    assert source_of(tmp_path / "new.db").scheme == "sqlite"


def test_a_table_of_a_file_is_asked_for_in_vain(tmp_path):
    with pytest.raises(InvalidInput, match="A table or a query is part of a database"):
        read_table(tmp_path / "a.csv", table="t")


def test_a_drive_of_windows_is_no_database():
    assert str(source_of("C:\\people.csv")) == "C:\\people.csv"


@pytest.mark.parametrize(
    ("scheme", "library"),
    [
        ("sqlite", "adbc_driver_sqlite.dbapi"),
        ("duckdb", "duckdb"),
        ("postgresql", "adbc_driver_postgresql.dbapi"),
    ],
)
def test_without_the_library(tmp_path, monkeypatch, scheme, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(InvalidInput, match=r'pip install "shoal\[databases\]"'):
        write_table(
            TABLE, f"{scheme}:{tmp_path / 'a.db'}" if scheme != "postgresql" else "postgresql:///x", into="t"
        )
    assert list(tmp_path.iterdir()) == []


def test_many_records(cluster, name):
    frame = pl.DataFrame({"a": np.arange(200_000), "b": np.arange(200_000) / 7})
    write_table(as_table(frame), cluster, into=name, shuffle=False)
    assert read_table(cluster, table=name).frame["a"].sum() == frame["a"].sum()


# ---- what other libraries would not have said ------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ana:pa/ss@db.example:5433/register", "postgresql://db.example/register"),
        ("postgresql://ana:pa:s@s/word@db.example/register", "postgresql://db.example/register"),
        ("postgresql://ana:pa#ss@db.example/register", "postgresql://db.example/register"),
        ("postgresql://ana:pa?ss@db.example/register", "postgresql://..."),
        ("postgresql://db.example/register?password=x@ss", "postgresql://..."),
        ("postgresql://ana:pass", "postgresql://ana"),
        ("postgresql://[::1]:5433/register?user=ana", "postgresql://[::1]/register"),
        ("postgresql:///register", "postgresql:///register"),
    ],
)
def test_no_part_of_a_password_is_shown(url, shown):
    """One that is not written as an address asks for (%2F for /) is the usual mistake."""
    assert str(source_of(url)) == shown


def test_addresses_of_other_libraries_are_no_files():
    with pytest.raises(InvalidInput, match=r"There is no database 'postgresql\+psycopg' here"):
        source_of("postgresql+psycopg://ana:secret@db/register", table="t")


def test_types_of_their_own_are_plain(cluster, tmp_path):
    """INTERVAL has no type in a frame, MONEY comes as cents, NaN is no number."""
    ask(cluster, "CREATE TABLE own (m money, i interval, n numeric, f float8)")
    ask(cluster, "INSERT INTO own VALUES ('12.30', '1 day', 'NaN', 'NaN'), (null, null, 1.5, 2.5)")
    assert read_table(cluster, table="own").frame.rows() == [
        (12.3, "1 day", None, None),
        (None, None, 1.5, 2.5),
    ]
    write_table(TABLE, f"duckdb:{tmp_path / 'a.db'}", into="t")
    assert read_table(tmp_path / "a.db", query="SELECT INTERVAL 1 DAY AS i, 2 AS n").frame.rows() == [
        ("1 day", 2)
    ]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (
            "12345678901234567890::numeric",
            "Column 'x' has numbers of more than 15 digits, which would lose some",
        ),
        ("'infinity'::timestamp", "Column 'x' has a date at row 0 that is infinite or outside the years"),
        ("'0044-03-15 BC'::date", "Column 'x' has a date at row 0 that is infinite or outside the years"),
    ],
)
def test_values_no_frame_can_hold(cluster, value, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        read_table(cluster, query=f"SELECT {value} AS x")


def test_two_columns_of_one_name(database, name):
    write_table(TABLE, database, into=name)
    with pytest.raises(InvalidInput, match="two columns of the answer have the same name"):
        read_table(database, query=f"SELECT age, age FROM {name}")


def test_a_place_that_cannot_be_written_is_refused_before_long_work(cluster, name):
    read_only = f"{cluster}&options=-c%20default_transaction_read_only%3Don"
    for address, into, sentence in (
        (read_only, name, "it is read-only; ask its owner"),
        (cluster, f"nowhere.{name}", "it has no such schema; make it first"),
    ):
        with pytest.raises(InvalidInput, match=sentence):
            check_draft(source_of(address, into), overwrite=False)
    check_draft(source_of(cluster, name), overwrite=False)
    assert ask(cluster, f"SELECT count(*) FROM pg_tables WHERE tablename = '{name}'") == [(0,)]


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_names_that_differ_in_capitals_alone(tmp_path, scheme):
    """DuckDB would call the second age_1, SQLite refuses to answer."""
    with pytest.raises(InvalidInput, match="Columns 'Age' and 'age' have one name to this database"):
        write_table(as_table({"Age": [1], "age": [2]}), f"{scheme}:{tmp_path / 'a.db'}", into="t")
    assert list(tmp_path.iterdir()) == []


def test_a_table_and_a_query(tmp_path):
    write_table(TABLE, f"sqlite:{tmp_path / 'a.db'}", into="t")
    with pytest.raises(InvalidInput, match="A table or a query is read, not both"):
        read_table(tmp_path / "a.db", table="t", query="SELECT 1 AS one")


def test_dates_of_sqlite_are_texts(tmp_path):
    """They are read as dates and written again as they were; other databases have dates of their own."""
    people = pl.DataFrame({"born": ["31.12.1990", "01.02.1985", None], "age": [1, 2, 3]})
    for scheme, kind in (("sqlite", pl.Date), ("duckdb", pl.String)):
        where = f"{scheme}:{tmp_path / scheme}"
        write_table(as_table(people), where, into="t", shuffle=False)
        table = read_table(where, table="t")
        assert table.frame.schema["born"] == kind
        write_table(table, where, into="u", shuffle=False)
        assert read_table(where, query="SELECT born || '' AS b FROM u WHERE age = 1").frame.rows() in (
            [("31.12.1990",)],
            [(dt.date(1990, 12, 31),)],
        )
        said = read_table(where, table="t", dates={"born": "%d.%m.%Y"})
        assert said.frame.schema["born"] == pl.Date
