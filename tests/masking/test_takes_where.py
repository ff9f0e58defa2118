"""`where=`: the records chosen are masked as if they were a file of their own, the others not at all."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, PrivacyWarning, Promise, Recipe, as_table, check, microaggregate, release
from shoal.errors import PromiseBroken
from shoal.masking import MASKERS, mondrian, top_code
from shoal.masking.takes_where import put_back, rows_where
from shoal.workflow.registry import bind_method

from .test_contract import OPTIONS

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(5)
N = 60
COLUMNS = {
    "age": RNG.integers(18, 90, N).tolist(),
    "pay": RNG.normal(size=N).round(3).tolist(),
    "town": RNG.choice(["a", "b", "c"], N).tolist(),
    "industry": RNG.choice(["mining", "fishing"], N).tolist(),
    "region": RNG.choice(["north", "south"], N).tolist(),
}
ROLES = {"quasi": ["age", "pay", "town"]}
MINING = 'industry == "mining"'
ALLOWED = [masker for masker in MASKERS if "where" in inspect.signature(masker).parameters]


def run(masker, table, **more):
    bound = bind_method({"method": masker.__name__, **OPTIONS[masker.__name__], **more}, MASKERS)
    return bound(table, rng=3) if "rng" in inspect.signature(masker).parameters else bound(table)


def test_all_maskers_that_treat_records_one_group_at_a_time_take_it():
    assert {m.__name__ for m in MASKERS} - {m.__name__ for m in ALLOWED} == {"keep_edits", "swap_records"}


@pytest.mark.parametrize("masker", ALLOWED, ids=lambda m: m.__name__)
def test_the_part_is_masked_like_a_file_of_its_own_and_the_rest_stays(masker):
    table = as_table(COLUMNS, roles=ROLES)
    rows = np.array([i for i, name in enumerate(COLUMNS["industry"]) if name == "mining"])
    rest = np.setdiff1d(np.arange(N), rows)
    done, alone = run(masker, table, where=MINING), run(masker, table.take(rows))
    for name in table.names():
        mine, theirs = done.cells(name), alone.cells(name)
        assert [_like(v) for v in mine[rows]] == [_like(v) for v in theirs], name
        assert [_like(v) for v in mine[rest]] == [_like(v) for v in table.cells(name)[rest]], name
    assert [a.role for a in done.attributes] == [a.role for a in table.attributes]
    assert to_lists(table.frame) == COLUMNS, "the input is never changed"


def _like(value):
    """A value and its text are the same: a column of regions is text for the other records too."""
    return float(value) if str(value).lstrip("-").replace(".", "", 1).isdigit() else value


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_frames_come_back_as_they_came(make):
    frame = make({"age": [20, 30, 65, 70], "town": ["a", "b", "a", "b"]})
    done = microaggregate(frame, k=2, columns=["age"], where="age >= 65")
    assert type(done) is type(frame)
    assert to_lists(done)["age"] == [20, 30, 67.5, 67.5]


@pytest.mark.parametrize(
    "where",
    [
        "age >= 65",
        [False, False, True, True],
        lambda table: table.column("age") > 60,
        np.array([0, 0, 1, 1]) == 1,
    ],
)
def test_conditions_truth_values_and_functions_choose(where):
    table = as_table({"age": [20, 30, 65, 70]}, roles={"quasi": "age"})
    assert rows_where(table, where).tolist() == [2, 3]


def test_a_gap_is_not_chosen_by_a_comparison():
    table = as_table({"age": [None, 70, 20], "town": [None, "a", "b"]})
    assert rows_where(table, "age >= 65").tolist() == [1]
    assert rows_where(table, "age < 65").tolist() == [2]
    assert rows_where(table, 'age >= 65 or town == "b"').tolist() == [1, 2]


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ([True], "one truth value for each of the 4 records"),
        ([1, 0, 1, 0], "one truth value"),
        ("pay >= 65", "pay"),
        ("age", "is no condition"),
        ("zeros of age stay zero", "is no condition"),
        ("import os", "cannot be read"),
    ],
)
def test_what_cannot_choose_is_refused(where, sentence):
    table = as_table({"age": [20, 30, 65, 70]}, roles={"quasi": "age"})
    with pytest.raises(InvalidInput, match=sentence):
        microaggregate(table, k=2, where=where)


def test_nobody_chosen_is_said():
    table = as_table({"age": [20, 30]}, roles={"quasi": "age"})
    with pytest.warns(PrivacyWarning, match="chooses no record"):
        assert top_code(table, threshold=25, where="age > 99") is table


def test_a_column_of_regions_is_text_for_all():
    table = as_table({"age": [20, 30, 65, 70]}, roles={"quasi": "age"})
    done = mondrian(table, k=2, where="age >= 65")
    assert done.frame["age"].to_list() == ["20", "30", "[65, 70]", "[65, 70]"]
    assert done.attribute("age").kind == "nominal"
    assert done.attribute("age").role == "quasi"


def test_whole_households_or_none():
    columns = {"home": [1, 1, 2, 2], "region": ["n", "n", "s", "s"], "age": [70, 30, 66, 20]}
    table = as_table(columns, roles={"quasi": ["region", "age"], "household": "home"})
    with pytest.raises(InvalidInput, match="some members of the household of row 1"):
        microaggregate(table, k=1, where="age >= 65")
    assert len(microaggregate(table, k=2, where="age >= 65", columns=["age"])) == 4


def test_the_others_are_counted_as_they_are():
    recipe = Recipe("part", ROLES, [{"method": "microaggregate", "k": 3, "where": MINING}])
    assert recipe.promised == Promise(), "k of a part is no promise for the file"
    table = as_table(COLUMNS, roles=ROLES)
    masked = recipe.run(table)
    assert check(masked, Promise(k=3)).reached["k"] == 1
    assert Recipe.from_toml(recipe.to_toml()) == recipe


def test_release_refuses_what_the_rest_breaks(tmp_path):
    table = as_table(COLUMNS, roles=ROLES)
    masked = microaggregate(table, k=3, where=MINING)
    with pytest.raises(PromiseBroken):
        release(table, masked, Promise(k=3), tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_a_fitted_step_learns_from_the_part_only():
    table = as_table({"age": [20, 30, 90, 40, 50, 99], "sex": list("ffmmmf")}, roles={"quasi": "age"})
    step = {"method": "top_code", "quantile": 0.5, "where": 'sex == "m"'}
    masked, fitted = Recipe("r", {"quasi": ["age"]}, [step]).fit(table)
    assert fitted.recipe.steps[0]["threshold"] == {"age": 50}
    assert masked.frame["age"].to_list() == [20, 30, 50, 40, 50, 99]
    centres = Recipe("r", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 3, "where": 'sex == "m"'}])
    _, kept = centres.fit(table, keep_centres=True)
    assert kept.recipe.steps[0]["centres"] == {"age": [60.0]}
    assert kept.apply(table).frame["age"].to_list() == [20, 30, 60, 60, 60, 99]


def test_put_back_keeps_whole_numbers_whole():
    whole = as_table({"id": [2**60 + 1, 5, 7]})
    part = whole.take(np.array([1]))
    done = put_back(whole, part, part.assign(id=[6]), np.array([1]))
    assert done.frame["id"].to_list() == [2**60 + 1, 6, 7]
