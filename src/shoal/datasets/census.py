"""A made-up person file that behaves like a real one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal._check import check_count
from shoal.datasets._census_people import (
    MARITAL_STATUSES,
    REFERENCE,
    RELATIONSHIPS,
    Bools,
    Ints,
    People,
    make_people,
)
from shoal.datasets._census_work import (
    ACTIVITIES,
    CHILDHOOD,
    EDUCATION,
    EMPLOYED,
    OCCUPATIONS,
    Work,
    make_work,
)
from shoal.table import Table, as_table
from shoal.types import Kind, Matrix, RandomState, Role

SETTLEMENTS = ("rural", "town", "city")
TENURES = ("owner", "tenant")

# One row per region: share of households, share in the city, log wage and log rent against the average, and
# how many households of the country one household of the file stands for.
_REGIONS = {
    "Alder": (0.22, 0.65, 0.14, 0.30, 260.0),
    "Birch": (0.16, 0.45, 0.06, 0.15, 220.0),
    "Cedar": (0.13, 0.40, 0.02, 0.05, 200.0),
    "Elm": (0.11, 0.35, 0.00, 0.00, 190.0),
    "Hazel": (0.09, 0.30, -0.03, -0.06, 170.0),
    "Larch": (0.08, 0.25, -0.05, -0.10, 160.0),
    "Maple": (0.07, 0.35, 0.04, 0.10, 150.0),
    "Oak": (0.05, 0.20, -0.08, -0.16, 120.0),
    "Pine": (0.04, 0.15, -0.10, -0.20, 100.0),
    "Rowan": (0.03, 0.15, -0.12, -0.22, 80.0),
    "Willow": (0.02, 0.05, -0.15, -0.28, 60.0),
}

_ROLES: dict[Role, list[str]] = {
    "identifier": ["household", "person"],
    "quasi": [
        *("region", "settlement", "household_size", "sex", "age"),
        *("marital_status", "education", "activity", "occupation"),
    ],
    "confidential": ["income", "tax", "rent"],
}
_KINDS: dict[str, Kind | tuple[str, ...]] = {
    "household": "nominal",
    "person": "nominal",
    "household_size": "numeric",
    "settlement": SETTLEMENTS,
    "education": EDUCATION,
}


@dataclass(frozen=True)
class _Homes:
    """One entry per household."""

    region: Ints
    settlement: Ints
    weight: Matrix


def make_census(n: int, *, rng: RandomState = None) -> Table:
    """A realistic file of n made-up persons in households: nobody in it exists.

    Parameters
    ----------
    n
        Number of persons.
    rng
        Seed or generator; the same one gives the same file.

    Returns
    -------
    Table
        Identifiers `household`, `person`; quasi-identifiers `region`, `settlement` (ordinal),
        `household_size`, `sex`, `age`, `marital_status`, `education` (ordinal), `activity`, `occupation`;
        confidential `income`, `tax` (per year) and `rent` (per month and household); and `relationship`,
        `tenure`, `hours` (per week), `weight` (how many persons one record stands for). Rows are in
        household order.

    Notes
    -----
    Time and memory O(n), a few seconds for a million persons. Amounts are skewed to the right; income grows
    with education, hours and age up to the fifties, and differs by sex, region and occupation; tax is
    progressive; every fourth income is rounded to thousands. Children are at least 17 years younger than
    the couple or person who raises them.

    Missing by nature: occupation and hours of who is not employed, income and tax under 16, rent of
    owners. Missing by nonresponse: 1 to 3% of marital status and education (from 16 years), occupation and
    hours; about 6% of incomes with their tax, more among the rich; 4% of rents.

    Examples
    --------
    >>> make_census(1000, rng=1).names(role="confidential")
    ['income', 'tax', 'rent']
    """
    n = check_count("n", n)
    rng = np.random.default_rng(rng)
    people = make_people(n, rng)
    homes = _make_homes(int(people.household[-1]) + 1, rng)
    log_wage = np.array([row[2] for row in _REGIONS.values()])[homes.region] + 0.04 * homes.settlement
    rural = homes.settlement == SETTLEMENTS.index("rural")
    work = make_work(people, rural[people.household], log_wage[people.household], rng)
    tenant = _is_tenant(people, homes, rng)
    rent = _rent(people, homes, work, rng)[people.household]
    told_rent = (tenant & _answered(len(tenant), 0.04, rng))[people.household]
    columns = {
        **_person_columns(people, homes, tenant, rng),
        **_work_columns(people, work, rng),
        "rent": _number(rent, told_rent),
        "weight": pl.Series(homes.weight[people.household]),
    }
    return as_table(pl.DataFrame(columns), roles=_ROLES, kinds=_KINDS)


def _make_homes(households: int, rng: np.random.Generator) -> _Homes:
    share, city, _, _, stands_for = np.array(list(_REGIONS.values())).T
    region = rng.choice(len(share), households, p=share)
    chance = rng.random(households)
    settlement = np.where(chance < city[region], 2, np.where(chance < 0.4 + 0.6 * city[region], 1, 0))
    weight = stands_for[region] * np.exp(rng.normal(0, 0.15, households))
    return _Homes(region, settlement, np.round(weight, 2))


def _is_tenant(people: People, homes: _Homes, rng: np.random.Generator) -> Bools:
    """Per household: the young and those in the city rent."""
    age = people.age[people.relationship == REFERENCE]
    odds = 0.6 - 0.045 * (age - 35) + 0.5 * (homes.settlement - 1)
    tenant: Bools = rng.random(len(age)) < 1 / (1 + np.exp(-odds))
    return tenant


def _rent(people: People, homes: _Homes, work: Work, rng: np.random.Generator) -> Ints:
    """Per household: by place, size and what the household earns; in tens."""
    earned = np.bincount(people.household, weights=work.income)
    size = np.bincount(people.household)
    by_region = np.array([row[3] for row in _REGIONS.values()])[homes.region]
    by_earnings = 0.22 * np.log(earned / 30_000 + 0.3)
    centre = 6.1 + by_region + by_earnings + 0.16 * homes.settlement + 0.25 * np.log(size)
    rent: Ints = np.round(np.exp(centre + rng.normal(0, 0.22, len(size))), -1).astype(np.int64)
    return np.maximum(rent, 100)


def _person_columns(
    people: People, homes: _Homes, tenant: Bools, rng: np.random.Generator
) -> dict[str, pl.Series]:
    n = len(people.age)
    told = _answered(n, 0.01, rng) | (people.age < 16)
    return {
        "household": pl.Series(people.household + 1),
        "person": pl.Series(np.arange(1, n + 1)),
        "region": _category(tuple(_REGIONS), homes.region[people.household]),
        "settlement": _category(SETTLEMENTS, homes.settlement[people.household]),
        "tenure": _category(TENURES, tenant[people.household].astype(np.int64)),
        "household_size": pl.Series(people.size),
        "relationship": _category(RELATIONSHIPS, people.relationship),
        "sex": _category(("male", "female"), people.female.astype(np.int64)),
        "age": pl.Series(people.age),
        "marital_status": _category(MARITAL_STATUSES, people.marital_status, told),
    }


def _work_columns(people: People, work: Work, rng: np.random.Generator) -> dict[str, pl.Series]:
    n = len(people.age)
    employed = work.activity == EMPLOYED
    refusal = np.where(work.income > 60_000, 0.12, 0.055)
    told_income = (work.activity != CHILDHOOD) & _answered(n, refusal, rng)
    return {
        "education": _category(EDUCATION, work.education, _answered(n, 0.02, rng) | (people.age < 16)),
        "activity": _category(ACTIVITIES, work.activity),
        "occupation": _category(OCCUPATIONS, work.occupation, employed & _answered(n, 0.02, rng)),
        "hours": _number(work.hours, employed & _answered(n, 0.03, rng)),
        "income": _number(work.income, told_income),
        "tax": _number(work.tax, told_income),
    }


def _answered(n: int, refusal: float | Matrix, rng: np.random.Generator) -> Bools:
    return rng.random(n) >= refusal


def _category(names: tuple[str, ...], codes: Ints, present: Bools | None = None) -> pl.Series:
    """Text by code, missing where not present."""
    return pl.Series(names).gather(pl.Series(codes) if present is None else _number(codes, present))


def _number(values: Ints, present: Bools) -> pl.Series:
    """Whole numbers, missing where not present."""
    return pl.select(pl.when(pl.Series(present)).then(pl.Series(values))).to_series()
