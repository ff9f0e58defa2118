"""The made-up census: consistent households, plausible correlations, the missing values it promises."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.datasets import make_census
from shoal.datasets._census_work import tax_on
from shoal.errors import InvalidInput

col = pl.col


@pytest.fixture(scope="module")
def table():
    return make_census(40_000, rng=20)


@pytest.fixture(scope="module")
def frame(table):
    return table.frame


@pytest.fixture(scope="module")
def employed(frame):
    return frame.filter(col("activity") == "employed")


def correlation(frame, a, b):
    return frame.select(pl.corr(a, b)).item()


def test_shape_roles_and_kinds(table):
    assert isinstance(table.frame, pl.DataFrame)
    assert table.frame.shape == (40_000, 18)
    assert table.names(role="identifier") == ["household", "person"]
    assert table.names(role="confidential") == ["income", "tax", "rent"]
    quasi = {"region", "settlement", "household_size", "sex", "age", "marital_status", "education"}
    assert set(table.names(role="quasi")) == quasi | {"activity", "occupation"}
    numeric = ["household_size", "age", "hours", "income", "tax", "rent", "weight"]
    assert table.names(kind="numeric") == numeric
    assert table.names(kind="ordinal") == ["settlement", "education"]
    assert table.attribute("education").order[0] == "none"
    assert table.attribute("education").order[-1] == "doctorate"


def test_every_category_of_an_order_occurs(table):
    for name in table.names(kind="ordinal"):
        assert set(table.frame[name].drop_nulls().unique()) == set(table.attribute(name).order)


def test_same_seed_same_file():
    assert make_census(500, rng=1).frame.equals(make_census(500, rng=1).frame)
    assert make_census(500, rng=1).frame.equals(make_census(500, rng=np.random.default_rng(1)).frame)
    assert not make_census(500, rng=1).frame.equals(make_census(500, rng=2).frame)


def test_csv_gives_the_same_values_back(tmp_path):
    frame = make_census(2000, rng=4).frame
    frame.write_csv(tmp_path / "census.csv")
    assert pl.read_csv(tmp_path / "census.csv", infer_schema_length=None).equals(frame)


@settings(max_examples=60)
@given(n=st.integers(1, 40), seed=st.integers(0, 10_000))
def test_any_number_of_persons_in_whole_households(n, seed):
    frame = make_census(n, rng=seed).frame
    assert len(frame) == n
    assert frame["person"].to_list() == list(range(1, n + 1))
    check_households(frame)


def test_households_are_consistent(frame):
    check_households(frame)
    assert frame["household_size"].max() > 5


def check_households(frame):
    of_household = ["region", "settlement", "tenure", "household_size", "rent", "weight"]
    homes = frame.group_by("household", maintain_order=True).agg(
        pl.len().alias("members"),
        *[col(name).n_unique().alias(f"{name}s") for name in of_household],
        col("household_size").first(),
        (col("relationship") == "reference person").sum().alias("heads"),
        (col("relationship") == "partner").sum().alias("partners"),
    )
    assert homes["household"].to_list() == list(range(1, len(homes) + 1))
    assert (homes["members"] == homes["household_size"]).all()
    assert (homes["heads"] == 1).all()
    assert (homes["partners"] <= 1).all()
    for name in of_household:
        assert (homes[f"{name}s"] == 1).all(), name


def test_ages_of_families_fit(frame):
    adults = frame.filter(col("relationship").is_in(["reference person", "partner"]))
    youngest = adults.group_by("household").agg(col("age").min().alias("youngest"))
    children = frame.filter(col("relationship") == "child").join(youngest, on="household")
    assert (children["youngest"] - children["age"] >= 17).all()
    assert (children["marital_status"].drop_nulls() == "never married").all()
    heads = frame.filter(col("relationship") == "reference person").select("household", head="age")
    parents = frame.filter(col("relationship") == "parent").join(heads, on="household")
    assert (parents["age"] - parents["head"] >= 18).all()
    assert adults["age"].min() >= 18
    assert frame["age"].min() == 0
    assert frame["age"].max() <= 99


def test_the_married_are_married_to_each_other(frame):
    pair = frame.filter(col("relationship").is_in(["reference person", "partner"]))
    pair = pair.filter(col("marital_status").is_not_null())
    answers = pair.group_by("household").agg(
        pl.len().alias("both"), (col("marital_status") == "married").sum().alias("married")
    )
    assert set(answers.filter(col("both") == 2)["married"].unique()) == {0, 2}
    alone = frame.filter((col("household_size") == 1) & (col("marital_status") == "married"))
    assert len(alone) == 0


def test_what_does_not_apply_is_missing(frame):
    children = frame.filter(col("age") < 16)
    assert (children["activity"] == "child").all()
    for name in ("occupation", "hours", "income", "tax"):
        assert children[name].null_count() == len(children)
    idle = frame.filter(col("activity") != "employed")
    assert idle["occupation"].null_count() == len(idle)
    assert idle["hours"].null_count() == len(idle)
    owners = frame.filter(col("tenure") == "owner")
    assert owners["rent"].null_count() == len(owners)


def test_nonresponse_is_of_the_promised_size(frame, employed):
    def share(part, name):
        return part[name].null_count() / len(part)

    adults = frame.filter(col("age") >= 16)
    assert 0.005 < share(adults, "marital_status") < 0.015
    assert 0.015 < share(adults, "education") < 0.025
    assert 0.015 < share(employed, "occupation") < 0.025
    assert 0.025 < share(employed, "hours") < 0.035
    assert 0.05 < share(adults, "income") < 0.075
    assert 0.03 < share(frame.filter(col("tenure") == "tenant"), "rent") < 0.05
    assert (frame["income"].is_null() == frame["tax"].is_null()).all()
    for name in ("household", "person", "region", "sex", "age", "activity", "household_size", "weight"):
        assert frame[name].null_count() == 0


def test_income_depends_on_what_it_should(employed):
    assert correlation(employed, "income", "hours") > 0.25
    level = employed.group_by("education").agg(col("income").median()).drop_nulls()
    medians = dict(level.iter_rows())
    assert medians["primary"] < medians["upper secondary"] < medians["bachelor"] < medians["master"]
    by_sex = dict(employed.group_by("sex").agg(col("income").median()).iter_rows())
    assert by_sex["female"] < by_sex["male"]
    by_region = dict(employed.group_by("region").agg(col("income").median()).iter_rows())
    assert by_region["Willow"] < by_region["Alder"]
    young, middle = employed.filter(col("age") < 30), employed.filter(col("age").is_between(40, 55))
    assert young["income"].median() < middle["income"].median()


def test_amounts_are_skewed(frame):
    for name in ("income", "tax", "rent"):
        assert frame[name].drop_nulls().skew() > 1, name
        assert frame[name].min() >= 0


def test_tax_is_progressive(frame):
    paid = frame.filter(col("income") > 0).with_columns(rate=col("tax") / col("income"))
    assert (paid["tax"] < paid["income"]).all()
    limits = [0, 10_000, 30_000, 60_000, 10**9]
    rates = [
        paid.filter(col("income").is_between(low, high))["rate"].mean() for low, high in pairwise(limits)
    ]
    assert rates == sorted(rates)
    assert rates[0] < 0.02
    assert rates[-1] > 0.2
    incomes = np.array([0.0, 9_000, 10_000, 45_000, 90_000, 190_000])
    np.testing.assert_array_equal(tax_on(incomes), [0, 0, 180, 9_480, 27_480, 74_480])


def test_rent_depends_on_place_and_earnings(frame):
    tenants = frame.filter(col("rent").is_not_null()).unique("household")
    by_place = dict(tenants.group_by("settlement").agg(col("rent").median()).iter_rows())
    assert by_place["rural"] < by_place["city"]
    earnings = frame.group_by("household").agg(col("income").sum().alias("earned"))
    assert correlation(tenants.join(earnings, on="household"), "rent", "earned") > 0.15


def test_occupation_follows_education_and_sex(employed):
    professionals = employed.filter(col("occupation") == "professional")
    elementary = employed.filter(col("occupation") == "elementary worker")
    high = ["bachelor", "master", "doctorate"]
    assert professionals["education"].is_in(high).mean() > 2 * elementary["education"].is_in(high).mean()
    craft = employed.filter(col("occupation") == "craft worker")
    assert (craft["sex"] == "female").mean() < 0.3
    farmers = employed.filter(col("occupation") == "farmer")
    assert (farmers["settlement"] == "rural").mean() > (employed["settlement"] == "rural").mean()
    assert employed["occupation"].n_unique() == 11  # ten, and no answer


def test_weights_are_positive_and_differ_by_region(frame):
    assert frame["weight"].min() > 0
    by_region = dict(frame.group_by("region").agg(col("weight").mean()).iter_rows())
    assert by_region["Alder"] > 2 * by_region["Willow"]


def test_education_takes_years(frame):
    assert (frame.filter(col("age") < 12)["education"] == "none").all()
    assert frame.filter(col("education") == "doctorate")["age"].min() >= 28


@pytest.mark.parametrize("n", [0, -1, 10.0, "many", None, True])
def test_bad_number_of_persons(n):
    with pytest.raises(InvalidInput, match="`n` must be a whole number of at least 1"):
        make_census(n)
