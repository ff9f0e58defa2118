"""shoal apply and --save-fitted: next year's file is treated like this year's."""

from __future__ import annotations

import polars as pl
import pytest


@pytest.fixture
def years(tmp_path):
    for name, top in (("one", 100), ("two", 300)):
        pl.DataFrame(
            {"id": range(60), "age": [20, 30, 40] * 20, "pay": [*range(1, 60), top], "town": ["a", "b"] * 30}
        ).write_csv(tmp_path / f"{name}.csv")
    (tmp_path / "r.toml").write_text(
        'name = "pay"\n[roles]\nquasi = ["age", "pay"]\nidentifier = ["id"]\n[promise]\nk = 3\n'
        '[[steps]]\nmethod = "top_code"\nquantile = 0.9\ncolumns = ["pay"]\n'
        '[[steps]]\nmethod = "microaggregate"\n'
    )
    return tmp_path


def test_the_next_file_gets_the_thresholds_of_the_first(command, years):
    code, out, err = command("run", "one.csv", "r.toml", "--save-fitted", "f.toml", "-o", "safe1.csv")
    assert code == 0, err
    assert "What was learned is in f.toml: top_code keeps its threshold." in " ".join(out.split())
    code, out, err = command("apply", "two.csv", "f.toml", "-o", "safe2.csv")
    assert code == 0, err
    assert out.startswith("k = 3 reached")
    assert "54" in (years / "f.toml").read_text()
    assert "quantile" not in (years / "f.toml").read_text()
    rows = pl.read_csv(years / "safe2.csv").select("age", "pay").rows()
    assert min(rows.count(row) for row in rows) >= 3
    assert max(pay for _, pay in rows) <= 54


def test_a_plain_recipe_learned_nothing_and_inputs_stay(command, years):
    assert command("apply", "two.csv", "r.toml")[0] == 0
    code, _, err = command("apply", "two.csv", "r.toml", "-o", "r.toml", "--force")
    assert (code, "input" in err) == (2, True)
    code, _, err = command("run", "one.csv", "r.toml", "--save-fitted", "one.csv", "--force")
    assert code == 2, err
    code, _, err = command("apply", "two.csv", "r.toml", "--unknown", "guess")
    assert (code, "must be refuse or top" in err) == (2, True)


def test_a_broken_promise_writes_nothing(command, years):
    pl.DataFrame({"id": range(4), "age": [1, 1, 9, 9], "pay": [1, 2, 3, 4]}).write_csv(years / "small.csv")
    text = (years / "r.toml").read_text().replace("k = 3", "k = 4").replace('"microaggregate"', '"shuffle"')
    (years / "broken.toml").write_text(text)
    code, _, err = command("apply", "small.csv", "broken.toml", "-o", "out.csv")
    assert code == 3, err
    assert not (years / "out.csv").exists()


def test_next_year_has_its_pages_too(command, years):
    assert command("run", "one.csv", "r.toml", "--save-fitted", "f.toml")[0] == 0
    code, _, err = command("apply", "two.csv", "f.toml", "-o", "safe.csv", "--report", "page.md")
    assert code == 0, err
    assert "k = 3" in (years / "page.md").read_text()
    assert command("apply", "two.csv", "f.toml", "-o", "again.csv", "--report", "two.csv")[0] == 2
    assert not (years / "again.csv").exists()
