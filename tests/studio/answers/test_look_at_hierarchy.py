"""Levels as they would be, counted; what is kept is a rule or a csv that ARX reads."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from shoal.errors import InvalidInput
from shoal.hierarchy import read_hierarchy
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.look_at_hierarchy import keep_hierarchy, look_at_hierarchy
from shoal.studio.plan import EMPTY


@pytest.fixture
def plan(people):
    return {**EMPTY, "source": str(people), "roles": {"age": "quasi", "sex": "quasi", "region": "quasi"}}


def look(plan, column, given):
    return look_at_hierarchy(Desk(), lambda progress: False, plan=plan, column=column, given=given)


def test_levels_are_counted_as_plain_python_counts_them(plan, people):
    found = look(plan, "age", {"widths": [10, 50]})
    rows = list(csv.DictReader(people.read_text().splitlines()))
    for one, width in zip(found["levels"], (1, 10, 50), strict=True):
        ages = Counter(int(row["age"]) // width for row in rows)
        keys = Counter((int(row["age"]) // width, row["sex"], row["region"]) for row in rows)
        assert (one["groups"], one["smallest"]) == (len(ages), min(ages.values()))
        assert one["alone"] == sum(n for n in keys.values() if n == 1)
    tops = [row for row in found["tree"] if row["depth"] == 0]
    assert sum(row["records"] for row in tops) == len(rows)


def test_a_column_without_levels_shows_its_values(plan):
    found = look(plan, "sex", None)
    assert [one["level"] for one in found["levels"]] == [0]
    assert {row["value"] for row in found["rows"]} == {"male", "female"}


@pytest.mark.parametrize(
    ("column", "given"),
    [
        ("age", {"cuts": [[18, 65]]}),
        ("age", {"quantiles": [4, 2]}),
        ("region", {"prefixes": [1]}),
        ("region", {"similar": [2]}),
        ("sex", {"table": [["male", "anybody"], ["female", "anybody"]]}),
    ],
)
def test_every_way_is_kept_as_a_rule_or_as_a_file(plan, people, column, given):
    kept = keep_hierarchy(
        Desk(), lambda progress: False, plan=plan, column=column, given=given, folder=str(people.parent / "p")
    )
    path = people.parent / "p" / kept["file"]
    assert read_hierarchy(path).height >= 1
    assert kept["given"] in (given, kept["file"])
    again = kept["given"] if isinstance(kept["given"], dict) else {"file": str(path)}
    assert look(plan, column, again) == look(plan, column, given)


@pytest.mark.parametrize(
    ("column", "given"),
    [
        ("age", {"widths": [5, 7]}),
        ("sex", {"quantiles": [2]}),
        ("sex", {"table": [["male", "m"]]}),  # a value is left out
        ("sex", {"file": "no-such.csv"}),
        ("age", {"dates": ["month"]}),
    ],
)
def test_what_cannot_be_is_a_sentence(plan, column, given):
    with pytest.raises(InvalidInput):
        look(plan, column, given)
