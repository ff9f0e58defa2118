"""Every format of the menu: the same values back, the bytes read again, and another package's format."""

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import InvalidInput
from shoal.io import FORMATS, Format, drafted, read_table, write_table
from shoal.io.form import Form
from shoal.io.formats import extension, format_of, formats
from shoal.table import as_table

FRAME = pl.DataFrame(
    {
        "age": [30, None, 41],
        "income": [12.5, 8.25, None],
        "town": ["Vic", None, "=1+1"],
        "member": [True, None, False],
        "born": [dt.date(1990, 1, 2), None, dt.date(1980, 12, 31)],
        "seen": [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(2021, 1, 1)],
    }
)
STATISTICAL = (".sav", ".zsav", ".dta", ".xpt")
WRITTEN = [ending for format in FORMATS if format.write for ending in format.extensions]


@pytest.fixture(params=WRITTEN)
def ending(request):
    if request.param in STATISTICAL:
        pytest.importorskip("pyreadstat")
    return request.param


def test_values_come_back(tmp_path, ending):
    expected = FRAME.with_columns(pl.col("member").cast(pl.Int64)) if ending in STATISTICAL else FRAME
    path = write_table(as_table(FRAME), tmp_path / f"people{ending}", shuffle=False)
    assert read_table(path).frame.to_dict(as_series=False) == expected.to_dict(as_series=False)
    left = {".asc": ["people.rda"], ".dat": ["people.rda"], ".fwf": ["people.rda"]}.get(ending, [])
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, *left])


def test_a_draft_is_read_before_it_is_there(tmp_path, ending):
    target = tmp_path / f"people{ending}"
    table = as_table(FRAME)
    with drafted(target, Form(ending)) as draft:
        draft.write(table.frame, {a.name: a for a in table.attributes})
        cells = draft.cells()
        assert not target.exists()
    assert cells.columns == FRAME.columns
    if ending in (".csv", ".asc"):
        assert [cell.strip() for cell in cells["age"].cast(pl.String).fill_null("")] == ["30", "", "41"]
    texts = [str(cell).strip() for cell in cells["income"]]
    assert [float(text) for text in texts if text not in ("None", "nan", "")] == [12.5, 8.25]
    assert target.exists()


def test_a_draft_given_up_leaves_nothing(tmp_path, ending):
    table = as_table(FRAME)

    def give_up():
        with drafted(tmp_path / f"people{ending}", Form(ending)) as draft:
            draft.write(table.frame, {a.name: a for a in table.attributes})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        give_up()
    assert list(tmp_path.iterdir()) == []


def test_identifiers_stay_out(tmp_path, ending):
    table = as_table(FRAME, roles={"identifier": "town"})
    assert "town" not in read_table(write_table(table, tmp_path / f"people{ending}")).names()


def test_an_extension_belongs_to_one_format():
    known = [ending for format in FORMATS for ending in format.extensions]
    assert len(set(known)) == len(known)
    assert extension(Path("A.JSONL.ZST")) == ".jsonl.zst"


@pytest.mark.parametrize("name", ["a.xls", "a.xlsb", "a.sas7bdat"])
def test_formats_that_are_only_read(tmp_path, name):
    with pytest.raises(InvalidInput, match="can be read but not written; write"):
        write_table(as_table({"a": [1]}), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_another_package_adds_a_format(tmp_path, monkeypatch):
    """An entry point of the group shoal.formats names a `Format`."""

    def read(path, form):
        return as_table({"a": [int(line) for line in path.read_text().split()]})

    def write(frame, attributes, path, form):
        path.write_text("\n".join(map(str, frame["a"])))

    theirs = Format("numbers", (".numbers",), read, lambda path, form: read(path, form).frame, write)

    class Entry:
        def load(self):
            return theirs

    formats.cache_clear()
    monkeypatch.setattr("shoal.io.formats.entry_points", lambda group: [Entry()])
    try:
        assert format_of(Path("x.numbers")) is theirs
        path = write_table(as_table({"a": [1, 2]}), tmp_path / "x.numbers", shuffle=False)
        assert read_table(path).frame["a"].to_list() == [1, 2]
    finally:
        formats.cache_clear()
