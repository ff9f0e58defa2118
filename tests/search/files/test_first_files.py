"""The first files of a search: of all sorts, valid, distinct."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from frames import to_lists
from shoal import InvalidInput, as_table
from shoal.masking import global_recode, mondrian, rank_swap
from shoal.search import evolve_file, file_figures, first_files

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(2)
COLUMNS = {
    "age": RNG.integers(18, 40, 60).tolist(),
    "town": RNG.choice(["a", "b", "c"], 60).tolist(),
    "size": RNG.choice(["s", "m", "l"], 60).tolist(),
    "secret": RNG.normal(size=60).tolist(),
}
QUASI = ["age", "town", "size"]
TABLE = as_table(COLUMNS, roles={"quasi": QUASI, "confidential": ["secret"]}, kinds={"size": ["s", "m", "l"]})
START = first_files(TABLE, rng=1)
quick = partial(evolve_file, TABLE, population=START, generations=10, children=20, crossover=0.1, rng=1)


def test_the_first_files_are_of_all_sorts_valid_and_distinct():
    assert len(START) > 50
    loss = [file_figures(TABLE, file).information_loss for file in START]
    assert min(loss) < 15
    assert max(loss) > 40
    assert len({str(to_lists(file.frame)) for file in START}) == len(START)
    again = first_files(TABLE, rng=1)
    assert [to_lists(file.frame) for file in again] == [to_lists(file.frame) for file in START]


def test_a_file_of_one_kind_has_first_files_too():
    for name in QUASI:
        assert len(first_files(TABLE, columns=[name], rng=1)) > 5


def test_maskers_that_release_values_of_another_sort_are_refused():
    with pytest.raises(InvalidInput, match="could not have"):
        evolve_file(TABLE, maskers=[partial(mondrian, k=9, release="regions")], rng=1)
    recoded = global_recode(TABLE, merge={"town": {"coast": ["a", "b"]}})
    with pytest.raises(InvalidInput, match="File 0 of `population` has values in column 'town'"):
        quick(population=[recoded])


def test_given_maskers_are_used_on_their_own_columns():
    masked = evolve_file(TABLE, maskers=[partial(rank_swap, percent=20)], generations=0, rng=1)
    assert to_lists(masked.frame)["town"] == COLUMNS["town"]
    assert to_lists(masked.frame)["age"] != COLUMNS["age"]
