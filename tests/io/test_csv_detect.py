"""Dialects of csv files: told right, or asked for in one sentence."""

import gzip

import pytest

from shoal.errors import InvalidInput
from shoal.io import CsvFormat, detect_csv, read_table


def columns(path, **options):
    return read_table(path, **options).frame.to_dict(as_series=False)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separator_and_line_ends_are_detected(file, separator, end):
    path = file(end.join([f"town{separator}age", f"Vic{separator}30", f"Olot{separator}41"]) + end)
    assert detect_csv(path) == CsvFormat(separator, line_end="\r\n" if end == "\r\n" else "\n")
    assert columns(path) == {"town": ["Vic", "Olot"], "age": [30, 41]}


def test_decimal_comma_is_detected(file):
    path = file("town;income;rent\nVic;1.234;12,5\nOlot;999;8\n")
    assert detect_csv(path) == CsvFormat(";", ",")
    # a thousands point is not guessed: the column stays text and no number is wrong
    assert columns(path) == {"town": ["Vic", "Olot"], "income": ["1.234", "999"], "rent": [12.5, 8.0]}


def test_decimal_comma_in_a_file_of_one_column(file):
    path = file("rent\n12,5\n8,25\n")
    assert detect_csv(path) == CsvFormat(";", ",")
    assert columns(path) == {"rent": [12.5, 8.25]}


def test_decimal_point_in_a_semicolon_file(file):
    path = file("a;b\n1.5;x,y\n2.25;z\n")
    assert detect_csv(path) == CsvFormat(";", ".")
    assert columns(path) == {"a": [1.5, 2.25], "b": ["x,y", "z"]}


def test_quoted_commas_in_a_comma_file_stay_text(file):
    path = file('id,answers\n1,"1,2"\n2,"3,4"\n')
    assert columns(path)["answers"] == ["1,2", "3,4"]
    with pytest.raises(InvalidInput, match="both ','"):
        read_table(path, separator=",", decimal=",")


@pytest.mark.parametrize("content", ["a;b\nx;1,234\ny;5,678\n", "a;b\nx;1.234\ny;5.678\n"])
def test_thousands_or_decimals_is_asked(file, content):
    path = file(content)
    with pytest.raises(InvalidInput, match=r"'b' has decimals or thousands marks .* give decimal"):
        read_table(path)
    mark = "," if "," in content else "."
    other = "." if mark == "," else ","
    assert columns(path, decimal=mark)["b"] == [1.234, 5.678]
    assert columns(path, decimal=other)["b"] == [f"1{mark}234", f"5{mark}678"]
    assert detect_csv(path, decimal=mark).decimal == mark


def test_two_decimal_marks_are_refused(file):
    with pytest.raises(InvalidInput, match="'a' has decimal points and column 'b' decimal commas"):
        read_table(file("a;b\n1.5;2,5\n"))


def test_a_separator_that_cannot_be_told_is_asked(file):
    path = file("a,b;c\n1,2;3\n")
    with pytest.raises(InvalidInput, match="separator could be comma or semicolon; give `separator`"):
        read_table(path)
    assert columns(path, separator=";") == {"a,b": [1.2], "c": [3]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-32"])
def test_encodings_are_detected(file, encoding):
    path = file("ciutat,edat\nMünchen,30\nLogroño,41\n".encode(encoding))
    assert detect_csv(path).encoding == encoding
    assert columns(path) == {"ciutat": ["München", "Logroño"], "edat": [30, 41]}


def test_a_given_encoding_is_used(file):
    path = file("a,b\nž,1\n".encode("cp1250"))
    assert columns(path, encoding="cp1250")["a"] == ["ž"]
    assert columns(file("a,b\nž,1\n".encode("utf-16-le")), encoding="utf-16-le")["a"] == ["ž"]
    # a mark is no part of the first name
    assert columns(file("a,b\nž,1\n".encode("utf-8-sig")), encoding="utf-8") == {"a": ["ž"], "b": [1]}


def test_gzip_is_unpacked_whatever_its_name(file):
    packed = gzip.compress(b"a,b\n1,x\n")
    assert columns(file(packed)) == columns(file(packed, "people.CSV.gz")) == {"a": [1], "b": ["x"]}
