"""Csv files: dialects told right, awkward layouts read right or refused in one sentence."""

import csv
import io

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import InputWarning, InvalidInput
from shoal.io import read_table, write_table
from shoal.io.csv import written_decimals
from shoal.io.read import text_cells
from shoal.masking import microaggregate
from shoal.table import as_table


def columns(path, **options):
    return read_table(path, **options).frame.to_dict(as_series=False)


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (b"a,b\n\x81\x8d,1\n", {}, "is not utf-8 or cp1252 text; give its `encoding`"),
        (b"a,b\n\xff,1\n", {"encoding": "utf-8"}, "is not utf-8 text"),
        (b"\xff\xfea", {}, "is not utf-16 text"),
        (b"a,b\n1,2\n", {"encoding": "klingon"}, "no text encoding 'klingon'"),
        (b"a,b\n1,2\n", {"encoding": "base64"}, "no text encoding 'base64'"),
        (b"a,b\n1,\0\n", {}, "is binary, not text"),
        ("a,b\n1,2\n".encode("utf-16-le"), {}, "is binary, not text"),
        (b"", {}, "is empty; a header line"),
        (b"\n \r\n\n", {}, "is empty; a header line"),
        (b"\xef\xbb\xbf", {}, "is empty; a header line"),
        (b"a,b\n1,2\n3\n", {}, "Line 3 has 1 cells but the header names 2"),
        (b"a,b\n1,2\n3,4,5\n", {}, "Line 3 has 3 cells but the header names 2"),
        (b'a,b\n"x\ny",2\n\n1,2,3\n', {}, "Line 5 has 3 cells"),
        (b'a,b\n"x\ny",2\n1,2,3\n', {}, "Line 4 has 3 cells"),
        (b"a,b,a\n1,2,3\n", {}, "Two columns are named 'a'"),
        (b"a, a\n1,2\n", {}, "Two columns are named 'a'"),
        (b",column_1\n1,2\n", {}, "Two columns are named 'column_1'"),
        (b"1,2.5\n1,2\n", {}, "first line holds numbers"),
        (b'a,b\n"x,2\n3,4\n', {}, "quote marks do not match"),
        (b'a,b\n"x"y,2\n3,4\n', {}, "quote marks do not match"),
        (b"a,b\n1,2\n", {"separator": ",,"}, "`separator` must be one character"),
        (b"a,b\n1,2\n", {"separator": '"'}, "`separator` must be one character"),
        (b"a,b\n1,2\n", {"decimal": "'"}, "`decimal` must be one of"),
        (b"\x1f\x8bbroken", {}, "cannot be unpacked"),
    ],
)
def test_one_sentence_for_what_cannot_be_read(file, content, options, sentence):
    with pytest.raises(InvalidInput, match=sentence) as caught:
        read_table(file(content), **options)
    assert "\n" not in str(caught.value)


def test_a_gz_file_that_is_none(file):
    with pytest.raises(InvalidInput, match="cannot be unpacked"):
        read_table(file("a,b\n1,2\n", "people.csv.gz"))


def test_quoted_separators_newlines_and_quotes(file):
    path = file('"name, first",note\r\n"Puig, Anna","says ""hi""\r\nand goes"\r\n"",x\r\n')
    assert columns(path) == {
        "name, first": ["Puig, Anna", None],
        "note": ['says "hi"\r\nand goes', "x"],
    }


def test_a_line_break_in_a_column_name(file):
    assert columns(file('"a\nb",c\n1,2\n')) == {"a\nb": [1], "c": [2]}


def test_column_names_that_look_like_patterns(file):
    path = file("*,^a,a$\n1,,2\n")
    assert columns(path) == {"*": [1], "^a": [None], "a$": [2]}
    table = read_table(path, kinds={"^a": "numeric"}, missing_codes={"*": 1})
    assert table.missing() == {"*": 1, "^a": 1, "a$": 0}
    with pytest.raises(InvalidInput, match=r"A column cannot be named '\^a\.\*\$'"):
        read_table(file("a,^a.*$\n1,2\n"))


def test_quote_marks_inside_plain_cells(file):
    path = file('pipe,count\n5" long,1\n6" long,2\n"a ""b""",3\n')
    assert columns(path) == {"pipe": ['5" long', '6" long', 'a "b"'], "count": [1, 2, 3]}


def test_blank_lines_are_skipped(file):
    assert columns(file("\n\na,b\n\n1,2\r\n\r\n3,4\n\n\n")) == {"a": [1, 3], "b": [2, 4]}
    # in one column a blank line in the middle is a missing value, as spreadsheets write it
    assert columns(file("a\n1\n\n3\n\n")) == {"a": [1, None, 3]}


def test_rows_of_separators_are_records(file):
    assert columns(file("a,b\n1,x\n,\n")) == {"a": [1, None], "b": ["x", None]}


