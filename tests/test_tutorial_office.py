"""The tutorial on testdata does what it says: its commands in order, its recipe, and k counted by hand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import polars as pl
import pytest

PAGE = Path(__file__).parent.parent / "docs" / "tutorial-office.md"
KEYS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age"]


def households_of_classes(path):
    """By hand, as text: how many different households every combination of values has."""
    cells = pl.read_csv(path, infer_schema=False)
    homes: dict[tuple, set] = {}
    for row, home in zip(cells.select(KEYS).rows(), cells["ori_hid"], strict=True):
        homes.setdefault(row, set()).add(home)
    for name in KEYS[:5]:  # a gap of one member is a gap of all
        assert cells.group_by("ori_hid").agg(pl.col(name).n_unique())[name].max() == 1
    return [len(found) for found in homes.values()]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning", "ignore::shoal.InputWarning")
def test_every_command_runs_in_order_and_k_holds_in_both_years(reference, command):
    frame, said = reference("testdata").frame, ""
    frame.filter(pl.col("ori_hid") <= 500).write_csv("testdata.csv")
    frame.filter(pl.col("ori_hid") > 500).write_csv("next.csv")
    text = PAGE.read_text(encoding="utf-8")
    Path("release.toml").write_text(re.search(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1])
    for block in re.finditer(r"^```(shell|py)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if block[1] == "py":
            exec(compile(block[2], PAGE.name, "exec"), {})
            continue
        for line in block[2].splitlines():
            code, out, errors = command(*shlex.split(line)[1:])
            assert code == 0, f"{line}: {errors}"
            said += out
    assert said.count("k = 3 reached") == 2
    assert said.count("Yes: the promise is kept") == 2
    for name in ("public.csv", "next-public.csv"):
        assert min(households_of_classes(name)) >= 3
    assert not set(pl.read_csv("public.csv")["age"].drop_nulls()) - {
        f"[{a}, {a + 10})" for a in range(0, 100, 10)
    }
