"""Writing tables: round trips in every format and library, and what is left out of a release."""

import datetime as dt
import gzip
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.errors import InvalidInput
from shoal.io import detect_csv, read_table, write_table
from shoal.io.packed import unpacked
from shoal.table import as_table

COLUMNS = {
    "age": [30, None, 41],
    "income": [12.5, 8.25, None],
    "town": ["Vic", None, "Logroño, \"la\" 'bona'\nterra"],
    "member": [True, None, False],
    "born": [dt.date(1990, 1, 2), None, dt.date(1980, 12, 31)],
    "seen": [dt.datetime(2020, 1, 2, 3, 4, 5, 6), None, dt.datetime(2021, 1, 1)],
}
POLARS = pl.DataFrame(COLUMNS)
LIBRARIES = {
    "polars": POLARS,
    "pandas": POLARS.to_pandas(),
    "pandas_nullable": POLARS.to_pandas().convert_dtypes(),
    "pandas_arrow": POLARS.to_pandas(use_pyarrow_extension_array=True),
    "pyarrow": pa.table(COLUMNS),
}
NUMPY_DATES = ("pandas", "pandas_nullable")
TEXT_FORMATS = [".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("extension", [*TEXT_FORMATS, ".parquet", ".PARQUET", ".Csv"])
def test_every_library_in_every_format(tmp_path, library, extension):
    path = tmp_path / f"people{extension}"
    assert write_table(as_table(LIBRARIES[library]), str(path), shuffle=False) == path
    back = read_table(path)
    assert isinstance(back.frame, pl.DataFrame)
    # pandas has no dates without a time; its whole numbers with a gap are floats, equal as numbers
    expected = POLARS.with_columns(pl.col("born").cast(pl.Datetime)) if library in NUMPY_DATES else POLARS
    assert back.frame.to_dict(as_series=False) == expected.to_dict(as_series=False)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_output_speaks_the_dialect_of_the_input(tmp_path, encoding, decimal):
    first = write_table(
        as_table(POLARS), tmp_path / "a.csv", separator=";", decimal=decimal, encoding=encoding
    )
    dialect = detect_csv(first)
    assert (dialect.separator, dialect.decimal, dialect.encoding) == (";", decimal, encoding)
    second = write_table(read_table(first), tmp_path / "b.csv", shuffle=False, **vars(dialect))
    assert second.read_bytes() == first.read_bytes()


def test_separator_by_extension_and_decimal_mark(tmp_path):
    table = as_table({"a": [1.5], "b": ["x"]})
    assert write_table(table, tmp_path / "a.csv").read_text() == "a,b\n1.5,x\n"
    assert write_table(table, tmp_path / "b.csv", decimal=",").read_text() == "a;b\n1,5;x\n"
    assert write_table(table, tmp_path / "a.tsv", decimal=",").read_text() == "a\tb\n1,5\tx\n"
    with pytest.raises(InvalidInput, match="Separator and decimal mark are both ','"):
        write_table(table, tmp_path / "c.csv", separator=",", decimal=",")


@pytest.mark.parametrize(
    ("source", "target", "separator"),
    [
        ("a.csv", "b.tsv", "\t"),
        ("a.csv", "b.tab.gz", "\t"),
        ("a.tsv", "b.csv", ";"),
        ("a.tsv", "b.txt", "\t"),
        ("a.csv", "b.csv.gz", ";"),
    ],
)
def test_the_separator_of_another_file_fits_the_extension(tmp_path, source, target, separator):
    """Programs open a .tsv at tabs; the decimal mark and the line ends are still those of the original."""
    cells = [["x", "y"], ["1,5", "a"], ["2,5", "b"]]
    mark = "\t" if source.endswith("tsv") else ";"
    (tmp_path / source).write_bytes("\r\n".join([*map(mark.join, cells), ""]).encode())
    out = write_table(read_table(tmp_path / source), tmp_path / target, like=tmp_path / source, shuffle=False)
    assert unpacked(out).decode() == "\r\n".join([*map(separator.join, cells), ""])


def test_many_rows_are_written_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.io.csv.ROWS_AT_ONCE", 7)
    table = as_table({"a": list(range(50)), "b": [str(i) + "x" for i in range(50)]})
    for name in ("a.csv", "b.csv.gz"):
        path = write_table(table, tmp_path / name, shuffle=False, encoding="utf-16")
        assert read_table(path).frame.rows() == table.frame.rows()


def test_no_records(tmp_path):
    table = as_table(POLARS.clear(), roles={"identifier": "town"})
    for name in ("a.csv", "b.parquet"):
        back = read_table(write_table(table, tmp_path / name))
        assert len(back) == 0
        assert back.names() == ["age", "income", "member", "born", "seen"]


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
@pytest.mark.parametrize("extension", [".csv", ".parquet"])
def test_identifiers_are_dropped_unless_asked(tmp_path, library, extension):
    table = as_table(LIBRARIES[library], roles={"identifier": ["town", "born"]})
    path = write_table(table, tmp_path / f"a{extension}")
    assert read_table(path).names() == ["age", "income", "member", "seen"]
    assert b"Vic" not in path.read_bytes()
    path = write_table(table, tmp_path / f"b{extension}", identifiers=True)
    assert read_table(path).names() == list(COLUMNS)


def test_nothing_but_identifiers_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="Every column is an identifier"):
        write_table(as_table({"a": [1]}, roles={"identifier": "a"}), tmp_path / "a.csv")
    assert os.listdir(tmp_path) == []