def test_header_only_gives_no_records(file):
    for content in ("a,b", "a,b\r\n", '"a",b\n'):
        table = read_table(file(content), roles={"quasi": "a"}, kinds={"a": "numeric"})
        assert len(table) == 0
        assert table.names() == ["a", "b"]
        assert table.names(role="quasi", kind="numeric") == ["a"]


def test_row_names_of_r_and_pandas_are_an_identifier(file):
    path = file('"","age"\n"1",30\n"2",41\n')
    table = read_table(path)
    assert table.names(role="identifier") == ["column_1"]
    assert read_table(path, roles={"other": "column_1"}).names(role="identifier") == []
    # a column that is really called so is nothing special, nor is an empty name further right
    assert read_table(file("column_1,b\n1,2\n")).names(role="identifier") == []
    trailing = read_table(file("a,b,\n1,2,\n"))
    assert trailing.names() == ["a", "b", "column_3"]
    assert trailing.names(role="identifier") == []
    buffer = io.StringIO()
    pd.DataFrame({"age": [30, 41]}).to_csv(buffer)
    assert read_table(file(buffer.getvalue())).names(role="identifier") == ["column_1"]


def test_one_row_and_one_column(file):
    assert columns(file("a\n1")) == {"a": [1]}
    assert columns(file("a\nx, y\n", "people.tsv")) == {"a": ["x, y"]}


def test_a_very_long_cell(file):
    long = "x" * 200_000
    assert columns(file(f'a;b\n1;"{long}"\n')) == {"a": [1], "b": [long]}


def test_names_are_stripped_and_values_of_text_are_not(file):
    assert columns(file("a , b\n1, x\n 2 , y \n")) == {"a": [1, 2], "b": [" x", " y "]}


