"""What offices ask for: roles in words, and counts before and after."""

from __future__ import annotations

import pytest

from shoal import as_table
from shoal.report.office_facts import office_facts, role_facts

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
