"""Files of SPSS, Stata and SAS: labels both ways, missing codes, and what the formats cannot hold."""

import datetime as dt
import os
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import InputWarning, InvalidInput
from shoal.io import read_table, write_table
from shoal.io.form import Form
from shoal.io.statistical import statistical_cells
from shoal.table import Table, as_table

pyreadstat = pytest.importorskip("pyreadstat", reason='needs pip install "shoal[stat]"')

EXTENSIONS = [".sav", ".zsav", ".dta", ".xpt"]
LABELLED = [".sav", ".zsav", ".dta"]
COLUMNS = {
    "sex": [1, 2, 1, None],
    "health": [3, 1, 2, 2],
    "income": [12.5, None, 8.25, -999.0],
    "town": ["Vic", "Logroño", None, "Olot"],
    "born": [dt.date(1990, 1, 2), None, dt.date(1880, 12, 31), dt.date(2020, 2, 29)],
    "seen": [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(2021, 1, 1), dt.datetime(1950, 1, 1)],
}


def labelled_table(frame=None):
    table = as_table(
        pl.DataFrame(COLUMNS) if frame is None else frame, kinds={"sex": "nominal", "health": [1, 2, 3]}
    )
    facts = {
        "sex": {"label": "Sex of the person", "value_labels": {1: "woman", 2: "man"}},
        "health": {"label": "Health", "value_labels": {1: "bad", 2: "fair", 3: "good"}},
        "income": {"label": "Yearly income, €"},
    }
    return Table(table.frame, tuple(replace(a, **facts.get(a.name, {})) for a in table.attributes))


# ---- round trips --------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:A .xpt file has no place for labels of values")
@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_values_and_variable_labels_come_back(tmp_path, extension, library):
    frame = pl.DataFrame(COLUMNS)
    frame = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}[library]
    path = write_table(labelled_table(frame), tmp_path / f"a{extension}", shuffle=False)
    assert os.listdir(tmp_path) == [path.name]
    back = read_table(path)
    expected = dict(COLUMNS)
    if library == "pandas":  # it has no dates without a time
        expected["born"] = [day and dt.datetime(day.year, day.month, day.day) for day in COLUMNS["born"]]
    assert back.frame.to_dict(as_series=False) == expected
    assert back.attribute("sex").label == "Sex of the person"
    assert back.attribute("income").label == "Yearly income, €"
    assert back.attribute("town").label == ""


@pytest.mark.parametrize("extension", LABELLED)
def test_value_labels_come_back_and_make_a_column_categorical(tmp_path, extension):
    back = read_table(write_table(labelled_table(), tmp_path / f"a{extension}"))
    assert back.attribute("sex").value_labels == {1: "woman", 2: "man"}
    assert back.attribute("sex").kind == "nominal"
    assert back.attribute("health").value_labels == {1: "bad", 2: "fair", 3: "good"}
    assert back.frame["sex"].dtype == pl.Int64  # codes stay the values
    assert back.attribute("income").kind == "numeric"
    if extension == ".dta":  # Stata does not know what is ordinal
        assert back.attribute("health").kind == "nominal"
    else:
        assert back.attribute("health").kind == "ordinal"
        assert back.attribute("health").order == (1, 2, 3)
    again = read_table(write_table(back, tmp_path / f"b{extension}", shuffle=False))
    assert again.attributes == back.attributes
    assert again.frame.equals(back.frame)


