"""Without fork, permissions, hard links, signals and modules of POSIX the same commands do the same."""

import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from shoal.datasets import make_census

PROGRAM = Path(__file__).parent / "other_system.py"
QUASI = ("--quasi", "age,sex,region")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    table = make_census(60, rng=1).select(["household", "age", "sex", "region", "income"])
    shoal.write_table(table, folder / "people.csv", identifiers=True)
    shoal.write_table(table, folder / "people.parquet", identifiers=True)
    return folder


def run(folder, *arguments, code=0):
    call = [sys.executable, PROGRAM, *arguments]
    done = subprocess.run(call, capture_output=True, text=True, cwd=folder, timeout=300, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        (
            "mask",
            "people.csv",
            "--k",
            "3",
            *QUASI,
            "--method",
            "mondrian",
            "-o",
            "a.csv",
            "--row-key",
            "key.csv",
        ),
        ("mask", "people.csv", "--k", "3", *QUASI, "--method", "mondrian", "-o", "a.parquet"),
        ("explore", "people.csv", *QUASI, "--methods", "mondrian", "--k", "3,5"),
        ("pseudonym-key", "secret.key"),
    ],
    ids=lambda command: f"{command[0]}-{command[-1]}",
)
def test_commands_that_write(folder, command):
    run(folder, *command)
    assert not list(folder.glob(".shoal-*"))


@pytest.mark.slow
def test_a_file_that_is_there(folder):
    run(folder, "mask", "people.csv", "--k", "3", *QUASI, "--method", "mondrian", "-o", "b.csv")
    before = (folder / "b.csv").read_bytes()
    run(folder, "mask", "people.csv", "--k", "3", *QUASI, "--method", "mondrian", "-o", "b.csv", code=2)
    assert (folder / "b.csv").read_bytes() == before
    run(folder, "mask", "people.csv", "--k", "4", *QUASI, "--method", "mondrian", "-o", "b.csv", "--force")
    assert run(folder, "check", "b.csv", "--k", "4", *QUASI).startswith("Yes")


@pytest.mark.slow
def test_files_larger_than_memory(folder):
    """The lock of a work folder is of POSIX; without it nothing but the removal of left folders is lost."""
    run(folder, "run", "people.parquet", recipe(folder), "-o", "out.parquet", "--memory", "1GB")
    assert (folder / "out.parquet").exists()
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def recipe(folder):
    path = folder / "recipe.toml"
    made = shoal.Recipe("a", {"quasi": ["age"]}, [{"method": "top_code", "quantile": 0.9}])
    path.write_text(made.to_toml())
    return path.name
