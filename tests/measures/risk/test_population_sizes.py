"""People of a population table that a released record may be, pair by pair."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given

from measures.coarse_files import coarse_files, stands_for
from measures.files import MANY
from shoal import InvalidInput, as_table
from shoal.measures import population_sizes


@pytest.mark.slow
@MANY
@given(pair=coarse_files())
def test_counted_pair_by_pair(pair):
    """The original is the population; the released file keeps its hierarchies."""
    people, masked = pair
    names, n = people.names(), len(people)
    number = {name: people.attribute(name).kind == "numeric" for name in names}
    x = {name: people.frame[name].to_list() for name in names}
    y = {name: masked.frame[name].to_list() for name in names}
    values = {name: {v for v in x[name] if v is not None} if number[name] else set("abcde") for name in names}
    slow = [
        sum(
            all(
                x[name][i] is None or x[name][i] in stands_for(y[name][j], number[name], values[name])
                for name in names
            )
            for i in range(n)
        )
        for j in range(n)
    ]
    assert population_sizes(masked, people).tolist() == slow


def test_a_population_of_another_length_and_of_nobody():
    people = as_table({"age": [20, 22, 25, 40, 41], "sex": ["f", "m", "f", "m", "f"]})
    masked = as_table({"age": ["20-29", "40-49"], "sex": ["f", None]}, roles={"quasi": ["age", "sex"]})
    assert population_sizes(masked, people).tolist() == [2, 2]
    with pytest.raises(InvalidInput, match="population table"):
        population_sizes(masked, people.select(["age"]))
    with pytest.raises(InvalidInput, match="no records"):
        population_sizes(masked, as_table(pl.DataFrame({"age": [], "sex": []})))


def test_cells_that_cannot_be_read_are_refused():
    people = as_table({"age": [20, 22, 25, 40, 41]})
    with pytest.raises(InvalidInput, match="'age'"):
        population_sizes(as_table({"age": ["young", "old"]}), people)
