"""The frame of all risks: every column is what its own function says; null where it cannot be told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from measures.coarse_files import coarse_files
from measures.files import guide
from shoal import InvalidInput, as_table
from shoal.measures import (
    class_sizes,
    cover_linkage,
    household_risks,
    individual_risk,
    individual_risks,
    population_sizes,
    record_risks,
    riskiest_combinations,
    suda_scores,
)

PEOPLE = {
    "home": [1, 1, 2, 2, 3],
    "age": [30, 30, 40, 40, 50],
    "sex": ["f", "m", "f", "f", "m"],
    "w": [10.0, 20.0, 30.0, 20.0, 20.0],
}
ROLES = {"quasi": ["age", "sex"], "weight": "w", "household": "home"}


def test_every_column_is_its_own_function():
    table = as_table(PEOPLE, roles=ROLES)
    found = record_risks(table, table)
    names = ["age", "sex"]
    assert found["alike"].to_list() == class_sizes(table, columns=names).tolist()
    assert found["prosecutor"].to_list() == (1 / class_sizes(table, columns=names)).tolist()
    assert found["journalist"].to_list() == individual_risks(table).tolist()
    assert found["household"].to_list() == pytest.approx(household_risks(table).tolist())
    assert found["linkage"].to_list() == cover_linkage(table, table).chances.tolist()
    assert found["suda"].to_list() == suda_scores(table, columns=names)["score"].to_list()
    assert found["dis"].to_list() == suda_scores(table, fraction=0.05, columns=names)["dis"].to_list()
    assert individual_risk(table, table) == pytest.approx(100 * found["journalist"].mean())


def test_what_is_not_known_is_null():
    table = as_table(PEOPLE, roles={"quasi": ["age", "sex"]})
    found = record_risks(table, table)
    assert all(found[name].null_count() == 5 for name in ("journalist", "household", "dis"))
    homes = record_risks(table, table, household="home")["household"]
    assert homes.to_list() == pytest.approx([1, 1, 0.75, 0.75, 1])


def test_a_population_is_counted():
    table = as_table(PEOPLE, roles={"quasi": ["age", "sex"]})
    people = as_table({name: PEOPLE[name] * 3 for name in PEOPLE})
    found = record_risks(table, table, population=people)
    assert found["journalist"].to_list() == (1 / population_sizes(table, people)).tolist()
    with pytest.raises(InvalidInput, match="population table"):
        record_risks(table, table, population=people.select(["age"]))


def test_weights_come_from_the_original_where_the_release_has_none():
    table = as_table(PEOPLE, roles=ROLES)
    released = table.select(["age", "sex"])
    assert record_risks(table, released)["journalist"].to_list() == individual_risks(table).tolist()
    assert individual_risk(table, released) == individual_risk(table, table)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(pair=coarse_files(ways=("kept", "coarser", "suppressed", "mixed", "changed")))
def test_odd_files_have_chances(pair):
    found = record_risks(*pair, fraction=0.1)
    for name in ("prosecutor", "linkage", "dis"):
        values = found[name].to_numpy()
        assert ((values >= 0) & (values <= 1)).all()
    assert (found["alike"].to_numpy() >= 1).all()


@pytest.mark.parametrize("weights", [[1.0, 0.0], [1.0, None], [-1.0, 2.0]])
def test_weights_that_are_none(weights):
    table = as_table({"a": ["x", "y"], "w": weights}, roles={"quasi": "a", "weight": "w"})
    with pytest.raises(InvalidInput, match=r"'w'.*row"):
        record_risks(table, table)


def test_the_riskiest_combinations_come_first():
    found = riskiest_combinations(guide(), n=4)
    assert found["records"].to_list() == [1, 1, 1, 1]
    assert found["suda"].to_list() == sorted(found["suda"].to_list(), reverse=True)
    everything = riskiest_combinations(guide(), n=100)
    assert everything["records"].sum() == 10
    assert everything["records"].to_list() == sorted(everything["records"].to_list())
    with pytest.raises(InvalidInput, match="`n`"):
        riskiest_combinations(guide(), n=0)
