"""Names of columns in several languages; nothing fits that only contains a word."""

from __future__ import annotations

import re

import pytest

from shoal.workflow.role_names import CODES, NAMES, plain_name


def role(name: str) -> str:
    return next((role for role, words, _ in NAMES if re.fullmatch(words, plain_name(name))), "other")


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (
            "quasi",
            "Alter Geschlecht Geburtsjahr Staatsangehörigkeit Größe Âge Département sexo Edad età leeftijd",
        ),
        ("confidential", "Einkommen revenu salaire Diagnóstico reddito inkomen income"),
        ("identifier", "Nachname prénom Apellidos codice_fiscale adres Straße BSN kunden-nr"),
        ("household", "Haushalt haushalts_id ménage hogar huishouden household"),
        ("weight", "Gewicht poids factor_expansion sampling_weight"),
        ("stratum", "Schicht strate stratum"),
        ("other", "page management Altersheimkosten foo x1 Wunschort betafaktor"),
    ],
)
def test_words_of_several_languages(wanted, names):
    assert {name: role(name) for name in names.split()} == dict.fromkeys(names.split(), wanted)


def test_no_pattern_is_broken_or_fits_the_empty_name():
    for _, words, _ in NAMES:
        assert not re.fullmatch(words, "")
    assert re.fullmatch(CODES, plain_name("Code postal"))
    assert not re.fullmatch(CODES, "age")


def test_accents_and_signs():
    assert plain_name("  Straße / Nr. ") == "strasse_nr"
