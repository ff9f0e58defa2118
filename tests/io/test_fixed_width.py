"""Fixed width: places that fit, lines that do not, and what a place cannot hold."""

import pytest

from shoal.errors import InputWarning, InvalidInput
from shoal.io import read_table, write_table
from shoal.table import as_table

LAYOUT = "name,start,width,decimals,missing\nage,1,3,,999\ntown,4,4,,\nincome,9,6,2,\n"


@pytest.fixture
def layout(tmp_path):
    path = tmp_path / "people.layout.csv"
    path.write_text(LAYOUT)
    return path


@pytest.fixture
def people(tmp_path, layout):
    path = tmp_path / "people.asc"
    path.write_text(" 30Vic   12.50\n999Olot   8.25\n 41\u00fcb   -00.00\n")
    return path


def test_a_layout_file(people):
    table = read_table(people)  # people.layout.csv lies beside it
    assert table.frame.rows() == [(30, "Vic", 12.5), (None, "Olot", 8.25), (41, "üb", 0.0)]


def test_a_layout_that_is_given(people, tmp_path, layout):
    other = tmp_path / "other.csv"
    other.write_text("name;start;width\nage;1;3\n")
    with pytest.warns(InputWarning, match="text at positions 4 to 14 that the layout does not name"):
        assert read_table(people, layout=other).frame["age"].to_list() == [30, 999, 41]


def test_the_same_file_comes_out(people, tmp_path):
    people.write_bytes(b" 30Vic   12.50\r\n999Olot   8.25\r\n")
    table = read_table(people)
    out = write_table(table, tmp_path / "out.asc", like=people, shuffle=False, line_end="\r\n")
    assert out.read_bytes() == people.read_bytes()
    assert read_table(out).frame.rows() == table.frame.rows()  # by out.rda


def test_a_short_line_is_named(people):
    people.write_text(" 30Vic   12.50\n 41Vic\n")
    with pytest.raises(InvalidInput, match=r"Line 2 of people.asc has 6 characters but the layout needs 14"):
        read_table(people)


def test_without_a_layout(tmp_path):
    (tmp_path / "a.dat").write_text("123\n")
    with pytest.raises(InvalidInput, match=r"a.dat needs a layout: .* or put a.rda beside it"):
        read_table(tmp_path / "a.dat")
    (tmp_path / "a.csv").write_text("a\n1\n")
    with pytest.raises(InvalidInput, match="needs no layout"):
        read_table(tmp_path / "a.csv", layout=tmp_path / "a.dat")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "needs a header with name, start and width"),
        ("name,start\na,1\n", "needs a header with name, start and width"),
        ("name,start,width,wide\na,1,2,3\n", "no column of a layout 'wide'"),
        ("name,start,width\na,one,2\n", "Line 2 of the layout 'l.csv' needs whole numbers"),
        ("name,start,width\na,1\n", "Line 2 of the layout 'l.csv' needs whole numbers"),
        ("name,start,width\na,0,2\n", "needs a start and a width from 1"),
        ("name,start,width\na,1,0\n", "needs a start and a width from 1"),
        ("name,start,width\na,1,3\nb,3,2\n", "Columns 'a' and 'b' of the layout overlap"),
        ("name,start,width\na,1,3\na,4,2\n", "'a' is named twice"),
        ("name,start,width\n", "has no column|names no column"),
    ],
)
def test_a_layout_that_makes_no_sense(tmp_path, people, text, sentence):
    (tmp_path / "l.csv").write_text(text)
    with pytest.raises(InvalidInput, match=sentence):
        read_table(people, layout=tmp_path / "l.csv")


def test_a_value_wider_than_its_place_is_refused_by_row(tmp_path, people):
    table = read_table(people).assign(town=["Vic", "Gombrèn", "a"])
    with pytest.raises(
        InvalidInput, match=r"'town' needs 7 characters at row 1 but its layout has 4"
    ) as caught:
        write_table(table, tmp_path / "b.asc", like=people, shuffle=False)
    assert "Gombr" not in str(caught.value)
    assert not (tmp_path / "b.asc").exists()
    assert not (tmp_path / "b.rda").exists()


def test_decimals_that_are_cut_are_said(tmp_path, people):
    table = read_table(people).assign(income=[1.255, 2.0, 3.0])
    with pytest.warns(InputWarning, match="'income' is written with 2 decimals"):
        write_table(table, tmp_path / "b.asc", like=people)


def test_a_column_without_a_place(tmp_path, layout):
    with pytest.raises(InvalidInput, match="no place for column 'other'"):
        write_table(as_table({"age": [1], "other": [2]}), tmp_path / "b.asc", layout=layout)


def test_an_encoding_is_kept_or_refused(tmp_path):
    table = as_table({"town": ["Zürich"]})
    path = write_table(table, tmp_path / "a.asc", encoding="cp850")
    assert path.read_bytes() == "Zürich\n".encode("cp850")
    assert read_table(path, encoding="cp850").frame["town"].to_list() == ["Zürich"]
    with pytest.raises(InvalidInput, match="ascii lacks"):
        write_table(table, tmp_path / "b.asc", encoding="ascii")
    assert not (tmp_path / "b.rda").exists()


@pytest.mark.parametrize("text", ["Vic\nOslo", "Vic\rOslo"])
def test_a_line_break_is_refused_by_row(tmp_path, text):
    with pytest.raises(InvalidInput, match="'town' has a line break at row 1") as caught:
        write_table(as_table({"town": ["a", text]}), tmp_path / "a.asc", shuffle=False)
    assert "Oslo" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a\nb", 'a"b'])
def test_a_name_that_no_layout_holds_is_refused(tmp_path, name):
    with pytest.raises(InvalidInput, match="name of a column has a line break or a quotation mark"):
        write_table(as_table({name: [1]}), tmp_path / "a.asc")
    assert not list(tmp_path.iterdir())


def test_encoding_and_line_ends_stay(tmp_path, layout):
    """A place is counted in letters: ü of two bytes would move what stands behind it."""
    path = tmp_path / "people.asc"
    path.write_bytes(" 30Züri  12.50\r\n 41Bern   8.25\r\n".encode("cp1252"))
    out = write_table(read_table(path), tmp_path / "out.asc", like=path, shuffle=False)
    assert out.read_bytes() == path.read_bytes()
