"""A file as codes, there and back; values of another sort are noticed."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.search import file_figures
from shoal.search.files.coded_file import code_file, misfit


def test_codes_go_both_ways_and_whole_numbers_stay_whole():
    table = as_table(
        {"age": [30, 41, None], "town": ["a", None, "b"], "yes": [True, False, True]},
        roles={"quasi": ["age", "town", "yes"]},
    )
    coded = code_file(table, table.names(), [])
    back = coded.decode(coded.encode(table))
    assert back.frame.equals(table.frame)
    assert back.frame.schema == table.frame.schema


def test_values_of_another_sort_are_refused_before_a_kernel_sees_them():
    table = as_table({"town": ["a", "b"], "age": [1, 2]}, roles={"quasi": ["town", "age"]})
    coded = code_file(table, table.names(), [])
    for columns in ({"town": ["c", "a"], "age": [1, 2]}, {"town": ["a", "b"], "age": [1, 3]}):
        with pytest.raises(InvalidInput, match=r"row [01] that the original could not have"):
            coded.encode(as_table(columns))
    with pytest.raises(InvalidInput, match="could not have"):
        file_figures(table, as_table({"town": ["c", "a"], "age": [1, 2]}))
    with pytest.raises(InvalidInput, match="records"):
        file_figures(table, table.take(np.array([0])))
    with pytest.raises(InvalidInput, match=r"'age' .* could not have"):
        file_figures(table, as_table({"town": ["a", "b"], "age": ["1-2", "1-2"]}))


def test_values_of_another_sort_are_noticed():
    table = as_table({"town": ["a", "b"], "age": [1, 2]})
    assert misfit(table, table, table.names()) == ""
    assert misfit(table, as_table({"town": ["a", "c"], "age": [1, 2]}), table.names()) == "town"
    assert misfit(table, as_table({"town": ["a", "b"], "age": ["1-2", "1-2"]}), table.names()) == "age"
    assert misfit(table, as_table({"town": ["a", None], "age": [7, None]}), table.names()) == ""
