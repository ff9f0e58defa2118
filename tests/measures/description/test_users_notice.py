"""Three sentences, each true of the files."""

from __future__ import annotations

import numpy as np

from shoal import as_table, mondrian, suppress_to_k
from shoal.datasets import make_census
from shoal.measures import users_notice


def test_nothing_changed():
    table = as_table({"age": [20, 30, 40], "pay": [1.0, 2.0, 4.0]})
    first, second, third = users_notice(table, table)
    assert (first, second) == ("Every column is exactly as before.", "Nothing was changed.")
    assert third.startswith("How columns go together stayed")


def test_sentences_name_what_changed():
    table = make_census(200, rng=1)
    coarse = users_notice(table, mondrian(table, k=5))
    assert "columns are exactly as before" in coarse[0]
    assert "ranges or wider groups" in coarse[1]
    assert " went from " in coarse[2]
    hidden = users_notice(table, suppress_to_k(table, k=5, columns=["age", "education"]))
    assert hidden[1].endswith("% of its cells are missing now.")


def test_none_and_one():
    x = np.arange(4.0)
    assert users_notice({"x": x}, {"x": x + 1})[0] == "None of 1 columns is exactly as before."
    assert users_notice({"x": x, "y": x}, {"x": x, "y": x[::-1]})[0] == "1 of 2 columns is exactly as before."
