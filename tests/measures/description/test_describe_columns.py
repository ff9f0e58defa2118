"""Facts about columns, against counting by hand."""

from __future__ import annotations

import datetime as dt
from collections import Counter

import numpy as np
import pytest

from frames import LIBRARIES
from shoal import InvalidInput, as_table
from shoal.measures import describe_columns


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
@pytest.mark.parametrize("seed", range(5))
def test_facts_are_counted_by_hand(make, seed):
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(0, 9, 30).tolist(),
        "pay": rng.normal(size=30).tolist(),
        "town": [None if rng.random() < 0.2 else str(rng.choice(["a", "b", "c"])) for _ in range(30)],
    }
    for facts in describe_columns(as_table(make(columns)), top=2):
        values = [value for value in columns[facts.name] if value is not None]
        counted = Counter(values)
        assert facts.distinct == len(counted)
        assert facts.missing == 30 - len(values)
        assert [count for _, count in facts.top] == sorted(counted.values(), reverse=True)[:2]
        assert all(counted[value] == count for value, count in facts.top)
        numeric = facts.kind == "numeric"
        assert (facts.lowest, facts.highest) == ((min(values), max(values)) if numeric else (None, None))
        assert facts.mean == (pytest.approx(np.mean(values)) if numeric else None)


def test_types_in_words_and_columns_without_values():
    table = as_table(
        {"n": [1, 2], "x": [0.5, 1.5], "t": ["a", "b"], "b": [True, False], "d": [dt.date(2020, 1, 1)] * 2,
         "gap": [None, None], "size": ["s", "l"]},
        kinds={"size": ["s", "m", "l"]},
    )  # fmt: skip
    facts = {fact.name: fact for fact in describe_columns(table)}
    assert [facts[name].type for name in "nxtbd"] == [
        "whole numbers",
        "numbers",
        "text",
        "yes or no",
        "dates",
    ]
    assert (facts["gap"].distinct, facts["gap"].missing, facts["gap"].top) == (0, 2, ())
    assert (facts["size"].lowest, facts["size"].highest) == ("s", "l")
    assert [fact.name for fact in describe_columns(table, columns="x")] == ["x"]


def test_bad_input():
    with pytest.raises(InvalidInput, match="no column"):
        describe_columns({"a": [1]}, columns=["b"])
    with pytest.raises(InvalidInput, match="`top`"):
        describe_columns({"a": [1]}, top=0)
