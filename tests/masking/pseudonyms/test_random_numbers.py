"""Random numbers for identifiers, and their key table."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shoal import InvalidInput, as_table
from shoal.masking import number_randomly


def people(ids):
    return as_table({"id": ids, "age": range(len(ids))}, roles={"identifier": "id"})


def test_who_is_known_keeps_the_number_and_the_new_get_others():
    first, keys = number_randomly(people(["ana", "pau", "ana", None]))
    second, all_keys = number_randomly(people(["eva", "ana"]), known=keys)
    assert first.frame["id"].to_list() == [keys["ana"], keys["pau"], keys["ana"], None]
    assert second.frame["id"].to_list() == [all_keys["eva"], keys["ana"]]
    assert len(set(all_keys.values())) == 3
    assert keys == {"ana": keys["ana"], "pau": keys["pau"]}, "the earlier key table is not changed"
    assert first.attribute("id").role == "other"


def test_an_empty_text_is_a_name_too():
    table, keys = number_randomly(people(["", "ana", ""]), rng=1)
    assert table.frame["id"].to_list() == [keys[""], keys["ana"], keys[""]]


def test_numbers_are_different_and_tell_no_order():
    table, keys = number_randomly(people([f"p{i}" for i in range(2000)]), rng=1)
    numbers = table.frame["id"].to_list()
    assert len(set(numbers)) == 2000
    ordered = sum(a < b for a, b in pairwise(numbers))
    assert 900 < ordered < 1100
    assert len(keys) == 2000


def test_the_same_value_in_two_columns_has_one_number():
    table = as_table({"a": [1, 2], "b": [2.0, 3.0]}, roles={"identifier": ["a", "b"]})
    done, _ = number_randomly(table, rng=2)
    assert done.frame["a"][1] == done.frame["b"][0]


def test_no_identifier_is_one_sentence():
    with pytest.raises(InvalidInput, match="No column has the role identifier"):
        number_randomly(as_table({"age": [1]}))
