"""shoal demo: a first protected file."""

from __future__ import annotations

from pathlib import Path

from shoal.cli import demo


def test_demo_writes_a_protected_file_and_can_be_run_again(shoal, tmp_path):
    code, out, _ = shoal("demo")
    assert (code, "k = 5 reached" in out) == (0, True)
    assert (tmp_path / "demo" / "protected.csv").exists()
    assert shoal("demo")[0] == 0, "it can be run again"


def test_demo_ends_with_what_to_type_next(shoal, monkeypatch):
    """After `make demo` no shell finds `shoal` by its name alone, and the studio is not installed."""
    said = " ".join(shoal("demo")[1].split())
    next_step = said[said.index("Next: ") :]
    assert f"{next_step.split()[1]} inspect demo/original.csv" in next_step
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr("sys.argv", [".venv/bin/shoal"])
    monkeypatch.setattr(demo, "find_spec", lambda _: True)
    assert demo._studio(Path("demo/a.csv")) == ".venv/bin/shoal studio demo/a.csv"
    monkeypatch.setattr(demo, "find_spec", lambda _: None)
    assert demo._studio(Path("demo/a.csv")) == "make studio"
