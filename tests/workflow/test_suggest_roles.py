"""Roles that are suggested: by names of laws and offices, by values, with the reason."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest

from shoal import as_table, suggest_roles
from shoal.datasets import make_census, make_patients
from shoal.workflow.suggest_roles import is_code_by_name, is_few_whole_numbers

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
    "confidential": ["income", "Salary", "diagnosis", "religion", "expend"],
    "weight": ["weight", "sampling_weight", "wgt", "fnlwgt"],
    "household": ["household", "hh", "hh_id", "ori_hid"],
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


@pytest.mark.parametrize("bad", [0.0, -3.0, None, "x"])
def test_a_weight_that_is_none_is_said(bad):
    frame = pl.DataFrame({"weight": [1.0, 2.5, bad] if bad != "x" else ["1", "2", "x"]})
    (found,) = suggest_roles(as_table(frame))
    assert f"{3 if bad == 'x' else 1} of its cells are no positive number" in found.notes[-1]


def test_look_alikes_are_said():
    (found,) = suggest_roles(as_table({"town": ["Vic", "Vic ", "Olot"]}))
    assert "2 categories look like another" in found.notes[0]


@pytest.mark.parametrize(
    "name", ["zip", "postcode", "PLZ", "region", "isco_08", "NACE2", "district", "area_code"]
)
def test_numbers_that_are_names_are_said_to_be_nominal(name):
    (found,) = suggest_roles(as_table({name: [8001, 8002, 9000]}))
    assert found.kind == "nominal"
    assert f"--nominal {name}" in found.notes[0]


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("age", [30, 40], None),
        ("zip", ["08001", "1"], None),
        ("zip", [1.5, 2.0], None),
        ("zip", [1, 2], "nominal"),
    ],
)
def test_amounts_and_texts_are_left_alone(name, values, kind):
    table = as_table({name: values}, kinds=None if kind is None else {name: kind})
    assert not is_code_by_name(table, name)


def test_few_whole_numbers_are_told_from_declared_orders():
    values = {"rooms": [1, 2, 3, 4] * 25}
    assert is_few_whole_numbers(as_table(values), "rooms")
    assert not is_few_whole_numbers(as_table(values, kinds={"rooms": [1, 2, 3, 4]}), "rooms")
    assert not is_few_whole_numbers(as_table(values, kinds={"rooms": "numeric"}), "rooms")


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


def test_dates_are_known_to_others_whatever_their_name():
    table = make_patients(300, rng=1)
    (stay,) = [found for found in suggest_roles(table) if found.name == "admitted"]
    assert stay.role == "quasi"
    assert "dates" in stay.reason


def test_whole_amounts_that_few_share_are_no_identifiers():
    rng = np.random.default_rng(1)
    income = np.round(np.exp(rng.normal(10, 1, 500))).astype(int)
    income[:4] = income[4]
    table = as_table(
        {"v1": income, "v2": rng.permutation(500) + 7000, "v3": rng.choice(10**6, 500, False) + 10**6}
    )
    assert [found.role for found in suggest_roles(table)] == ["other", "identifier", "identifier"]


def test_strata_are_never_averaged_whatever_their_name():
    table = as_table({"region": [1, 2, 300]}, roles={"stratum": "region"}, kinds={"region": "numeric"})
    assert not is_code_by_name(table, "region")


def test_dates_postcodes_and_free_text_are_told_with_what_to_do():
    table = as_table(
        {
            "born": [date(1980, 2, 3), date(1981, 5, 3)],
            "PLZ": ["08001", "08002"],
            "notes": ["works as the only doctor of the village", "retired early after an accident at work"],
            "job": ["nurse", "cook"],
        }
    )
    born, postcode, notes, job = suggest_roles(table)
    assert "--column born --dates month,year" in born.notes[-1]
    assert "--column PLZ --prefix 3,1" in postcode.notes[-1]
    assert (notes.role, "free text" in notes.reason) == ("identifier", True)
    assert (job.role, job.notes) == ("quasi", ())
