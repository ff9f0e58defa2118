"""What offices ask for: roles in words, and counts before and after."""

from __future__ import annotations

import pytest

from shoal import as_table
from shoal.measures import column_losses
from shoal.report.office_facts import limits_in_words, office_facts, role_facts, session

ROLES = {"identifier": "name", "quasi": ["age"], "confidential": "pay", "weight": "w", "household": "home"}
TABLE = as_table(
    {
        "name": list("abcd"),
        "age": [20, 20, 20, 41],
        "pay": [1, 2, 3, 4],
        "w": [1.0] * 4,
        "home": [1, 2, 3, 4],
    },
    roles=ROLES,
)


def test_every_role_is_said_in_words():
    said = {row["role"]: row["columns"] for row in role_facts(TABLE)}
    assert said["Identifiers, deleted on release"] == ["name"]
    assert said["Sampling weight"] == ["w"]
    assert len(said) == 5


def test_counts_before_and_after():
    after = TABLE.assign(age=[20, 20, 20, 20])
    found = office_facts(TABLE, after, ["age"], 4)
    assert found["violations"] == [
        {"k": 2, "before": 1, "after": 0},
        {"k": 3, "before": 1, "after": 0},
        {"k": 4, "before": 4, "after": 0},
        {"k": 5, "before": 4, "after": 4},
    ]
    assert found["expected"] == {"before": pytest.approx(2), "after": pytest.approx(1)}
    assert found["highest"] == {"before": 100, "after": 25}


def test_weighted_totals_before_and_after():
    found = office_facts(TABLE, TABLE.assign(age=[20, 20, 20, 20], pay=[1, 2, 3, 8]), ["age"], None)["totals"]
    assert found == [
        {
            "column": "age",
            "category": "total",
            "before": 101,
            "after": 80,
            "change": pytest.approx(-2100 / 101),
        },
        {"column": "pay", "category": "total", "before": 10, "after": 14, "change": pytest.approx(40)},
    ]
    unweighted = as_table(TABLE, roles={"quasi": ["age"]})
    assert office_facts(unweighted, unweighted, ["age"], None)["totals"] == []


def test_households_and_population_by_hand():
    table = as_table(
        {"age": [20, 20, 30, 40], "w": [2.0, 2.0, 2.0, 2.0], "home": [1, 1, 2, 3]},
        roles={"quasi": ["age"], "household": "home"},
    )
    found = office_facts(table, table.assign(age=[20] * 4), ["age"], None)
    assert found["population"] is None
    homes = found["households"]
    assert (homes["count"], homes["weighted"]) == (3, False)
    assert homes["before"] == pytest.approx(0.75 + 1 + 1)
    assert homes["after"] == pytest.approx(1 - 0.75**2 + 2 * 0.25)
    assert (homes["highest_before"], homes["highest_after"]) == (100, pytest.approx(43.75))
    weighted = as_table(table, roles={"quasi": ["age"], "weight": "w"})
    people = office_facts(weighted, weighted, ["age"], None)["population"]
    assert people["people"] == 8
    assert people["before"] == people["after"]
    assert 0 < people["before"] < found["expected"]["before"]


def test_a_table_without_those_roles_has_neither():
    table = as_table({"age": [20, 30]}, roles={"quasi": "age"})
    found = office_facts(table, table, ["age"], None)
    assert found["population"] is found["households"] is None


def test_the_session_names_what_the_file_was_made_with():
    for name in ("Python", "numpy", "polars"):
        assert name in session()
    assert "/" not in session()


def test_limits_are_said_by_column_without_figures():
    before = as_table({"a": [1, 2, 3], "b": [1, 2, 3], "c": ["x", "y", "z"], "d": [1, 2, 3]})
    after = as_table({"a": [1, 2, 3], "b": [2, 2, 2], "c": ["x", None, "z"], "d": ["[1, 2]", "[1, 2]", "3"]})
    said = limits_in_words(column_losses(before, after))
    assert said[0] == "As collected: a."
    assert any("ranges or groups only: d" in line for line in said)
    assert any(line.startswith("Changed") and line.endswith(": b.") for line in said)
    assert any(line.startswith("Missing") and line.endswith(": c.") for line in said)
