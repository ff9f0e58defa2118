"""Attribute disclosure, value by value and class by class."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given

from measures.files import MANY, PATIENT_ROLES, PATIENTS, files
from shoal import InvalidInput, as_table, with_hierarchies
from shoal.hierarchy import hierarchy_from_rows
from shoal.measures import attribute_risks, closeness, presence


def slow_figures(table, keys, name):
    rows = list(zip(*(table.column(key).tolist() for key in keys), strict=True))
    rows = [tuple("gap" if v is None or v != v else v for v in row) for row in rows]
    values = [None if v is None or v != v else v for v in table.column(name).tolist()]
    known = [v for v in values if v is not None]
    found = {
        "alpha": 0.0,
        "beta": 0.0,
        "enhanced_beta": 0.0,
        "delta": 0.0,
        "entropy_l": float("inf"),
        "l": 99,
    }
    for row in set(rows):
        inside = [v for r, v in zip(rows, values, strict=True) if r == row and v is not None]
        found["l"] = min(found["l"], len(set(inside)))
        shares = {v: inside.count(v) / len(inside) for v in set(inside)}
        found["entropy_l"] = min(found["entropy_l"], exp(-sum(p * log(p) for p in shares.values())))
        for value, p in shares.items():
            q = known.count(value) / len(known)
            found["alpha"] = max(found["alpha"], p)
            found["beta"] = max(found["beta"], (p - q) / q)
            found["delta"] = max(found["delta"], abs(log(p / q)))
    rarest = min((known.count(value) / len(known) for value in known), default=1.0)
    found["enhanced_beta"] = min(found["beta"], -log(rarest))
    return found


@pytest.mark.slow
@MANY
@given(pair=files(most=12, confidential=True))
def test_value_by_value(pair):
    table = pair[1]
    keys = table.names(role="quasi")
    (row,) = attribute_risks(table).to_dicts()
    for name, expected in slow_figures(table, keys, "secret").items():
        assert row[name] == pytest.approx(expected, abs=1e-9)
    assert row["t"] == pytest.approx(closeness(table))
    assert row["hierarchical_t"] is None


def test_the_patients_of_the_paper():
    rows = {row["column"]: row for row in attribute_risks(as_table(PATIENTS, roles=PATIENT_ROLES)).to_dicts()}
    assert rows["salary"]["t"] == pytest.approx(0.375)
    assert {row["k"] for row in rows.values()} == {3}
    assert rows["disease"]["alpha"] == pytest.approx(1 / 3)


def test_a_hierarchy_makes_near_values_near():
    belly, lungs = ("ulcer", "gastritis"), ("flu", "cold")
    tree = hierarchy_from_rows([[v, p, "*"] for p, all_ in (("b", belly), ("l", lungs)) for v in all_])
    people = {"age": [1, 1, 2, 2], "ill": ["flu", "ulcer", "cold", "gastritis"]}
    table = as_table(people, roles={"quasi": "age", "confidential": "ill"})
    (row,) = attribute_risks(with_hierarchies(table, {"ill": tree})).to_dicts()
    assert row["t"] == pytest.approx(0.5)
    assert row["hierarchical_t"] == pytest.approx(0.25)


def test_presence_is_records_by_people():
    people = as_table({"age": [20, 22, 25, 40, 41, 70]})
    assert presence(as_table({"age": ["20-29", "20-29", "40-49"]}), people) == (0.0, pytest.approx(2 / 3))
    assert presence(people, people) == (1.0, 1.0)
    with pytest.raises(InvalidInput, match="population table"):
        presence(as_table({"agee": [1]}), people)


def test_bad_input():
    with pytest.raises(InvalidInput, match="confidential"):
        attribute_risks(as_table({"a": [1]}))
    with pytest.raises(InvalidInput, match="'il'"):
        attribute_risks(as_table({"a": [1], "ill": [2]}), confidential="il")
