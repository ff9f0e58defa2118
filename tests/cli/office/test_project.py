"""shoal project: all tables or none."""

from __future__ import annotations

import json

from workflow.project.test_release_project import PROJECT, write_files


def test_a_project_is_released_with_every_count(command, tmp_path):
    write_files(tmp_path, 1)
    (tmp_path / "project.toml").write_text(PROJECT)
    code, out, err = command("project", "project.toml", "-o", "out")
    assert code == 0, err
    assert "join persons.home -> homes.id: k = 3 reached" in " ".join(out.split())
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["homes.csv", "persons.csv"]
    code, out, _ = command("project", "project.toml", "-o", "second", "--json")
    assert json.loads(out)["kept"] is True
    assert command("project", "project.toml", "-o", "out")[0] == 2


def test_a_broken_join_is_exit_code_3(command, tmp_path):
    write_files(tmp_path, 1, empty=0)
    (tmp_path / "project.toml").write_text(PROJECT.replace("[promise]\nk = 3", "[promise]\nk = 30"))
    code, _, err = command("project", "project.toml", "-o", "out")
    assert (code, "on the join" in err) == (3, True)
    assert not (tmp_path / "out").exists()


def test_what_is_wrong_says_its_table_and_keys_of_joins_are_no_doubt(command, tmp_path):
    write_files(tmp_path, 1)
    (tmp_path / "project.toml").write_text(PROJECT.replace("k = 3", "k = 5000"))
    code, _, err = command("project", "project.toml", "-o", "out")
    assert (code, "Table homes: " in err) == (2, True)
    assert not (tmp_path / "out").exists()
    assert "own in id" not in err, "its numbers are drawn anew"
