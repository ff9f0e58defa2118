"""shoal methods, datasets and version."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from shoal import __version__
from shoal.cli import app


def test_methods_datasets_and_version_are_listed(shoal):
    assert "mdav" in shoal("methods")[1]
    text = shoal("methods", "mdav")[1]
    assert "Domingo-Ferrer" in text
    assert "leftovers\tchoice; group, nearest\tgroup" in text
    assert "Parameters" not in text
    assert json.loads(shoal("methods", "rank_swap", "--json")[1])[0]["high"] == 100
    assert {"menu", "method", "what it does", "options"} == set(json.loads(shoal("methods", "--json")[1])[0])
    assert "load_sme" in shoal("datasets")[1]
    assert json.loads(shoal("datasets", "--json")[1])[0]["name"] == "load_sme"
    assert shoal("version")[1].strip() == shoal("--version")[1].strip() == __version__
    assert "--install-completion" in shoal("--help")[1]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("shoal insp", "inspect"), ("shoal mask --qua", "--quasi"), ("shoal graph prot", "protect")],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_completes_commands_and_options(shell, typed, offered):
    words = typed.split()
    asked = {
        "_SHOAL_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": typed,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1],
    }
    done = CliRunner().invoke(app, prog_name="shoal", env=asked)
    assert offered in done.stdout
