"""Dates as people write them: told apart where they can be, and written again as they were."""

import datetime as dt

import pytest

from shoal.errors import InputWarning, InvalidInput
from shoal.io import read_table, write_table


@pytest.mark.parametrize(
    ("cells", "first", "pattern"),
    [
        (["2020-01-02", "2021-12-31"], dt.date(2020, 1, 2), "%Y-%m-%d"),
        (["31.12.2021", "01.02.2020"], dt.date(2021, 12, 31), "%d.%m.%Y"),
        (["1.2.2020", "31.12.2021"], dt.date(2020, 2, 1), "%-d.%-m.%Y"),
        (["31/12/2021", "01/02/2020"], dt.date(2021, 12, 31), "%d/%m/%Y"),
        (["12/31/2021", "01/02/2020"], dt.date(2021, 12, 31), "%m/%d/%Y"),
        (["2021/12/31"], dt.date(2021, 12, 31), "%Y/%m/%d"),
        (["31-12-2021"], dt.date(2021, 12, 31), "%d-%m-%Y"),
        (["31.12.2021 23:59", "01.01.2022 00:00"], dt.datetime(2021, 12, 31, 23, 59), "%d.%m.%Y %H:%M"),
        (["2020-01-02T03:04:05"], dt.datetime(2020, 1, 2, 3, 4, 5), "%Y-%m-%dT%H:%M:%S"),
        (["2020-01-02T03:04:05.000000000"], dt.datetime(2020, 1, 2, 3, 4, 5), "%Y-%m-%dT%H:%M:%S%.9f"),
        (["2020-01-02 03:04:05.250"], dt.datetime(2020, 1, 2, 3, 4, 5, 250000), "%Y-%m-%d %H:%M:%S%.3f"),
    ],
)
def test_a_date_is_read_and_written_as_it_was(tmp_path, cells, first, pattern):
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["born;x", *(f"{cell};1" for cell in cells), ";1"]) + "\n")
    table = read_table(path)
    assert table.frame["born"][0] == first
    assert table.attribute("born").written == pattern
    assert table.attribute("born").kind == "ordinal"
    assert write_table(table, tmp_path / "b.csv", like=path, shuffle=False).read_bytes() == path.read_bytes()


def test_day_and_month_are_not_guessed(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("born\n01/02/2020\n03/04/2021\n")
    with pytest.warns(InputWarning, match=r"'born' holds dates whose day and month .* '%d/%m/%Y'"):
        assert read_table(path).frame["born"].to_list() == ["01/02/2020", "03/04/2021"]
    table = read_table(path, dates={"born": "%d/%m/%Y"})
    assert table.frame["born"][0] == dt.date(2020, 2, 1)
    assert write_table(table, tmp_path / "b.csv", shuffle=False).read_bytes() == path.read_bytes()


def test_a_pattern_that_does_not_fit_is_refused_by_row(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("born\n01/02/2020\n31/31/2021\n")
    with pytest.raises(InvalidInput, match=r"Column 'born' has a value at row 1 that is not in the pattern"):
        read_table(path, dates={"born": "%d/%m/%Y"})


@pytest.mark.filterwarnings("ignore:Column .born. holds (dates but for|days with years)")
@pytest.mark.parametrize("cell", ["30.02.2020", "1.2.20", "2020-13-01", "12.2020.1", "01.02.2020x", "1.2.3"])
def test_what_is_no_date_stays_text(tmp_path, cell):
    path = tmp_path / "a.csv"
    path.write_text(f"born\n{cell}\n{cell}\n")
    assert read_table(path, decimal=".").frame["born"].to_list() == [cell, cell]


def test_a_masked_date_is_written_in_the_pattern(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("born\n31.12.2020\n01.02.2021\n")
    table = read_table(path)
    masked = table.assign(born=[dt.date(2020, 12, 31)] * 2)
    assert write_table(masked, tmp_path / "b.csv").read_text() == "born\n31.12.2020\n31.12.2020\n"
    gone = table.assign(born=["2020", "2021"])
    assert "2020" in write_table(gone, tmp_path / "c.csv").read_text()


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["31.12.1990", "30.02.1990", "01.02.1985"], r"dates but for 1 that do not exist .*first at row 1\)"),
        (
            ["31.12.1990", "unknown", "01.02.1985"],
            r"dates but for 1 values \(first at row 1\), so it is nominal",
        ),
        (
            ["19901231", "19850201", "20000101"],
            r"whole numbers that all are days .*dates=\{'born': '%Y%m%d'\}",
        ),
    ],
)
def test_a_column_of_dates_that_is_read_as_something_else_says_so(tmp_path, cells, said):
    """Taken as categories, or averaged as numbers (the 65th of a month), without a word would be worse."""
    path = tmp_path / "a.csv"
    path.write_text("born,x\n" + "".join(f"{cell},1\n" for cell in cells))
    with pytest.warns(InputWarning, match=said):
        assert read_table(path).frame.schema["born"] != dt.date
    if cells[0].isdigit():
        table = read_table(path, dates={"born": "%Y%m%d"})
        assert table.frame["born"][0] == dt.date(1990, 12, 31)
        assert write_table(table, tmp_path / "b.csv", shuffle=False).read_text() == path.read_text()


def test_moments_with_a_z_come_back(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("seen,x\n2020-01-02T10:00:00Z,1\n2021-01-02T11:30:15Z,1\n")
    table = read_table(path)
    assert table.frame["seen"][1] == dt.datetime(2021, 1, 2, 11, 30, 15)
    assert write_table(table, tmp_path / "b.csv", shuffle=False).read_text() == path.read_text()