def test_kinds_and_roles_can_be_said_otherwise(tmp_path):
    path = write_table(labelled_table(), tmp_path / "a.sav")
    table = read_table(path, roles={"quasi": ["sex"]}, kinds={"sex": "numeric", "health": "nominal"})
    assert table.attribute("sex").kind == "numeric"
    assert table.attribute("sex").role == "quasi"
    assert table.attribute("sex").label == "Sex of the person"
    assert table.attribute("health").kind == "nominal"


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_no_records(tmp_path, extension):
    frame = pl.DataFrame(schema={"a": pl.Float64, "b": pl.String})
    back = read_table(write_table(as_table(frame), tmp_path / f"a{extension}"))
    assert len(back) == 0
    assert back.frame.schema == frame.schema


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_identifiers_dropped_and_rows_shuffled(tmp_path, extension):
    table = as_table(
        {"name": [f"p{i}" for i in range(100)], "age": list(range(100))}, roles={"identifier": "name"}
    )
    orders = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        path = write_table(table, tmp_path / f"{name}{extension}", rng=seed)
        assert b"p77" not in path.read_bytes()
        orders.append(read_table(path).frame["age"].to_list())
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == list(range(100)) != orders[0]


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_truth_values_and_exact_decimals(tmp_path, extension):
    frame = pl.DataFrame(
        {"member": [True, False, None], "exact": pl.Series(["1.5", "2", None]).cast(pl.Decimal(8, 2))}
    )
    back = read_table(write_table(as_table(frame), tmp_path / f"a{extension}", shuffle=False)).frame
    assert back["member"].to_list() == [1, 0, None]
    assert back["exact"].to_list() == [1.5, 2.0, None]


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_times_come_back_to_the_millisecond(tmp_path, extension):
    moments = [dt.datetime(2020, 1, 2, 3, 4, 5, i * 1000) for i in range(1000)]
    frame = pl.DataFrame({"seen": moments, "at": [moment.time() for moment in moments]})
    back = read_table(write_table(as_table(frame), tmp_path / f"a{extension}", shuffle=False)).frame
    assert (back["seen"] - frame["seen"]).dt.total_microseconds().abs().max() <= 1000
    zoned = frame.select(frame["seen"].dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo"))
    back = read_table(write_table(as_table(zoned), tmp_path / f"b{extension}", shuffle=False)).frame
    assert (back["seen"] - frame["seen"]).dt.total_microseconds().abs().max() <= 1000  # in UTC


# ---- what the files say -------------------------------------------------------------------------------


def spss(path, columns, **facts):
    pyreadstat.write_sav(pl.DataFrame(columns), str(path), **facts)
    return path


def test_user_missing_values_of_spss_are_missing(tmp_path):
    path = spss(
        tmp_path / "a.sav",
        {"health": [1.0, 9.0, 2.0, 98.0], "town": ["Vic", "zz", "Olot", ""]},
        variable_value_labels={"health": {1.0: "bad", 2.0: "good", 9.0: "refused", 98.0: "unknown"}},
        missing_ranges={"health": [9.0, {"lo": 90.0, "hi": 99.0}], "town": ["zz"]},
        variable_measure={"health": "ordinal"},
    )
    with pytest.warns(
        InputWarning, match=r"codes of health \(2 cells\), town \(1 cells\) are read as missing"
    ):
        table = read_table(path)
    assert table.frame["health"].to_list() == [1, None, 2, None]
    assert table.frame["town"].to_list() == ["Vic", None, "Olot", None]
    assert table.attribute("health").order == (1, 2)  # a refusal is no degree of health
    assert table.attribute("health").value_labels == {1: "bad", 2: "good"}


def test_a_value_without_a_label_has_its_place_in_the_order(tmp_path):
    path = spss(
        tmp_path / "a.sav",
        {"scale": [0.0, 5.0, 10.0]},
        variable_value_labels={"scale": {0.0: "not at all", 10.0: "very"}},
        variable_measure={"scale": "ordinal"},
    )
    assert read_table(path).attribute("scale").order == (0, 5, 10)


@pytest.mark.parametrize(
    ("measure", "labels", "kind"),
    [
        ("scale", {1.0: "one", 2.0: "two"}, "nominal"),  # all values have a label: codes, whatever is said
        ("scale", {1.0: "none"}, "numeric"),  # an amount with a labelled special value
        ("unknown", {1.0: "none"}, "nominal"),
        ("nominal", {}, "nominal"),
        ("ordinal", {}, "ordinal"),
        ("scale", {}, "numeric"),
        ("unknown", {}, "numeric"),
    ],
)
@pytest.mark.parametrize("times", [1, 100])  # few values of many records are ordinal only if nothing is said
def test_the_measure_of_spss(tmp_path, measure, labels, kind, times):
    path = spss(
        tmp_path / "a.sav",
        {"x": [1.0, 2.0] * times},
        variable_value_labels={"x": labels} if labels else None,
        variable_measure={"x": measure},
    )
    assert read_table(path).attribute("x").kind == kind


def test_whole_numbers_of_stata_stay_whole(tmp_path):
    """Few different ones are codes or grades there, as they are in a csv."""
    whole = pl.DataFrame({"rooms": [1, 2, 3, None] * 50, "pay": list(range(200))})
    pyreadstat.write_dta(whole.cast(pl.Int32), str(tmp_path / "a.dta"))
    table = read_table(tmp_path / "a.dta")
    assert table.frame.schema == {"rooms": pl.Int64, "pay": pl.Int64}
    assert [a.kind for a in table.attributes] == ["ordinal", "numeric"]
    again = read_table(write_table(table, tmp_path / "b.dta", shuffle=False))
    assert again.frame.equals(whole)


def test_missing_codes_of_stata_are_missing(tmp_path):
    path = tmp_path / "a.dta"
    frame = pl.DataFrame({"x": pl.Series([1, "a", 3], dtype=pl.Object)}).to_pandas()
    pyreadstat.write_dta(
        frame,
        str(path),
        missing_user_values={"x": ["a"]},
        variable_value_labels={"x": {1: "one", "a": "refused"}},
    )
    with pytest.warns(InputWarning, match="User-missing codes of x are read as missing"):
        table = read_table(path)
    assert table.frame["x"].to_list() == [1, None, 3]
    assert table.attribute("x").value_labels == {1: "one"}


def test_labels_of_texts(tmp_path):
    path = spss(
        tmp_path / "a.sav", {"x": ["f", "m"]}, variable_value_labels={"x": {"f": "woman", "m": "man"}}
    )
    table = read_table(path)
    assert table.attribute("x").value_labels == {"f": "woman", "m": "man"}
    again = read_table(write_table(table, tmp_path / "b.sav"))
    assert again.attribute("x").value_labels == {"f": "woman", "m": "man"}


def test_further_missing_values(tmp_path):
    path = write_table(labelled_table(), tmp_path / "a.sav", shuffle=False)
    assert read_table(path).missing()["income"] == 1  # a true -999 stays
    assert read_table(path, missing_codes={"income": [-999]}).missing()["income"] == 2


# ---- after masking ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:A .xpt file has no place for labels of values")
@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize(
    "masked", [[1.5, 1.5, 1.5, 1.5], ["1|2"] * 4, [7, 7, 7, 7], [None] * 4, [1.0, 1.25, 2.0, None]]
)
def test_values_that_are_no_codes_any_more(tmp_path, extension, masked):
    table = labelled_table().assign(sex=masked)
    back = read_table(write_table(table, tmp_path / f"a{extension}", shuffle=False))
    assert back.frame["sex"].to_list() == masked


@pytest.mark.parametrize("extension", LABELLED)
def test_labels_of_codes_that_no_longer_occur_stay_out(tmp_path, extension):
    path = write_table(labelled_table().assign(health=[2, 2, 2, 3]), tmp_path / f"a{extension}")
    assert read_table(path).attribute("health").value_labels == {2: "fair", 3: "good"}
    if extension != ".zsav":  # there the bytes are packed
        assert b"fair" in path.read_bytes()
        assert b"bad" not in path.read_bytes()


@pytest.mark.parametrize("extension", LABELLED)
def test_notes_and_file_labels_stay_out(tmp_path, extension):
    source = tmp_path / "in.sav"
    spss(source, {"x": [1.0, 2.0]}, file_label="secret register", note="from Anna Puig")
    path = write_table(read_table(source), tmp_path / f"out{extension}")
    assert b"secret" not in path.read_bytes()
    assert b"Puig" not in path.read_bytes()
    if extension == ".sav":
        facts = pyreadstat.read_sav(str(path))[1]
        assert not facts.file_label
        assert not facts.notes


# ---- one sentence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", [*EXTENSIONS, ".sas7bdat"])
def test_a_broken_file(tmp_path, extension):
    path = tmp_path / f"a{extension}"
    for content in (b"", b"a,b\n1,2\n" * 50):
        path.write_bytes(content)
        with pytest.raises(
            InvalidInput, match=f"is broken, no {extension} file, or needs its `encoding` said"
        ):
            read_table(path)


def test_sas7bdat_is_read_only(tmp_path):
    with pytest.raises(InvalidInput, match=r"read but not written; write \.xpt"):
        write_table(as_table({"a": [1]}), tmp_path / "a.sas7bdat")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("name", ["two words", "1st", "x" * 70])
def test_names_that_the_format_cannot_hold(tmp_path, extension, name):
    with pytest.raises(
        InvalidInput, match=f"A {extension} file cannot hold the name '{name}' .*; rename"
    ) as caught:
        write_table(as_table({name: [1]}), tmp_path / f"a{extension}")
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("extension", "values"),
    [
        (".sav", [2**60 + 1]),
        (".dta", [2**60 + 1]),
        (".xpt", [2**60 + 1]),
        (".xpt", [1e300]),
        (".dta", [1.7e308]),
        (".dta", [float("inf")]),
        (".xpt", ["x" * 70_000]),
    ],
)
def test_values_that_the_format_cannot_hold(tmp_path, extension, values):
    with pytest.raises(InvalidInput, match=f"A {extension} file cannot hold") as caught:
        write_table(as_table({"a": values}), tmp_path / f"a{extension}")
    assert len(str(caught.value)) < 300
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.98])
def test_a_library_silent_about_a_full_disk(tmp_path, monkeypatch, extension, share):
    """pyreadstat reports no error when the last bytes do not reach the disk; the read-back does."""
    name = {".dta": "write_dta", ".xpt": "write_xport"}.get(extension, "write_sav")
    write = getattr(pyreadstat, name)

    def cut(frame, path, **options):
        write(frame, path, **options)
        os.truncate(path, int(share * os.path.getsize(path)))

    monkeypatch.setattr(pyreadstat, name, cut)
    with pytest.raises(InvalidInput, match=r"could not be written|cannot hold"):
        write_table(as_table({"a": [i / 7 for i in range(3000)]}), tmp_path / f"a{extension}")
    assert os.listdir(tmp_path) == []


