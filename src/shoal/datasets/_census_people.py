"""Who lives with whom in the made-up census: households, ages, sexes and marriages that fit together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.types import Matrix

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

RELATIONSHIPS = ("reference person", "partner", "child", "parent")
REFERENCE, PARTNER, CHILD, PARENT = range(4)
MARITAL_STATUSES = ("never married", "married", "separated", "divorced", "widowed")
NEVER_MARRIED, MARRIED, SEPARATED, DIVORCED, WIDOWED = range(5)

# One row per type of household: share, partner, children, parent (0 or 1 each), the youngest, usual and
# oldest age of the reference person, and how often that person is a woman.
_TYPES = np.array(
    [
        (0.15, 0, 0, 0, 18, 28, 62, 0.45),  # lives alone, young
        (0.16, 0, 0, 0, 50, 74, 97, 0.66),  # lives alone, old
        (0.10, 1, 0, 0, 20, 29, 55, 0.42),  # young couple
        (0.19, 1, 0, 0, 48, 66, 92, 0.35),  # older couple
        (0.26, 1, 1, 0, 23, 41, 62, 0.40),  # couple with children
        (0.09, 0, 1, 0, 20, 41, 60, 0.82),  # lone parent
        (0.03, 1, 1, 1, 30, 44, 62, 0.40),  # three generations
        (0.02, 0, 0, 1, 35, 52, 68, 0.50),  # lives with an old parent
    ]
)
_CHILDREN = (0.42, 0.40, 0.13, 0.04, 0.01)  # shares of 1, 2 ... children, where there are any


@dataclass(frozen=True)
class People:
    """One entry per person, household after household."""

    household: Ints  # 0..households-1
    size: Ints  # of the person's household
    relationship: Ints
    age: Ints
    female: Bools
    marital_status: Ints


def make_people(n: int, rng: np.random.Generator) -> People:
    """Exactly n persons in complete households."""
    kind, children = _draw_households(n, rng)
    _, partner, _, parent, low, usual, high, female = _TYPES[kind].T
    size = (1 + partner + children + parent).astype(np.int64)
    household = np.repeat(np.arange(len(size)), size)
    relationship = _relationships(household, size, partner == 1, parent == 1)
    reference_age = np.floor(rng.triangular(low, usual, high))
    age = _ages(household, relationship, reference_age, rng)
    women = _sexes(household, relationship, female, rng)
    marital_status = _marital_statuses(household, relationship, partner == 1, age, women, rng)
    return People(household, size[household], relationship, age, women, marital_status)


def _draw_households(n: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Type and number of children of households that hold exactly n persons."""
    kind = rng.choice(len(_TYPES), n, p=_TYPES[:, 0])
    children = np.where(_TYPES[kind, 2] == 1, 1 + rng.choice(len(_CHILDREN), n, p=_CHILDREN), 0)
    persons = np.cumsum(1 + _TYPES[kind, 1] + children + _TYPES[kind, 3]).astype(np.int64)
    # the household that would be cut in two is left out, and people who live alone (type 0) take its places
    whole = int(np.searchsorted(persons, n, side="right"))
    alone = np.zeros(n - (int(persons[whole - 1]) if whole else 0), dtype=np.int64)
    return np.append(kind[:whole], alone), np.append(children[:whole], alone)


def _relationships(household: Ints, size: Ints, partner: Bools, parent: Bools) -> Ints:
    """In every household: reference person, partner, children, parent, in this order."""
    position = np.arange(len(household)) - (np.cumsum(size) - size)[household]
    is_partner = partner[household] & (position == 1)
    is_parent = parent[household] & (position == size[household] - 1)
    return np.select([position == 0, is_partner, is_parent], [REFERENCE, PARTNER, PARENT], CHILD)


def _ages(household: Ints, relationship: Ints, reference_age: Matrix, rng: np.random.Generator) -> Ints:
    """Partners of like age; children at least 17 years younger than both; parents 18 or more years older."""
    reference = reference_age[household]
    partner = np.clip(np.round(reference + rng.normal(0, 3.5, len(household))), 18, 99)
    youngest = reference_age.copy()
    is_partner = relationship == PARTNER
    youngest[household[is_partner]] = np.minimum(reference, partner)[is_partner]
    youngest = youngest[household]
    low, high = np.maximum(youngest - 46, 0), np.clip(youngest - 16, 1, 29)
    low = np.minimum(low, high - 1)  # only where nobody is a child
    child = rng.triangular(low, np.clip(youngest - 29, low, high), high)
    parent = np.minimum(reference + rng.triangular(18, 28, 42, len(household)), 99)
    age: Matrix = np.choose(relationship, [reference, partner, child, parent])
    return np.floor(age).astype(np.int64)


def _sexes(household: Ints, relationship: Ints, share: Matrix, rng: np.random.Generator) -> Bools:
    """True for women: by type for reference persons, nearly always the other sex for partners."""
    reference = rng.random(len(share)) < share
    chance = rng.random(len(household))
    partner = reference[household] ^ (chance < 0.97)
    women: Bools = np.choose(relationship, [reference[household], partner, chance < 0.49, chance < 0.72])
    return women


def _marital_statuses(
    household: Ints, relationship: Ints, partner: Bools, age: Ints, female: Bools, rng: np.random.Generator
) -> Ints:
    """Couples marry with age, together; the others were never married, or no longer are."""
    reference_age = age[relationship == REFERENCE]
    chance = np.interp(reference_age, [20, 30, 45, 70], [0.12, 0.55, 0.80, 0.93])
    married = partner & (rng.random(len(partner)) < chance)
    in_couple = (relationship == REFERENCE) | (relationship == PARTNER)
    widowed = np.where(female, 1.0, 0.45) * np.interp(age, [45, 70, 90], [0.0, 0.45, 0.85])
    widowed[in_couple & partner[household]] = 0
    parted = np.interp(age, [22, 50, 80], [0.0, 0.42, 0.35])
    parted_status = np.where(rng.random(len(age)) < 0.15, SEPARATED, DIVORCED)
    unmarried = np.where(rng.random(len(age)) < parted, parted_status, NEVER_MARRIED)
    unmarried = np.where(rng.random(len(age)) < widowed, WIDOWED, unmarried)
    status = np.where(in_couple & married[household], MARRIED, unmarried)
    return np.where(relationship == CHILD, NEVER_MARRIED, status)
