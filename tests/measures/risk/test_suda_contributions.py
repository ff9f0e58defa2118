"""Contributions to SUDA scores, counted slowly from the minimal sample uniques."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import InvalidInput, as_table
from shoal.measures import suda_contributions, suda_scores


@pytest.mark.slow
@MANY
@given(pair=files(kinds=("ordinal", "nominal"), most=12, columns=4))
def test_contributions_agree_with_the_slow_version(pair):
    masked = pair[1]
    names, d = masked.names(), len(masked.names())
    found = slow.minimal_uniques(masked, names, d)
    worth = {row: [(s, prod(d - i for i in range(len(s), d))) for s in sets] for row, sets in found.items()}
    total = sum(w for sets in worth.values() for _, w in sets)
    assert total == suda_scores(masked)["score"].sum()
    percents = dict(suda_contributions(masked).rows())
    for j, name in enumerate(names):
        mine = {row: sum(w for s, w in sets if j in s or name in s) for row, sets in worth.items()}
        own = sum(mine.values())
        assert percents[name] == pytest.approx(100 * own / total if total else 0)
        values = masked.column(name)
        by_value = {v: p for c, v, p in suda_contributions(masked, values=True).rows() if c == name}
        for value, percent in by_value.items():
            part = sum(
                m for row, m in mine.items() if (None if values[row] is None else str(values[row])) == value
            )
            assert percent == pytest.approx(100 * part / own if own else 0)


def test_largest_first_and_bad_sizes():
    table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "a", "b"]})
    assert suda_contributions(table)["column"].to_list() == ["town", "sex"]
    with pytest.raises(InvalidInput, match="max_size"):
        suda_contributions(table, max_size=0)
