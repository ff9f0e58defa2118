"""All commands as one program: what it says when something is wrong."""

from __future__ import annotations

import pytest


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