def test_without_pyreadstat(tmp_path, monkeypatch):
    path = write_table(labelled_table(), tmp_path / "a.sav")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    for call in (lambda: read_table(path), lambda: write_table(labelled_table(), tmp_path / "b.dta")):
        with pytest.raises(InvalidInput, match=r'need pyreadstat: pip install "shoal\[stat\]"'):
            call()
    assert os.listdir(tmp_path) == ["a.sav"]


# ---- what SPSS calls missing, both ways ---------------------------------------------------------------


MISSING = {
    "health": [1.0, 9.0, 2.0, 98.0],
    "income": [100.5, -1.0, 300.0, 250.0],
    "town": ["Vic", "zz", "Olot", ""],
}


@pytest.fixture
def with_missing_codes(tmp_path):
    return spss(
        tmp_path / "in.sav",
        MISSING,
        variable_value_labels={
            "health": {1.0: "bad", 2.0: "good", 9.0: "refused", 98.0: "unknown"},
            "income": {-1.0: "refused"},
        },
        missing_ranges={"health": [9.0, {"lo": 90.0, "hi": 99.0}], "income": [-1.0], "town": ["zz"]},
        variable_measure={"health": "nominal", "income": "scale"},
    )


@pytest.mark.parametrize("extension", [".sav", ".zsav"])
def test_declarations_and_their_labels_come_back(tmp_path, with_missing_codes, extension):
    with pytest.warns(InputWarning, match="User-missing codes of health"):
        table = read_table(with_missing_codes)
    assert table.attribute("health").missing_codes == {9: "refused", (90, 99): "", 98: "unknown"}
    path = write_table(table, tmp_path / f"out{extension}", shuffle=False)
    before = pyreadstat.read_sav(str(with_missing_codes), user_missing=True)[1]
    after = pyreadstat.read_sav(str(path), user_missing=True)[1]
    assert after.missing_ranges == before.missing_ranges
    assert after.variable_value_labels == before.variable_value_labels
    again = read_table(path)  # says nothing: the cells are missing, no code is left
    assert again.frame.rows() == table.frame.rows()
    assert again.attributes == table.attributes


