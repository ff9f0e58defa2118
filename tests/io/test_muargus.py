"""mu-Argus: its demonstration files read as they are, its words as ours, and a file in its formats out."""

from pathlib import Path

import pytest

from shoal.datasets.reference import _folders
from shoal.errors import InputWarning, InvalidInput
from shoal.hierarchy import read_recoding
from shoal.io import read_table, write_table
from shoal.io.layout import Layout
from shoal.io.muargus import metadata_text, read_codes, read_metadata
from shoal.masking import global_recode, suppress_to_k
from shoal.table import as_table

METADATA = """hhnum 1 4 "9998" "9999"
  <HOUSE_ID>
weight 5 6
  <NUMERIC>
  <DECIMALS> 2
  <WEIGHT>
town 11 2 99 98
  <RECODABLE>
  <CODELIST> "TOWN.cdl"
  <IDLEVEL> 1
  <SUPPRESSPRIORITY> 50
age 13 2 99
  <RECODABLE>
  <IDLEVEL> 3
  <SUPPRESSWEIGHT> 10
"note of" 15 3
"""


@pytest.fixture(scope="session")
def demo():
    found = [folder / "muargus_demo" for folder in _folders() if (folder / "muargus_demo").is_dir()]
    return found[0] if found else pytest.skip("the demonstration files of mu-Argus are not on this machine")


@pytest.fixture
def people(tmp_path):
    (tmp_path / "people.rda").write_text(METADATA)
    (tmp_path / "town.cdl").write_text('1,Vic\n 2,"Olot, old"\n99,Unknown\n\n')
    path = tmp_path / "people.asc"
    path.write_text("   1 12.50 130a  \n   1 12.509999   \n9998  1.00 2 7x y\n")
    return path


def test_words_of_muargus_are_ours(people):
    table = read_table(people)
    assert table.frame.rows() == [
        (1, 12.5, 1, 30, "a"),
        (1, 12.5, None, None, None),
        (None, 1.0, 2, 7, "x y"),
    ]
    assert table.names(role="household") == ["hhnum"]
    assert table.names(role="weight") == ["weight"]
    assert table.names(role="quasi") == ["town", "age"]
    assert [table.attribute(name).kind for name in ("hhnum", "weight", "town", "age")] == [
        *("nominal", "numeric", "nominal", "ordinal")
    ]
    assert table.attribute("town").value_labels == {1: "Vic", 2: "Olot, old"}
    assert table.attribute("town").missing_codes == {"99": "Unknown", "98": ""}
    assert [table.attribute(name).importance for name in ("town", "age", "weight")] == [50, 10, 1]


def test_the_same_bytes_come_out_with_their_metadata(people, tmp_path):
    table = read_table(people)
    out = write_table(table, tmp_path / "out.asc", like=people, shuffle=False, identifiers=True)
    assert out.read_bytes() == people.read_bytes()
    again = read_table(out)
    assert again.frame.rows() == table.frame.rows()
    assert again.names(role="household") == ["hhnum"]
    assert again.attribute("age").importance == 10
    assert again.attribute("town").value_labels == table.attribute("town").value_labels


def test_importance_decides_what_is_suppressed(people, tmp_path):
    lines = "".join(f"   1  1.00 {town}{age}   \n" for town, age in ((1, 30), (1, 30), (2, 30), (1, 40)))
    people.write_text(lines)
    table = as_table(read_table(people), roles={"quasi": ["town", "age"]})
    lost = suppress_to_k(table, k=2).missing()
    assert lost["town"] <= lost["age"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no column|names no column"),
        ("<NUMERIC>\n", "Line 1 of .* comes before any column"),
        ("age 1\n", "Column 'age' of 'people.rda' needs whole numbers"),
        ("age one 2\n", "needs whole numbers"),
        ("age 1 2\n<DECIMALS> two\n", "needs whole numbers"),
        ('"age 1 2\n', "Line 1 of 'people.rda' has a quote mark too many"),
        ("a 1 2\na 3 2\n", "'a' is named twice"),
        ("a 1 3\nb 2 2\n", "overlap"),
        ("\x1f\x8b not text", "is a data file of R, not mu-Argus metadata"),
        ("RDX3\n", "is a data file of R"),
    ],
)
def test_metadata_that_make_no_sense(people, text, sentence):
    people.with_suffix(".rda").write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidInput, match=sentence):
        read_table(people)


def test_free_format(tmp_path):
    (tmp_path / "a.rda").write_text(
        '<SEPARATOR>  ";"\nage 2 99\n <RECODABLE>\nincome 8\n <NUMERIC>\n <DECIMALS> 1\n'
    )
    (tmp_path / "a.asc").write_text("30;12.5\n99;8.0\n")
    table = read_table(tmp_path / "a.asc")
    assert table.frame.rows() == [(30, 12.5), (None, 8.0)]
    out = write_table(table, tmp_path / "b.asc", like=tmp_path / "a.asc", shuffle=False)
    assert out.read_text() == "30;12.5\n99;8.0\n"
    assert read_table(out).frame.rows() == table.frame.rows()