def test_more_rows_than_the_sample(file):
    rows = [f"{i};{i / 4}".replace(".", ",") for i in range(3000)]
    table = read_table(file("a;b\n" + "\n".join(rows)))
    assert table.frame["b"].to_list() == [i / 4 for i in range(3000)]


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
) | st.sampled_from(
    ['"', '""', ",", ";", "\n", "\r", "\r\n", "a\nb", " x ", "NA", "007", "1,5", "=1+1", "#", "\ufeff", "'"]
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::shoal.InputWarning")
@given(
    rows=st.lists(st.tuples(st.none() | texts, st.none() | st.integers(-(2**63), 2**63 - 1)), max_size=8),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_text_and_numbers_come_back(tmp_path_factory, rows, separator, encoding):
    path = tmp_path_factory.mktemp("csv") / "round.csv"
    # the marker keeps the column text and hypothesis from making every row alike
    words = ["marker", *(row[0] for row in rows)]
    numbers = [7, *(row[1] for row in rows)]
    frame = pl.DataFrame({"text": words, "number": numbers}, schema={"text": pl.String, "number": pl.Int64})
    write_table(as_table(frame), path, shuffle=False, separator=separator, encoding=encoding)
    back = read_table(path, separator=separator).frame
    # an empty text and a missing value are the same empty cell
    assert back["text"].to_list() == [word or None for word in words]
    assert back["number"].to_list() == numbers


@pytest.mark.filterwarnings("ignore::shoal.InputWarning")
@given(words=st.lists(st.none() | texts, min_size=1, max_size=8))
def test_one_column_of_text_comes_back(tmp_path_factory, words):
    path = tmp_path_factory.mktemp("csv") / "round.csv"
    write_table(as_table({"text": ["marker", *words]}), path, shuffle=False)
    back = read_table(path, separator=",").frame
    assert back["text"].to_list() == ["marker", *(word or None for word in words)]


@pytest.mark.slow
@given(
    numbers=st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
    decimal=st.sampled_from([".", ","]),
)
def test_decimals_come_back_exactly(tmp_path_factory, numbers, decimal):
    path = tmp_path_factory.mktemp("csv") / "round.csv"
    write_table(
        as_table({"a": [0.5, *numbers], "b": ["x"] * (len(numbers) + 1)}),
        path,
        shuffle=False,
        decimal=decimal,
    )
    back = read_table(path, separator=";" if decimal == "," else ",", decimal=decimal).frame
    assert back["a"].to_list() == [0.5, *numbers]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::shoal.InputWarning")
@given(rows=st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=6), quoting=st.sampled_from([0, 1]))
def test_the_csv_module_and_shoal_agree(tmp_path_factory, rows, quoting):
    """Oracle: Python's own csv module writes, shoal reads."""
    path = tmp_path_factory.mktemp("csv") / "oracle.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=quoting)
        writer.writerows([("a", "b", "c"), ("marker", "marker", "marker"), *rows])
    with path.open(newline="", encoding="utf-8") as stream:
        expected = list(csv.reader(stream))[1:]
    back = read_table(path, separator=",").frame
    assert back.rows() == [tuple(cell or None for cell in row) for row in expected if row]


def test_zeros_at_the_end_stay_where_a_whole_column_has_them(tmp_path):
    text = "price;share;n\n1,50;0,1;3\n2,00;0,10;4\n-10,25;1,5;5\n;2,5;6\n"
    (tmp_path / "in.csv").write_text(text)
    with pytest.warns(InputWarning, match=r"Column 'share' writes equal numbers in several .* at row 1\)"):
        table = read_table(tmp_path / "in.csv")
    assert [attribute.written for attribute in table.attributes] == ["%.2f", "", "%g"]
    write_table(table, tmp_path / "out.csv", like=tmp_path / "in.csv", shuffle=False)
    assert (tmp_path / "out.csv").read_text() == text.replace("0,10", "0,1")  # equal numbers look alike


def test_means_of_whole_numbers_have_a_point_only_where_they_need_one(tmp_path):
    (tmp_path / "in.csv").write_text("age\n20\n40\n60\n61\n")
    means = microaggregate(read_table(tmp_path / "in.csv"), k=2, columns=["age"])
    write_table(means, tmp_path / "out.csv", shuffle=False)
    assert (tmp_path / "out.csv").read_text() == "age\n30\n30\n60.5\n60.5\n"


@given(
    numbers=st.lists(st.integers(-(10**6), 10**6), min_size=1), decimals=st.integers(1, 6), more=st.booleans()
)
def test_numbers_with_fixed_decimals_by_python(numbers, decimals, more):
    """As Python's own formatting where no digit is cut off; equal texts are equal numbers and only they."""
    values = [n / 10**decimals for n in numbers] + [1 / 3] * more
    written = written_decimals(pl.DataFrame({"x": values}), {"x": f"%.{decimals}f"})["x"].to_list()
    for value, text in zip(values, written, strict=True):
        assert float(text) == value
        if value != 1 / 3 and "e" not in text:
            assert text == f"{value:.{decimals}f}"
    assert len(set(written)) == len({repr(value) for value in values})


@pytest.mark.parametrize("words", [("False", "True"), ("FALSE", "TRUE"), ("false", "true")])
def test_truth_values_are_written_in_the_words_they_were_read_in(tmp_path, words):
    (tmp_path / "in.csv").write_text("x,y\n1,{}\n2,{}\n3,\n".format(*words))
    table = read_table(tmp_path / "in.csv")
    assert table.frame["y"].to_list() == [False, True, None]
    write_table(table, tmp_path / "out.csv", shuffle=False)
    assert (tmp_path / "out.csv").read_text() == "x,y\n1,{}\n2,{}\n3,\n".format(*words)


@pytest.mark.parametrize(
    "numbers",
    [
        ["1.5", "2.25", "60"],  # as spreadsheets write them
        ["1.5", "2.25", "60.0"],  # as Python does
        ["1.50", "2.25", "60.00"],
        ["5", "-1", "0"],
        ["-0.5", "1000000000000000", "2"],
    ],
)
def test_numbers_are_written_as_they_were(tmp_path, numbers):
    text = "x,y\n" + "".join(f"{number},a\n" for number in numbers)
    (tmp_path / "in.csv").write_text(text)
    out = write_table(read_table(tmp_path / "in.csv"), tmp_path / "out.csv", shuffle=False)
    assert out.read_text() == text


@pytest.mark.parametrize(
    "numbers", [["1.5", "1.50"], ["+5", "6"], [".5", "1"], ["0.12345678901234567890", "2"]]
)
def test_numbers_that_cannot_be_are_said(tmp_path, numbers):
    (tmp_path / "in.csv").write_text("x,y\n" + "".join(f"{number},a\n" for number in numbers))
    with pytest.warns(
        InputWarning, match=r"Column 'x' writes equal numbers in several ways .*first at row [01]\)"
    ):
        read_table(tmp_path / "in.csv")


def test_the_line_in_which_excel_says_the_separator(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"sep=;\r\nage;town\r\n30;Vic, old\r\n")
    assert columns(tmp_path / "a.csv") == {"age": [30], "town": ["Vic, old"]}
    assert read_table(tmp_path / "a.csv").names() == text_cells(tmp_path / "a.csv").columns


def test_a_title_above_the_names_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("Register of 2020\nage,town,income\n30,Vic,5\n31,Vic,6\n")
    with pytest.raises(InvalidInput, match=r"The first line is one cell and all others have 3 \(a title"):
        read_table(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("name\nPuig, Ana\nRoca, Pau\n")
    assert columns(tmp_path / "a.csv") == {"name": ["Puig, Ana", "Roca, Pau"]}