def test_kept_codes_are_values_and_come_back(tmp_path, with_missing_codes):
    table = read_table(with_missing_codes, keep_codes=True)
    assert table.frame["health"].to_list() == [1, 9, 2, 98]
    assert table.frame["income"].to_list() == [100.5, -1.0, 300.0, 250.0]
    assert table.attribute("income").kind == "nominal"  # a refusal has no mean
    assert table.frame["town"].to_list() == ["Vic", "zz", "Olot", None]
    path = write_table(table, tmp_path / "out.sav", shuffle=False)
    found, after = pyreadstat.read_sav(str(path), user_missing=True, output_format="polars")
    assert found["health"].to_list() == [1, 9, 2, 98]
    assert (
        after.missing_ranges
        == pyreadstat.read_sav(str(with_missing_codes), user_missing=True)[1].missing_ranges
    )


def test_kept_codes_of_a_range_are_no_amounts(tmp_path):
    path = tmp_path / "range.sav"
    frame = pl.DataFrame({"pay": [1000.5, -8.0, 2000.25, -8.0]})
    pyreadstat.write_sav(frame, str(path), missing_ranges={"pay": [{"lo": -10, "hi": -1}]})
    kept = read_table(path, keep_codes=True)
    assert kept.attribute("pay").kind == "nominal"  # a mean of -8 and an amount says nothing
    out = write_table(kept, tmp_path / "out.sav", shuffle=False)
    assert read_table(out, keep_codes=True).frame["pay"].to_list() == [1000.5, -8.0, 2000.25, -8.0]
    with pytest.warns(InputWarning, match="User-missing codes of pay"):
        assert read_table(out).frame["pay"].to_list() == [1000.5, None, 2000.25, None]
    with pytest.warns(InputWarning):
        assert read_table(path).attribute("pay").kind == "numeric"


