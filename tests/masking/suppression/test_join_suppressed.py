"""The class of suppressed records keeps the promise: k, l, t, by stratum; counted by hand on random files."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from shoal import Promise, Recipe, as_table, check
from shoal.errors import PrivacyWarning
from shoal.masking.suppression.join_suppressed import join_suppressed


def joined(table, promise):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        return join_suppressed(table, promise=promise)


def test_nothing_happens_without_suppressed_records_or_where_they_are_enough():
    whole = as_table({"age": [1, 1, 2]}, roles={"quasi": "age"})
    enough = as_table({"age": [1, None, None]}, roles={"quasi": "age"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert join_suppressed(whole, promise=Promise(k=2)) is whole
        assert join_suppressed(enough, promise=Promise(k=2)) is enough
        assert join_suppressed(enough, promise=Promise()) is enough


def test_the_smallest_class_comes_first_and_the_number_is_said():
    table = as_table({"age": [1, 1, 1, 2, 2, None]}, roles={"quasi": "age"})
    with pytest.warns(PrivacyWarning, match="2 further records are"):
        done = join_suppressed(table, promise=Promise(k=3))
    assert done.frame["age"].to_list() == [1, 1, 1, None, None, None]


def test_classes_are_taken_until_the_confidential_values_differ():
    columns = {"age": [1, 1, 2, 2, None, None], "ill": ["flu", "flu", "flu", "gout", "flu", "flu"]}
    table = as_table(columns, roles={"quasi": "age", "confidential": "ill"})
    done = joined(table, Promise(k=2, l={"ill": 2}))
    assert done.frame["age"].to_list() == [None] * 6


def test_strata_are_apart():
    columns = {"age": [1, 1, None, 2, 2, None, None], "area": list("aaabbbb")}
    table = as_table(columns, roles={"quasi": "age", "stratum": "area"})
    done = joined(table, Promise(k=2))
    assert done.frame["age"].to_list() == [None, None, None, 2, 2, None, None]


@pytest.mark.parametrize("seed", range(60))
def test_random_files_keep_what_they_had_and_the_suppressed_class_keeps_the_promise(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 30))
    age, ill = rng.integers(0, 3, n).astype(object), rng.integers(0, 3, n).astype(str)
    age[rng.random(n) < 0.2] = None
    table = as_table(
        {"age": age.tolist(), "ill": ill.tolist()}, roles={"quasi": "age", "confidential": "ill"}
    )
    promise = Promise(k=int(rng.integers(2, 6)), l={"ill": 2})
    done = joined(table, promise)
    after = done.frame["age"].to_list()
    assert all(b is None or b == a for a, b in zip(age.tolist(), after, strict=True))
    for value in set(after) - {None}:
        assert [a == value for a in age.tolist()] == [b == value for b in after], "whole classes only"
    gone = [ill[row] for row in range(n) if after[row] is None]
    if gone and (len(gone) < n or (n >= promise.class_size and len(set(ill)) > 1)):
        assert len(gone) >= promise.class_size
        assert len(set(gone)) >= 2


def test_recipes_take_further_records_into_the_class():
    n = 12
    columns = {"age": [1] * 4 + [2] * 4 + [3] * 3 + [None], "ill": ["a", "b", "c"] * 4}
    table = as_table(columns, roles={"quasi": "age"})
    step = {"method": "suppress_to_k", "k": 2, "columns": ["age"]}
    recipe = Recipe(
        "r", {"quasi": ["age"], "confidential": ["ill"]}, [step], promise={"k": 3, "l": {"ill": 2}}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        done = recipe.run(table)
    assert check(done, recipe.promised).kept
    assert len(done) == n
