"""Work shared by the measures of one evaluation: the same figures, and nothing that outlives it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from measures.coarse_files import coarse_files
from shoal import as_table, evaluate
from shoal._once import once, shared_work
from shoal.measures import LOSS, RISK, column_covers
from shoal.measures.evaluate import measure_name

TABLE = as_table({"age": [30, 41], "town": ["a", "b"]})


def counted():
    calls = []

    @once
    def size(table, name):
        calls.append(name)
        return len(table)

    return size, calls


def test_a_question_is_answered_once_within_the_block_only():
    size, calls = counted()
    size(TABLE, "age"), size(TABLE, "age")
    assert calls == ["age"] * 2
    with shared_work():
        with shared_work():
            size(TABLE, "age")
        assert size(TABLE, "age") == 2
        size(TABLE, "town")
    assert calls == ["age"] * 3 + ["town"]
    with shared_work():
        size(TABLE, "age")
    assert calls[4:] == ["age"]


def test_another_table_of_the_same_values_is_another_question():
    size, calls = counted()
    with shared_work():
        for _ in range(50):  # each may take the place of the last one in memory
            size(as_table({"age": [30]}), "age")
    assert len(calls) == 50


def test_an_error_closes_the_block():
    def breaks():
        with shared_work():
            column_covers(TABLE, TABLE, "age")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        breaks()
    size, calls = counted()
    size(TABLE, "age"), size(TABLE, "age")
    assert len(calls) == 2


@settings(max_examples=40, deadline=None)
@given(pair=coarse_files(ways=("kept", "coarser", "suppressed", "mixed", "changed"), most=12))
def test_measures_find_alone_what_they_find_in_an_evaluation(pair):
    together = evaluate(*pair)
    for measure in LOSS:
        alone = evaluate(*pair, loss=[measure], risk=[])
        assert alone.loss == {n: v for n, v in together.loss.items() if n == measure_name(measure)}
    for measure in RISK:
        alone = evaluate(*pair, loss=[], risk=[measure])
        assert alone.risk == {n: v for n, v in together.risk.items() if n == measure_name(measure)}
