"""Pseudonyms: the same everywhere, never without the key, never a secret in the open."""

from __future__ import annotations

import base64
import datetime
import hashlib
import hmac

import pytest

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, as_table
from shoal.masking import pseudonymise

KEY = b"0123456789abcdef0123456789abcdef"


def test_it_is_hmac_sha256_in_base_32():
    table = as_table({"id": ["ana"]}, roles={"identifier": "id"})
    digest = hmac.new(KEY, b"ana", hashlib.sha256).digest()
    for length in (8, 16, 51):
        expected = base64.b32encode(digest).decode()[:length]
        assert pseudonymise(table, key=KEY, length=length).frame["id"].to_list() == [expected]


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_names_are_the_same_over_tables_columns_and_types(make):
    persons = as_table(make({"person": ["7", "9", None], "home": [1, 2, 2]}), roles={"identifier": "person"})
    homes = as_table(make({"number": [2.0, 1.0, 3.0], "head": [9, 7, 7]}))
    first = to_lists(pseudonymise(persons, key=KEY, columns=["person", "home"]).frame)
    second = to_lists(pseudonymise(homes, key=KEY, columns=["number", "head"]).frame)
    assert first["home"] == [second["number"][1], second["number"][0], second["number"][0]]
    assert first["person"][:2] == [second["head"][1], second["head"][0]]
    assert first["person"][2] is None


def test_identifiers_become_other_and_nothing_else_changes():
    table = as_table({"id": ["a", "b"], "day": [datetime.date(2020, 1, 1)] * 2}, roles={"identifier": "id"})
    done = pseudonymise(table, key=KEY)
    assert done.attribute("id").role == "other"
    assert done.attribute("day") == table.attribute("day")
    assert done.frame["day"].to_list() == table.frame["day"].to_list()


def test_another_key_gives_other_names():
    table = as_table({"id": ["a", "b"]}, roles={"identifier": "id"})
    one, other = (pseudonymise(table, key=key).frame["id"].to_list() for key in (KEY, KEY[::-1]))
    assert not set(one) & set(other)


def test_a_collision_is_refused(monkeypatch):
    table = as_table({"id": range(5_000)}, roles={"identifier": "id"})
    assert pseudonymise(table, key=KEY, length=8).frame["id"].n_unique() == 5_000
    monkeypatch.setattr("shoal.masking.pseudonyms.pseudonymise.SHORTEST", 2)
    with pytest.raises(InvalidInput, match="Two values share a pseudonym of 2 letters"):
        pseudonymise(table, key=KEY, length=2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"key": "a text of many letters"}, "`key` must be bytes"),
        ({"key": b"short"}, "at least 16 bytes, got 5"),
        ({"key": KEY, "length": 7}, "whole number from 8 to 51"),
        ({"key": KEY, "length": True}, "whole number from 8 to 51"),
        ({"key": KEY, "columns": ["idd"]}, "Did you mean 'id'"),
        ({"key": KEY, "columns": []}, "No column has the role identifier"),
    ],
)
def test_bad_input_is_one_sentence_without_the_key(options, sentence):
    with pytest.raises(InvalidInput, match=sentence) as caught:
        pseudonymise(as_table({"id": ["a"]}), **options)
    assert "short" not in str(caught.value)
    assert "many letters" not in str(caught.value)