def test_row_names_of_r_do_not_undo_the_shuffle(tmp_path):
    source = tmp_path / "r.csv"
    source.write_text('"","age"\n' + "".join(f'"{i}",{i + 20}\n' for i in range(1, 50)))
    assert read_table(write_table(read_table(source), tmp_path / "out.csv")).names() == ["age"]


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
@pytest.mark.parametrize("extension", [".csv", ".parquet"])
def test_rows_are_shuffled_whole_and_reproducibly(tmp_path, library, extension):
    n = 200
    frame = pl.DataFrame({"a": range(n), "b": [f"r{i}" for i in range(n)]})
    native = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}[library]
    rows = {}
    for name, options in {
        "one": {"rng": 1},
        "again": {"rng": 1},
        "two": {"rng": 2},
        "none": {},
        "new": {},
    }.items():
        rows[name] = read_table(
            write_table(as_table(native), tmp_path / f"{name}{extension}", **options)
        ).frame.rows()
        assert sorted(rows[name]) == frame.rows()  # whole records, each once
    assert rows["one"] == rows["again"]
    assert len({tuple(order) for order in rows.values()}) == 4  # fresh randomness by default
    assert frame.rows() not in rows.values()
    kept = write_table(as_table(native), tmp_path / f"kept{extension}", shuffle=False)
    assert read_table(kept).frame.rows() == frame.rows()


def test_the_index_and_metadata_of_pandas_stay_out(tmp_path):
    frame = pd.DataFrame({"age": [30, 41]}, index=pd.Index(["Anna Puig", "Pau Roca"], name="person"))
    frame.attrs["source"] = "secret register"
    for name in ("a.csv", "a.parquet"):
        path = write_table(as_table(frame), tmp_path / name)
        assert read_table(path).names() == ["age"]
        for trace in (b"Puig", b"Roca", b"person", b"secret", b"pandas"):
            assert trace not in path.read_bytes()


def test_metadata_of_an_arrow_schema_stays_out(tmp_path):
    field = pa.field("age", pa.int64(), metadata={"note": "Anna Puig"})
    frame = pa.table({"age": [30, 41]}, schema=pa.schema([field], metadata={"made by": "secret register"}))
    path = write_table(as_table(frame), tmp_path / "a.parquet")
    assert b"Puig" not in path.read_bytes()
    assert b"secret" not in path.read_bytes()
    metadata = pq.read_metadata(path).metadata or {}
    assert set(metadata) <= {b"ARROW:schema"}  # names and types of the columns
    assert pq.read_schema(path).metadata is None


@pytest.mark.parametrize("extension", [".csv", ".parquet"])
def test_categories_that_no_longer_occur_stay_out(tmp_path, extension):
    towns = ["Vic", "Olot"]
    hidden = [*towns, "Gombrèn-the-rare"]
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(hidden))
    frames = [
        pd.DataFrame({"town": pd.Categorical(towns, categories=hidden)}),
        pl.DataFrame({"town": pl.Series(towns, dtype=pl.Enum(hidden))}),
        pl.DataFrame({"town": pl.Series(hidden, dtype=pl.Categorical)}).head(2),
        pa.table({"town": dictionary}),
    ]
    for i, frame in enumerate(frames):
        path = write_table(as_table(frame), tmp_path / f"{i}{extension}", shuffle=False)
        assert b"rare" not in path.read_bytes()
        assert read_table(path).frame["town"].to_list() == towns


def test_a_packed_file_holds_no_name_and_no_time(tmp_path):
    table = as_table({"a": [1, 2]})
    one = write_table(table, tmp_path / "secret-name.csv.gz", shuffle=False).read_bytes()
    assert one[3] == 0  # no flags: no file name
    assert one[4:8] == bytes(4)  # no time
    assert gzip.decompress(one) == b"a\n1\n2\n"