def test_a_masked_value_never_becomes_missing_without_a_word(tmp_path, with_missing_codes):
    with pytest.warns(InputWarning):
        table = read_table(with_missing_codes)
    masked = table.assign(income=[-1.0, -1.0, 5.0, 5.0])
    with pytest.warns(InputWarning, match="'income' has values that its file declared missing"):
        path = write_table(masked, tmp_path / "out.sav", shuffle=False)
    assert read_table(path).frame["income"].to_list() == [-1.0, -1.0, 5.0, 5.0]


def test_cells_of_a_draft_show_the_codes(with_missing_codes):
    cells = statistical_cells(with_missing_codes, Form(".sav"))
    assert cells["health"].to_list() == [1, 9, 2, 98]


def test_other_formats_hold_the_values_without_declarations(tmp_path, with_missing_codes):
    with pytest.warns(InputWarning):
        table = read_table(with_missing_codes)
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        with pytest.warns(
            InputWarning, match=rf"A \{Path(name).suffix} file has no place for labels of values"
        ):
            back = read_table(write_table(table, tmp_path / name, shuffle=False))
        assert back.frame["income"].to_list() == [100.5, None, 300.0, 250.0]
    back = read_table(write_table(table, tmp_path / "a.dta", shuffle=False))
    assert back.frame["income"].to_list() == [100.5, None, 300.0, 250.0]


def test_what_a_format_has_no_place_for_is_said(tmp_path, with_missing_codes):
    """Labels of columns, labels of values, and codes that mean missing where they were kept as values."""
    kept = read_table(with_missing_codes, keep_codes=True)
    said = Table(kept.frame, tuple(replace(a, label="in words") for a in kept.attributes))
    for name, lost in (
        (
            "a.csv",
            r"labels of columns \(.*\) and labels of values \(.*\) and codes that mean missing \(.*\);",
        ),
        ("a.xpt", r"no place for labels of values \(.*\) and codes that mean missing \("),
        ("a.dta", r"no place for codes that mean missing \("),
        ("a.duckdb", r"A table of duckdb has no place for labels of columns \("),
    ):
        with pytest.warns(InputWarning, match=lost):
            write_table(said, tmp_path / name, into="t" if name == "a.duckdb" else None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_table(said, tmp_path / "a.sav")
