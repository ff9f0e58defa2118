"""shoal demo: a first protected file."""

from __future__ import annotations


def test_demo_writes_a_protected_file_and_can_be_run_again(shoal, tmp_path):
    code, out, _ = shoal("demo")
    assert (code, "k = 5 reached" in out) == (0, True)
    assert (tmp_path / "demo" / "protected.csv").exists()
    assert shoal("demo")[0] == 0, "it can be run again"