def test_the_table_is_not_changed(tmp_path):
    frame = LIBRARIES["pandas"].copy()
    write_table(as_table(frame), tmp_path / "a.csv")
    pd.testing.assert_frame_equal(frame, LIBRARIES["pandas"])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([[1], [2]], "list"),
        ([{"x": 1}], "struct"),
        ([b"x"], "binary"),
        ([dt.timedelta(1)], "duration"),
        (pl.Series([[1, 2]], dtype=pl.Array(pl.Int64, 2)), "array"),
        (pl.Series([object()], dtype=pl.Object), "object"),
    ],
)
@pytest.mark.parametrize("extension", [".csv", ".parquet"])
def test_nested_and_odd_types_are_refused(tmp_path, values, kind, extension):
    frame = pl.DataFrame({"x": values})
    with pytest.raises(InvalidInput, match=f"Column 'x' holds {kind} values; only numbers"):
        write_table(as_table(frame), tmp_path / f"a{extension}")
    assert os.listdir(tmp_path) == []
    if kind != "object":
        frame.write_parquet(tmp_path / "in.parquet")
        with pytest.raises(InvalidInput, match=f"Column 'x' holds {kind} values"):
            read_table(tmp_path / "in.parquet")


def test_a_pandas_column_of_mixed_objects(tmp_path):
    frame = pd.DataFrame({"x": pd.Series([1, "secret", None], dtype=object)})
    with pytest.raises(InvalidInput, match="Column 'x' mixes types") as caught:
        write_table(as_table(frame), tmp_path / "a.csv")
    assert "secret" not in str(caught.value)


def test_a_frame_is_written_like_its_table_and_nothing_else_is(tmp_path):
    write_table(POLARS, tmp_path / "a.csv", shuffle=False)
    write_table(as_table(POLARS), tmp_path / "b.csv", shuffle=False)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    with pytest.raises(InvalidInput):
        write_table(7, tmp_path / "c.csv")
    assert not (tmp_path / "c.csv").exists()


def test_a_character_that_the_encoding_lacks(tmp_path):
    for table in (as_table({"x": ["a", "ž→"]}), as_table({"→": [1]})):
        with pytest.raises(
            InvalidInput, match="has a character that cp1252 lacks; write with encoding='utf-8'"
        ):
            write_table(table, tmp_path / "a.csv", encoding="cp1252")
    assert os.listdir(tmp_path) == []


def test_other_types_are_written(tmp_path):
    frame = pl.DataFrame(
        {
            "empty": pl.Series([None, None]),
            "exact": pl.Series(["1.50", "2.25"]).cast(pl.Decimal(10, 2)),
            "small": pl.Series([1, 255], dtype=pl.UInt8),
            "time": [dt.time(1, 2), None],
            "nan": [float("nan"), 1.5],
        }
    )
    back = read_table(write_table(as_table(frame), tmp_path / "a.csv", shuffle=False)).frame
    assert back["exact"].to_list() == [1.5, 2.25]
    assert back["small"].to_list() == [1, 255]
    assert back["nan"].to_list() == [None, 1.5]
    assert back["empty"].null_count() == 2
    back = read_table(write_table(as_table(frame), tmp_path / "a.parquet", shuffle=False)).frame
    assert back["nan"].to_list() == [None, 1.5]
    assert back["time"].to_list() == [dt.time(1, 2), None]


@pytest.mark.slow
def test_pandas_without_pyarrow(tmp_path):
    """A machine with pandas alone can write too."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import pandas as pd\n"
        "from shoal.io import write_table\n"
        "from shoal.table import as_table\n"
        "frame = pd.DataFrame({'t': pd.Series(['a', None, 'b'], dtype=object), 'x': [1.5, None, 2.0],\n"
        "    'd': pd.to_datetime(['2020-01-01', None, '2021-01-01'])})\n"
        "write_table(as_table(frame), sys.argv[1], shuffle=False)\n"
    )
    path = tmp_path / "a.csv"
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, timeout=120)
    back = read_table(path).frame
    assert back["t"].to_list() == ["a", None, "b"]
    assert back["x"].to_list() == [1.5, None, 2.0]
    assert back["d"].to_list() == [dt.datetime(2020, 1, 1), None, dt.datetime(2021, 1, 1)]


def test_a_generator_is_taken_as_rng(tmp_path):
    table = as_table({"a": list(range(30))})
    one = write_table(table, tmp_path / "a.csv", rng=np.random.default_rng(3)).read_text()
    assert write_table(table, tmp_path / "b.csv", rng=3).read_text() == one
