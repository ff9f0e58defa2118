"""All commands as one program: what it says when something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.cli.commands import COMMANDS


def test_an_unexpected_error_shows_no_value_unless_debugging(shoal, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("value 1234 of the file")

    monkeypatch.setattr("shoal.cli.arguments.read_table", broken)
    code, out, err = shoal("mask", "people.csv", "--k", "3", "--quasi", "age")
    assert (code, out) == (1, "")
    assert "1234" not in err
    assert "--debug" in err
    with pytest.raises(RuntimeError):
        shoal("mask", "people.csv", "--k", "3", "--quasi", "age", "--debug")


def test_a_command_that_does_not_exist(shoal):
    code, _, err = shoal("graf")
    assert code == 2
    assert "Did you mean 'graph'?" in err


def test_every_command_is_listed_and_loaded_when_called(shoal):
    code, out, _ = shoal("--help")
    assert code == 0
    assert all(f"\n  {name} " in out for name in COMMANDS)
    shown = shoal("graph", "protect", "--help")[1]
    assert "--k <int>" in shown or "--k INTEGER" in shown  # as older versions of typer write it


@pytest.mark.parametrize(
    "line",
    [
        "mask people.csv --k 3 --quasi age -o people.csv",
        "mask people.csv --k 3 --quasi age --save-recipe people.csv",
        "mask people.csv --k 3 --quasi age --save-fitted people.csv",
        "mask people.csv --k 3 --quasi age --report people.csv",
        "mask people.csv --k 3 --quasi age -o out.csv --row-key people.csv",
        "check people.csv --k 3 --quasi age --list people.csv",
        "compare people.csv --quasi age --k 3 --methods mdav --csv people.csv",
        "groups people.csv --quasi age,pay --k 3 -o people.csv",
        "explore people.csv --quasi age --k 3 --methods mdav --csv people.csv",
        "hierarchy make people.csv --column age --width 5 -o people.csv",
        "report people.csv people.csv --quasi age -o people.csv",
    ],
)
def test_no_command_writes_over_its_input_even_if_forced(shoal, line):
    before = Path("people.csv").read_bytes()
    code, _, err = shoal(*line.split(), "--force")
    assert (code, err.splitlines()[-1]) == (
        2,
        "shoal: people.csv is an input and is never overwritten; give another name.",
    )
    assert Path("people.csv").read_bytes() == before


def test_ctrl_c_is_answered_in_a_sentence(command, monkeypatch):
    def version() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.cli.lists.version", version)
    code, _, said = command("version")
    assert (code, said.strip()) == (130, "shoal: Stopped. No file is half-written.")
