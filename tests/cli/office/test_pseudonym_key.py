"""shoal pseudonym-key, and pseudonyms on the way out."""

from __future__ import annotations

import os
import stat

import polars as pl
import pytest

from shoal import InvalidInput, as_table
from shoal.cli.arguments import Naming
from shoal.masking import pseudonymise


def test_identifiers_leave_as_pseudonyms_only_when_asked(command, tmp_path):
    pl.DataFrame({"id": [f"p{i}" for i in range(20)], "age": [30, 40] * 10}).write_csv(tmp_path / "a.csv")
    code, out, err = command("pseudonym-key", "k")
    assert code == 0, err
    assert "Keep it apart" in out
    assert os.name != "posix" or stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
    base = ["mask", "a.csv", "--k", "2", "--quasi", "age", "--identifier", "id"]
    naming = ["--pseudonymise", "id", "--key-file", "k"]
    assert command(*base, "-o", "plain.csv")[0] == 0
    code, _, err = command(*base, *naming, "-o", "named.csv", "--save-recipe", "r.toml")
    assert code == 0, err
    assert pl.read_csv(tmp_path / "plain.csv").columns == ["age"]
    first = pl.read_csv(tmp_path / "named.csv")
    assert first["id"].n_unique() == 20
    assert not any(name.startswith("p") and name[1:].isdigit() for name in first["id"])
    recipe = (tmp_path / "r.toml").read_text()
    assert 'identifier = ["id"]' in recipe, "the recipe alone never releases the names"
    assert (tmp_path / "k").read_text().strip() not in recipe
    assert command("run", "a.csv", "r.toml", *naming, "-o", "again.csv")[0] == 0
    assert set(pl.read_csv(tmp_path / "again.csv")["id"]) == set(first["id"]), "the same every year"


def test_a_key_is_needed_private_and_never_written_over(command, tmp_path):
    (tmp_path / "a.csv").write_text("id,age\nx,30\ny,30\n")
    base = ["mask", "a.csv", "--k", "2", "--quasi", "age", "--pseudonymise", "id", "-o", "out.csv"]
    code, _, err = command(*base)
    assert (code, "--key-file KEY" in err) == (2, True)
    command("pseudonym-key", "k")
    assert command("pseudonym-key", "k")[0] == 2
    if os.name == "posix":
        (tmp_path / "k").chmod(0o644)
        code, _, err = command(*base, "--key-file", "k")
        assert (code, "can be read by others" in err) == (2, True)
    assert not (tmp_path / "out.csv").exists()


def test_households_are_numbered_anew(command, tmp_path):
    homes = [f"home{i // 2}" for i in range(20)]
    pl.DataFrame({"hid": homes, "age": [30, 40] * 10}).write_csv(tmp_path / "a.csv")
    code, out, err = command(
        "mask", "a.csv", "--k", "2", "--quasi", "age", "--household", "hid", "-o", "out.csv"
    )
    assert code == 0, out + err
    released = pl.read_csv(tmp_path / "out.csv")
    assert not set(map(str, released["hid"])) & set(homes)
    assert sorted(released["hid"].value_counts()["count"].to_list()) == [2] * 10


def test_households_that_leave_as_pseudonyms_keep_them_every_year(command, tmp_path):
    frame = pl.DataFrame({"hid": [f"home{i // 2}" for i in range(20)], "age": [30, 40] * 10})
    frame.write_csv(tmp_path / "a.csv")
    command("pseudonym-key", "k")
    naming = ["--pseudonymise", "hid", "--key-file", "k"]
    base = ["mask", "a.csv", "--k", "2", "--quasi", "age", "--household", "hid", *naming]
    assert command(*base, "-o", "one.csv", "--save-fitted", "f.toml")[0] == 0
    assert command("apply", "a.csv", "f.toml", *naming, "-o", "two.csv")[0] == 0
    first, second = (set(pl.read_csv(tmp_path / name)["hid"]) for name in ("one.csv", "two.csv"))
    assert first == second
    assert len(first) == 10
    assert not first & set(frame["hid"])


def test_an_output_never_replaces_the_key(command, tmp_path):
    (tmp_path / "a.csv").write_text("id,age\nx,30\ny,30\n")
    command("pseudonym-key", "k.csv")
    key = (tmp_path / "k.csv").read_text()
    base = ["mask", "a.csv", "--k", "2", "--quasi", "age", "--pseudonymise", "id", "--key-file", "k.csv"]
    assert command(*base, "-o", "k.csv", "--force")[0] == 2
    assert (tmp_path / "k.csv").read_text() == key


def test_a_key_may_be_typed_at_a_terminal(monkeypatch):
    table = as_table({"id": ["x", "y"]}, roles={"identifier": "id"})
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.prompt", lambda _, hide_input, err: "sixteen or more bytes" * hide_input)
    typed = Naming(["id"]).apply(table)
    assert (
        typed.frame["id"].to_list() == pseudonymise(table, key=b"sixteen or more bytes").frame["id"].to_list()
    )
    monkeypatch.setattr("typer.prompt", lambda *_, **__: "short")
    with pytest.raises(InvalidInput, match="at least 16 bytes, got 5"):
        Naming(["id"]).apply(table)