def test_metadata_of_what_was_written(people):
    layout = read_metadata(people.with_suffix(".rda"))
    text = metadata_text(layout, ["weight", "note of"])
    assert text == 'weight 5 6\n  <NUMERIC>\n  <DECIMALS> 2\n  <WEIGHT>\n"note of" 15 3\n  <RECODABLE>\n'
    assert isinstance(layout, Layout)


# ---- the files that mu-Argus comes with ----------------------------------------------------------------


def test_the_demonstration_file(demo):
    with pytest.warns(InputWarning, match="Demodata.asc has text at positions 58 to 66"):
        table = read_table(demo / "data" / "Demodata.asc")
    assert (len(table), len(table.names())) == (4000, 33)
    assert table.names(role="weight") == ["WEIGHT"]
    assert len(table.names(role="quasi")) == 29
    assert table.attribute("REGION").value_labels[1] == "Aalburg"
    assert table.attribute("SEX").value_labels == {1: "male", 2: "female"}
    assert table.attribute("OCCUCODE").kind == "nominal"
    assert table.frame["OCCUCODE"][0] == "0300"  # a code, whose zeros count
    free = read_table(demo / "data" / "Demofree.asc")
    same = [name for name in table.names() if name != "MONEY"]
    assert free.frame.select(same).equals(table.frame.select(same))


def test_the_demonstration_file_is_the_one_of_sdcmicro(demo):
    csv = demo.parent / "sdcmicro" / "free1.csv"
    if not csv.is_file():
        pytest.skip("free1.csv is not on this machine")
    free, other = read_table(demo / "data" / "Demofree.asc").frame, read_table(csv).frame
    for name in ("AGE", "INCOME", "ASSETS", "WEIGHT"):
        assert free[name].to_list() == other[name].to_list()


def test_households(demo):
    table = read_table(demo / "hhdata" / "Samhh.asc")
    assert len(table) == 1000
    assert table.names(role="household") == ["hhnum"]
    assert table.attribute("town").value_labels[1] == "Wheaton"
    assert table.attribute("province").role == "other"  # identification level 0


def test_the_demonstration_file_comes_out_as_it_was(demo, tmp_path):
    path = demo / "data" / "Demofree.asc"
    out = write_table(read_table(path), tmp_path / "out.asc", like=path, shuffle=False)
    assert read_table(out).frame.equals(read_table(path).frame)
    household = demo / "hhdata" / "Samhh.asc"
    out = write_table(read_table(household), tmp_path / "hh.asc", like=household, shuffle=False)
    assert read_table(out).frame.equals(read_table(household).frame)


@pytest.mark.parametrize(
    ("name", "value", "new"),
    [
        ("Age", 15, "1"),
        ("Age", 25, "2"),
        ("Age", 99, "6"),
        ("Age3", 31, "2"),
        ("Regioc", 165, "38"),
        ("Regiop", 182, "31"),
        ("Etnigr2", 5, "3"),
        ("Marstat", 4, "3"),
        ("Marstat", 9, "9"),
    ],
)
def test_recodings(demo, name, value, new):
    assert read_recoding(demo / "data" / f"{name}.grc", [value]).paths[0][1] == new


def test_every_recoding_and_code_list_is_read(demo):
    for path in sorted((demo / "data").glob("*.grc")):
        assert read_recoding(path, range(1, 183)).height == 2
    for path in sorted(demo.rglob("*.cdl")):
        assert read_codes(path)


def test_a_recoding_recodes(demo):
    table = read_table(demo / "data" / "Demofree.asc")
    recoded = global_recode(table, levels={"AGE": 1}, hierarchies={"AGE": demo / "data" / "Age.grc"})
    assert set(recoded.frame["AGE"]) == {"1", "2", "3", "4", "5", "6"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "names no code"), ("1 = 2\n", "Line 1 .* is not NEW: OLD"), ("<MISSING> 9", "names no")],
)
def test_a_recoding_that_makes_no_sense(tmp_path, text, sentence):
    path = Path(tmp_path, "a.grc")
    path.write_text(text)
    with pytest.raises(InvalidInput, match=sentence):
        read_recoding(path, [1, 2])


@pytest.mark.parametrize("text", ["a;b", 'a"b', "a\nb"])
def test_a_separator_inside_a_value_is_refused_by_row(tmp_path, text):
    (tmp_path / "b.rda").write_text('<SEPARATOR>  ";"\ntown 5\n <RECODABLE>\nage 2\n <NUMERIC>\n')
    table = as_table({"town": ["x", text], "age": [1, 2]})
    with pytest.raises(InvalidInput, match=r"Column 'town' has .* at row 1, which a line of this layout"):
        write_table(table, tmp_path / "b.asc", layout=tmp_path / "b.rda", shuffle=False, overwrite=True)
    assert not (tmp_path / "b.asc").exists()
