"""What the people of the made-up census learned, do and earn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.datasets._census_people import CHILD, Bools, Ints, People
from shoal.types import Matrix

EDUCATION = (
    *("none", "primary", "lower secondary", "upper secondary"),
    *("short tertiary", "bachelor", "master", "doctorate"),
)
ACTIVITIES = ("child", "student", "employed", "unemployed", "retired", "other inactive")
CHILDHOOD, STUDENT, EMPLOYED, UNEMPLOYED, RETIRED, INACTIVE = range(6)

# One row per occupation: how common it is, what a level of education and being a woman change about that
# (log odds), and what it adds to earnings (log).
_OCCUPATIONS = {
    "manager": (-2.0, 0.45, -0.4, 0.35),
    "professional": (-3.6, 0.95, 0.2, 0.22),
    "technician": (-1.2, 0.45, 0.0, 0.12),
    "clerk": (-0.4, 0.20, 0.7, -0.02),
    "service or sales worker": (0.6, -0.05, 0.7, -0.12),
    "farmer": (-1.6, -0.20, -0.8, -0.15),
    "craft worker": (1.6, -0.20, -2.0, 0.00),
    "machine operator": (1.0, -0.25, -1.5, 0.00),
    "elementary worker": (1.1, -0.45, 0.3, -0.25),
    "armed forces": (-2.8, 0.10, -1.8, 0.08),
}
OCCUPATIONS = tuple(_OCCUPATIONS)

_TAX_LIMITS = np.array([9_000, 20_000, 45_000, 90_000])  # of yearly income; made up, like all that is here
_TAX_STEPS = np.array([0.18, 0.12, 0.10, 0.07])  # by which the tax rate rises above each: 18%, 30%, 40%, 47%


@dataclass(frozen=True)
class Work:
    """One entry per person; occupation and hours are meant only for the employed, income from age 16."""

    education: Ints
    activity: Ints
    occupation: Ints
    hours: Ints
    income: Ints
    tax: Ints


def make_work(people: People, rural: Bools, log_wage: Matrix, rng: np.random.Generator) -> Work:
    """Education, activity, occupation, hours, income and tax of people, given where they live."""
    ability = _ability(people, rng)
    education = _education(people.age, ability)
    mother = people.female & _with_small_children(people)
    activity = _activity(people.age, education, mother, rng)
    occupation = _occupation(education, people.female, rural, rng)
    hours = _hours(people.female, mother, occupation, rng)
    wage = log_wage + 0.10 * ability + np.array([row[3] for row in _OCCUPATIONS.values()])[occupation]
    income = _income(people, education, activity, hours, wage, rng)
    deduction = rng.uniform(0, 0.12, len(income))
    tax = tax_on(income * (1 - deduction))
    return Work(education, activity, occupation, hours, _as_told(income, rng), tax)


def tax_on(income: Matrix) -> Ints:
    """Progressive tax on yearly income.

    >>> tax_on(np.array([5_000, 20_000, 100_000]))
    array([    0,  1980, 32180])
    """
    tax: Matrix = np.maximum(income[:, None] - _TAX_LIMITS, 0) @ _TAX_STEPS
    return np.round(tax).astype(np.int64)


def _ability(people: People, rng: np.random.Generator) -> Matrix:
    """A standard normal score that members of a household share in part."""
    own = rng.normal(size=len(people.age))
    shared = rng.normal(size=people.household[-1] + 1)
    ability: Matrix = 0.8 * own + 0.6 * shared[people.household]
    return ability


def _education(age: Ints, ability: Matrix) -> Ints:
    """Highest level completed: older cohorts have less, and every level takes years to reach."""
    score = ability - 0.016 * np.maximum(age - 35, 0)
    reached = np.digitize(score, [-2.3, -1.7, -0.8, 0.25, 0.55, 1.15, 2.3])
    possible = np.digitize(age, [12, 15, 18, 20, 21, 24, 28])
    return np.minimum(reached, possible)


def _with_small_children(people: People) -> Bools:
    """Whether a child under 6 lives in the person's household, whose reference person or partner this is."""
    small = (people.relationship == CHILD) & (people.age < 6)
    in_household = np.bincount(people.household, weights=small)[people.household] > 0
    return in_household & (people.relationship < CHILD)


