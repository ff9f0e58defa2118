"""The log of a program: silent unless asked, one line a call, and nothing of the file in it."""

import logging
import re
import subprocess
import sys

import pytest

import shoal
from shoal import Promise, as_table, microaggregate, read_table, release, write_table
from shoal.errors import InvalidInput
from shoal.masking import MASKERS
from shoal.workflow.registry import bind_method
from test_door import STEPS

SECRETS = ("Gombren", "Queralbs", "Setcases", "31415", "27182")
FILE = "wages_of_Gombren.csv"
LINE = re.compile(r"[a-z_0-9]+( of \d+ records and \d+ columns)?: \d+\.\d{3} s(, ended by \w+)?")


@pytest.fixture
def table():
    frame = {
        "age": [20, 22, 61, 63] * 10,
        "pay": [31415.0, 27182.0, 1.5, 2.5] * 10,
        "town": ["Gombren", "Queralbs", "Setcases", "Gombren"] * 10,
    }
    return as_table(frame, roles={"quasi": ["age", "town"], "confidential": ["pay"]})


def lines(caplog):
    return [record.getMessage() for record in caplog.records if record.name.startswith("shoal")]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("name", STEPS)
def test_no_value_no_name_and_no_path_is_logged(name, table, caplog):
    caplog.set_level(logging.DEBUG, logger="shoal")
    bind_method({"method": name, **STEPS[name]}, MASKERS)(table)
    said = lines(caplog)
    assert any(line.startswith(f"{name} of 40 records") for line in said)
    assert all(LINE.fullmatch(line) for line in said)


def test_reading_releasing_and_what_fails(table, caplog, tmp_path):
    write_table(table, tmp_path / FILE)
    caplog.clear()  # a test of --log may have set the level before
    caplog.set_level(logging.DEBUG, logger="shoal")
    read = read_table(tmp_path / FILE, roles={"quasi": ["age", "town"]})
    release(read, microaggregate(read, k=4), Promise(k=4), tmp_path / "safe_Gombren.csv")
    with pytest.raises(InvalidInput):
        read_table(tmp_path / FILE, kinds={"town": "numeric"})
    said = lines(caplog)
    assert "read_table of 40 records and 3 columns" in said[0]
    assert said[-1].endswith("ended by InvalidInput")
    assert all(LINE.fullmatch(line) for line in said)
    assert not [line for line in said for secret in (*SECRETS, "town") if secret in line]


def test_calls_of_a_program_are_info_and_theirs_are_debug(table, caplog):
    caplog.set_level(logging.INFO, logger="shoal")
    shoal.evaluate(table, microaggregate(table, k=4))
    assert [line.partition(" ")[0] for line in lines(caplog)] == ["microaggregate", "evaluate"]
    names = [record.name for record in caplog.records]
    assert names == ["shoal.masking.microaggregation.microaggregate", "shoal.measures.evaluate"]


def test_nothing_is_said_unless_asked():
    script = (
        "import shoal, logging; t = shoal.as_table({'age': [1, 1]}, roles={'quasi': ['age']});"
        "shoal.check(t, shoal.Promise(k=2)); logging.getLogger('shoal').error('x')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""


def test_the_command_line_says_it_with_log(tmp_path):
    (tmp_path / FILE).write_text("age,town\n" + "20,Gombren\n" * 3)
    call = ["check", FILE, "--k", "3", "--quasi", "age,town"]
    program = [sys.executable, "-c", "from shoal.cli import main; main()", *call]
    plain, logged = (
        subprocess.run([*program, *more], capture_output=True, text=True, check=True, cwd=tmp_path)
        for more in ([], ["--log"])
    )
    assert "read_table" not in plain.stderr
    assert re.search(r" shoal\.io\.read read_table of 3 records and 2 columns: [\d.]+ s\n", logged.stderr)
    assert logged.stdout == plain.stdout
