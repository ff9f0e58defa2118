"""Roles that are suggested: by names of laws and offices, by values, with the reason."""

from __future__ import annotations

import pytest

from shoal import as_table, suggest_roles
from shoal.datasets import make_census
from shoal.workflow.suggest_roles import look_alike_texts

NAMES = {
    "identifier": [
        "name",
        "Last Name",
        "e-mail",
        "SSN",
        "IBAN",
        "medical_record_number",
        "person_id",
        "phone",
    ],
    "quasi": ["age", "Age group", "zip-code", "sex", "native-country", "marital-status", "date of birth"],
    "confidential": ["income", "Salary", "diagnosis", "religion"],
    "weight": ["weight", "sampling_weight", "wgt"],
    "household": ["household", "hh_id", "ori_hid"],
    "other": ["x1", "foo", "management"],
}


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in NAMES.items() for name in names])
def test_names_tell_roles(role, name):
    (found,) = suggest_roles(as_table({name: [1, 1, 2]}))
    assert found.role == role
    assert found.reason


def test_values_tell_what_names_do_not():
    n = 120
    table = as_table(
        {
            "a": [f"v{i}" for i in range(n)],
            "b": [i / 7 for i in range(n)],
            "c": [i % 6 for i in range(n)],
            "d": ["lo" if i % 6 < 3 else "hi" for i in range(n)],
        }
    )
    a, b, c, d = suggest_roles(table)
    assert (a.role, "100.0 % of the records" in a.reason) == ("identifier", True)
    assert (b.role, b.notes) == ("other", ("near-unique: 100.0 % different values",))
    assert c.determines == ("d",)
    assert "few whole numbers" in c.notes[0]
    assert d.determines == ()


def test_look_alikes_are_said():
    (found,) = suggest_roles(as_table({"town": ["Vic", "Vic ", "Olot"]}))
    assert "2 categories look like another" in found.notes[0]
    assert look_alike_texts(["a", "b"]) == 0


def test_the_made_up_census_is_told_as_it_was_made():
    table = make_census(300, rng=1)
    found = {suggestion.name: suggestion.role for suggestion in suggest_roles(table)}
    assert found["person"] == "identifier"
    assert {found[name] for name in ("age", "sex", "region", "occupation")} == {"quasi"}
    assert {found[name] for name in ("income", "tax")} == {"confidential"}
    assert found["weight"] == "weight"
    assert found["household"] == "household"


def test_small_and_empty_tables_say_little():
    assert suggest_roles(as_table({"x": []}))[0].role == "other"
    assert suggest_roles(as_table({"x": [None, None]}))[0].missing == 2
