"""Files of households: what members share stays shared, and k counts households."""

from __future__ import annotations

import inspect

import numpy as np
import polars as pl
import pytest

from shoal import Infeasible, InvalidInput, NotApplicable, as_table, check, microaggregate, suppress_to_k
from shoal.masking import MASKERS, top_code
from shoal.masking.households.household_variables import household_variables
from shoal.models.promise import Promise
from shoal.workflow.registry import bind_method

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
SHARED, OWN = ["region", "rooms"], ["age", "job"]
OPTIONS: dict[str, dict] = {
    "add_noise": {"amount": 0.3},
    "bottom_code": {"quantile": 0.1},
    "global_median": {"k": 3},
    "individual_ranking": {"k": 3, "columns": ["rooms", "age"]},
    "microaggregate": {"k": 3},
    "mondrian": {"k": 3},
    "multivariate_top_code": {"quantile": 0.9},
    "pram": {"matrices": {"method": "invariant_matrix", "p": 0.6}},
    "protect_clusters": {"clusters": 2, "masker": {"method": "microaggregate", "k": 3}},
    "rank_swap": {"percent": 20},
    "shuffle": {},
    "suppress_to_k": {"k": 3},
    "top_code": {"quantile": 0.9},
}


def survey(seed, gaps=False, households=40):
    rng = np.random.default_rng(seed)
    home = np.repeat(rng.permutation(households), rng.integers(1, 5, households))
    region = rng.choice(["n", "s", "w"], households)[home]
    rooms = rng.integers(1, 9, households)[home].astype(float)
    age = rng.integers(0, 90, len(home)).astype(float)
    job = rng.choice(["cook", "spy", "clerk"], len(home)).astype(object)
    if gaps:
        rooms[np.isin(home, [1, 2, 3])] = np.nan
        age[rng.random(len(home)) < 0.1] = np.nan
        job[rng.random(len(home)) < 0.1] = None
    frame = pl.DataFrame(
        {"home": home, "region": region, "rooms": rooms, "age": age, "job": job.tolist()}, nan_to_null=True
    )
    kinds = {"rooms": "numeric", "age": "numeric", "home": "nominal"}
    return as_table(
        frame[rng.permutation(len(frame))],
        roles={"quasi": [*SHARED, *OWN], "household": "home"},
        kinds=kinds,
    )


def masked_by(method, table, **more):
    masker = bind_method({"method": method, **OPTIONS[method], **more})
    return masker(table, rng=1) if "rng" in inspect.signature(masker).parameters else masker(table)


def households_of_classes(table, columns):
    """By hand: how many different households every combination of values has."""
    found: dict[tuple, set] = {}
    for row, home in zip(table.frame.select(columns).rows(), table.frame["home"], strict=True):
        found.setdefault(row, set()).add(home)
    return [len(homes) for homes in found.values()]


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("method", OPTIONS)
def test_what_members_share_they_share_afterwards(method, gaps):
    table = survey(1, gaps)
    done = masked_by(method, table)
    assert [a.role for a in done.attributes] == [a.role for a in table.attributes]
    assert done.names() == table.names()
    assert done.frame["home"].to_list() == table.frame["home"].to_list()
    for name in SHARED:
        assert done.frame.group_by("home").agg(pl.col(name).n_unique())[name].max() == 1, name


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", [name for name, given in OPTIONS.items() if "k" in given])
def test_k_counts_households(method, seed, gaps):
    if method == "individual_ranking":
        pytest.skip("columns are ranked apart: k holds in each, not jointly")
    table = survey(seed, gaps)
    done = masked_by(method, table)
    assert min(households_of_classes(done, [*SHARED, *OWN])) >= 3
    assert check(done, Promise(k=3)).kept


def test_every_masker_that_draws_or_groups_knows_households():
    free = {"global_recode", "swap_records", "keep_edits"}  # alike for equal values, or whole
    free |= {"join_centres", "mask_strata"}  # these refuse what would part a household
    for masker in MASKERS:
        if masker.__name__ not in free:
            assert "household_variables" in inspect.signature(masker).parameters, masker.__name__


def test_a_household_of_six_alone_is_not_hidden():
    columns = {"home": [1] * 6 + [2, 3], "age": [30] * 6 + [50, 50]}
    table = as_table(columns, roles={"quasi": "age", "household": "home"}, kinds={"home": "nominal"})
    done = suppress_to_k(table, k=2)
    assert min(households_of_classes(done, ["age"])) >= 2


def test_columns_by_name_keep_to_their_side():
    table = survey(2)
    done = top_code(table, threshold={"rooms": 4, "age": 50})
    assert done.frame["rooms"].max() == 4
    assert done.frame["age"].max() == 50


def test_household_variables_can_be_said():
    table = survey(3)
    assert household_variables(table) == SHARED
    done = microaggregate(table, k=3, household_variables=["region"], columns=["region", "rooms"])
    assert done.frame.group_by("home").agg(pl.col("region").n_unique())["region"].max() == 1
    with pytest.raises(InvalidInput, match="'age' is not the same for the whole household of row"):
        microaggregate(table, k=3, household_variables="age")
    with pytest.raises(InvalidInput, match="needs a column with the role household"):
        microaggregate(as_table({"a": [1, 2]}, roles={"quasi": "a"}), k=2, household_variables="a")


def test_too_few_households_and_ids_with_gaps_are_one_sentence():
    columns = {"home": [1, 1, 1, 2], "age": [1, 2, 3, 4]}
    table = as_table(columns, roles={"quasi": "age", "household": "home"}, kinds={"home": "nominal"})
    with pytest.raises(Infeasible, match="There are 2 households, fewer than k = 3"):
        microaggregate(table, k=3)
    columns["home"][2] = None
    table = as_table(columns, roles={"quasi": "age", "household": "home"})
    with pytest.raises(InvalidInput, match="has no household at row 2"):
        microaggregate(table, k=2)


def test_what_does_not_apply_to_either_side_says_so():
    columns = {"home": [1, 1, 2, 3], "town": ["a", "a", "b", "c"]}
    table = as_table(columns, roles={"quasi": "town", "household": "home"}, kinds={"home": "nominal"})
    with pytest.raises(NotApplicable):
        masked_by("rank_swap", table)


@pytest.mark.parametrize("people", [list("abcdefgh"), ["x"] * 8, [None] * 8])
def test_a_stratum_with_too_few_households_is_refused(people):
    """Found by the fuzz: two records of one household were a stratum of two, and so alone together."""
    content = {"q": people, "area": list("aabaaaab"), "home": [827, 869, 423, 869, 869, 869, 273, 423]}
    table = as_table(content, roles={"quasi": "q", "household": "home"}, kinds={"q": "nominal"})
    with pytest.raises(
        Infeasible, match=r"1 of 2 strata have fewer than k = 2 households \(the one of row 2"
    ):
        suppress_to_k(table, k=2, strata="area")


def test_classes_of_members_do_not_cross_strata():
    rng = np.random.default_rng(5)
    for _ in range(20):
        n = 60
        homes = rng.integers(0, 25, n)
        area = homes % 2
        content = {"age": rng.integers(0, 9, n), "area": area, "home": homes}
        table = as_table(content, roles={"quasi": "age", "household": "home"})
        masked = suppress_to_k(table, k=3, strata="area", columns=["age"])
        classes = {}
        for age, where, home in zip(masked.frame["age"].to_list(), area, homes, strict=True):
            classes.setdefault((age, where), set()).add(home)
        assert min(map(len, classes.values())) >= 3