def _activity(age: Ints, education: Ints, mother: Bools, rng: np.random.Generator) -> Ints:
    chance = rng.random((4, len(age)))
    student = chance[0] < np.interp(age, [16, 18, 22, 27, 40], [0.97, 0.80, 0.38, 0.05, 0.0])
    retired = chance[1] < np.interp(age, [54, 60, 64, 66, 75], [0.0, 0.12, 0.40, 0.92, 0.995])
    employed = chance[2] < 1 / (1 + np.exp(-(0.75 + 0.32 * education - 0.9 * mother)))
    unemployed = (chance[3] < 0.45) & (age < 67)
    return np.select(
        [age < 16, student, retired, employed, unemployed],
        [CHILDHOOD, STUDENT, RETIRED, EMPLOYED, UNEMPLOYED],
        INACTIVE,
    )


def _occupation(education: Ints, female: Bools, rural: Bools, rng: np.random.Generator) -> Ints:
    """The occupation with the largest of ten scores; with Gumbel noise this is a multinomial logit draw."""
    best = np.full(len(education), -np.inf)
    occupation = np.zeros(len(education), dtype=np.int64)
    for code, (base, by_level, by_woman, _) in enumerate(_OCCUPATIONS.values()):
        score = base + by_level * education + by_woman * female + rng.gumbel(size=len(education))
        if OCCUPATIONS[code] == "farmer":
            score += 2.0 * rural
        occupation[score > best] = code
        np.maximum(best, score, out=best)
    return occupation


def _hours(female: Bools, mother: Bools, occupation: Ints, rng: np.random.Generator) -> Ints:
    """Weekly hours: many say exactly 40, some work part-time, managers and farmers work long."""
    part_time = rng.random(len(female)) < 0.08 + 0.22 * female + 0.22 * mother
    usual = np.where(rng.random(len(female)) < 0.45, 40, rng.normal(40.5, 5.5, len(female)))
    long = np.isin(occupation, [OCCUPATIONS.index("manager"), OCCUPATIONS.index("farmer")])
    full_time = usual + 5 * (long & (rng.random(len(female)) < 0.6))
    hours = np.where(part_time, rng.normal(21, 6, len(female)), full_time)
    whole: Ints = np.clip(np.round(hours), 3, 84).astype(np.int64)
    return whole


def _income(
    people: People, education: Ints, activity: Ints, hours: Ints, wage: Matrix, rng: np.random.Generator
) -> Matrix:
    """Yearly income before tax: lognormal around what the person is and does, with a long right tail."""
    n = len(education)
    years = np.clip(people.age - 20, 0, 42)
    level = wage + 0.10 * education - 0.10 * people.female
    earned = 9.75 + level + 0.040 * years - 0.00062 * years**2 + np.log(hours / 40)
    tail = np.where(rng.random(n) < 0.02, rng.exponential(0.5, n), 0)
    centre = np.choose(activity, [-np.inf, 8.3, earned + tail, 9.0, 9.45 + 0.8 * level, 8.5])
    spread = np.choose(activity, [0, 0.6, 0.36, 0.4, 0.3, 0.7])
    without = np.choose(activity, [1, 0.55, 0, 0.12, 0.01, 0.5])
    income = np.exp(centre + spread * rng.normal(size=n))
    return np.where(rng.random(n) < without, 0.0, income)


def _as_told(income: Matrix, rng: np.random.Generator) -> Ints:
    """Whole numbers; every fourth person rounds to thousands."""
    rounded = rng.random(len(income)) < 0.25
    return np.where(rounded & (income > 2_000), np.round(income, -3), np.round(income)).astype(np.int64)
