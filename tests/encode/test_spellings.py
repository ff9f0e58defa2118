"""Texts that look the same and are not: counted by column, said on release."""

from __future__ import annotations

import unicodedata
import warnings

import pytest

from shoal import Promise, as_table, release
from shoal.encode.spellings import similar_spellings, spelling_doubts, warn_of_spellings
from shoal.errors import InputWarning


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (["a", "b"], 0),
        (["a", "a "], 2),
        (["a", "\u00a0a", " a"], 3),
        (["New  York", "New York"], 2),
        (["\u00e9", unicodedata.normalize("NFD", "\u00e9")], 2),
        (["\uff21", "A"], 2),
        (["A", "a"], 0),
        ([], 0),
    ],
)
def test_what_differs_only_by_spaces_and_codes_of_letters(texts, count):
    assert similar_spellings(texts) == count


def test_identifiers_and_numbers_are_not_looked_at():
    table = as_table({"name": ["a", "a "], "town": ["b", "b "], "age": [1, 2]}, roles={"identifier": "name"})
    assert spelling_doubts(table) == {"town": 2}


def test_a_release_says_columns_and_numbers_but_no_value():
    people = as_table({"town": ["Vic", "Vic "] * 2}, roles={"quasi": "town"})
    with pytest.warns(InputWarning, match="2 in town") as heard:
        assert release(people, people, Promise(k=2), None).kept
    assert "Vic" not in str(heard[0].message)


def test_silence_where_nothing_is_to_be_said():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_spellings(as_table({"town": ["Vic", "Olot"]}))
