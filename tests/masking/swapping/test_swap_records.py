"""Record swapping: who moves, where to, and what stays as it was."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from shoal import Infeasible, InvalidInput, PrivacyWarning, as_table
from shoal.masking import swap_records
from shoal.masking.households.household_variables import household_of

quiet = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def survey(seed, households=120, gaps=False):
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 6, households)
    home = np.repeat(rng.permutation(households), size)
    region = rng.integers(0, 3, households)[home]
    town = region * 10 + rng.integers(0, 4, households)[home]
    job = rng.choice(["cook", "spy", "clerk", None] if gaps else ["cook", "spy", "clerk"], len(home)).tolist()
    columns = {"home": home, "region": region, "town": town, "job": job, "age": rng.integers(0, 9, len(home))}
    order = rng.permutation(len(home))
    frame = pl.DataFrame(columns)[order]
    return as_table(
        frame,
        roles={"quasi": ["region", "town", "job", "age"]},
        kinds=dict.fromkeys(("home", "region", "town"), "nominal"),
    )


def stands_out(table, areas, k):
    """By hand: households with a member whose job and age fewer than k share in the area."""
    rows = table.frame.select([*areas, "job", "age"]).rows()
    counts = Counter(rows)
    return {home for home, row in zip(table.frame["home"], rows, strict=True) if counts[row] < k}


@quiet
@pytest.mark.parametrize("seed", range(25))
def test_households_move_whole_to_a_similar_one_elsewhere_and_counts_stay(seed):
    table = survey(seed, gaps=seed % 2 == 1)
    done = swap_records(
        table, rare=3, rate=0.1, areas=["region", "town"], household="home", similar=[["job"], []], rng=seed
    )
    before, after = table.frame, done.frame
    assert after.select("home", "job", "age").equals(before.select("home", "job", "age"))
    assert after.select("home", "town").n_unique() == after["home"].n_unique(), "members stay together"
    assert (after["town"].cast(pl.Int64) // 10 == after["region"]).all(), "a town stays in its region"
    for area in ("region", "town"):  # sizes are part of every profile: as many persons everywhere as before
        assert Counter(after[area]) == Counter(before[area])
    moved = before.filter(before["town"] != after["town"])["home"].n_unique()
    assert moved >= 0.1 * before["home"].n_unique()


@quiet
@pytest.mark.parametrize("seed", range(25))
def test_only_the_households_that_stand_out_and_their_partners_move(seed):
    table = survey(seed)
    done = swap_records(table, rare=2, rate=0, areas="town", risky=["job", "age"], household="home", rng=seed)
    moved = set(table.frame.filter(table.frame["town"] != done.frame["town"])["home"])
    risky = stands_out(table, ["town"], 2)
    assert len(moved & risky) >= len(moved) / 2, "at least one of each pair stands out"
    assert not risky - moved or len(moved) > 0


@quiet
def test_a_household_that_stands_out_in_its_town_only_stays_in_its_region():
    table = survey(3, households=400)
    done = swap_records(table, rare=2, rate=0, areas=["region", "town"], household="home", rng=1)
    outside = stands_out(table, ["region"], 2)
    home = np.array(table.frame["home"])
    crossed = set(home[np.array(table.frame["region"] != done.frame["region"])])
    assert len(crossed & outside) >= len(crossed) / 2


@quiet
def test_the_same_seed_gives_the_same_file_and_another_one_another():
    table = survey(1)

    def towns(rng):
        return (
            swap_records(table, rare=3, rate=0, areas="town", household="home", rng=rng)
            .frame["town"]
            .to_list()
        )

    assert towns(1) == towns(1) != towns(2)


def test_carried_columns_go_with_the_area():
    table = as_table(
        {"town": ["a", "a", "b", "b"], "density": [1, 1, 9, 9], "job": ["spy", "cook", "cook", "cook"]},
        roles={"quasi": ["town", "job"]},
    )
    frame = swap_records(table, rare=2, rate=0, areas="town", carry="density", rng=1).frame
    assert set(frame.select("town", "density").rows()) == {("a", 1), ("b", 9)}
    assert frame["town"].to_list()[0] == "b"


def test_who_finds_nobody_is_said_and_stays():
    columns = {"home": [1, 2, 2, 3, 4], "town": list("abbab"), "job": ["spy", "cook", "king", "cook", "cook"]}
    table = as_table(columns, roles={"quasi": ["town", "job"]}, kinds={"home": "nominal"})
    with pytest.warns(PrivacyWarning, match="2 of 4 households stand out and found no similar one"):
        done = swap_records(table, rare=2, rate=0, areas="town", household="home", rng=1)
    assert done.frame["town"].to_list()[1:3] == ["b", "b"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"areas": "town", "rate": 1.5}, "`rate` must be a number from 0 to 1"),
        ({"areas": [], "rate": 0}, "`areas` is empty"),
        ({"areas": "twon", "rate": 0}, "Did you mean 'town'"),
        ({"areas": "town", "rate": 0, "risky": "town"}, "is swapped, so it cannot be one of `risky`"),
        ({"areas": "job", "rate": 0, "household": "home"}, "differs within the household of row"),
        ({"areas": "town", "rate": 0, "household": "gap"}, "has no household at row 1"),
        ({"areas": "town", "rate": 0, "rare": 0}, "`rare` must be a whole number"),
    ],
)
def test_bad_input_is_one_sentence(options, sentence):
    columns = {"home": [1, 1, 2], "gap": [1, None, 2], "town": list("aab"), "job": ["x", "y", "x"]}
    table = as_table(columns, roles={"quasi": ["town", "job"]})
    with pytest.raises(InvalidInput, match=sentence):
        swap_records(table, **{"rare": 2, **options})


def test_one_area_alone_cannot_be_swapped():
    table = as_table({"town": list("aaa"), "job": ["x", "y", "x"]}, roles={"quasi": ["town", "job"]})
    with pytest.raises(Infeasible, match="No household could be swapped"):
        swap_records(table, rare=2, rate=0, areas="town")


def test_an_empty_file_and_no_household_column():
    empty = as_table({"town": [], "job": []}, roles={"quasi": ["town", "job"]})
    assert len(swap_records(empty, rare=2, rate=0, areas="town")) == 0
    assert household_of(as_table({"town": ["a", "b"]}), None).tolist() == [0, 1]


def test_two_weights_in_a_household_are_refused_and_a_rate_may_be_text():
    columns = {"home": [1, 1, 2, 2], "town": list("aabb"), "job": list("xyxx"), "w": [5, 6, 7, 7]}
    roles = {"quasi": ["town", "job"], "household": "home", "weight": "w"}
    with pytest.raises(InvalidInput, match="two weights in the household of row 1"):
        swap_records(as_table(columns, roles=roles), rare=2, rate=0, areas="town")
    columns["w"] = [5, 5, 7, 7]
    table = as_table(columns, roles=roles)
    assert swap_records(table, rare=2, rate=".5", areas="town").frame["town"].to_list() == list("bbaa")
