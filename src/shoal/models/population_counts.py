"""How many people of a population table stand behind every record: what k-map and presence count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.types import Matrix

USERS = ("k_map", "delta_present")  # models that may count people of a population table


def population_of(others: Mapping[str, Mapping[str, Any]]) -> Any:
    """The population table, or the name of its file, that a promise counts; None if it counts none.

    >>> population_of({"k_map": {"people": 5, "population": "people.csv"}})
    'people.csv'
    """
    named = [
        others[name]["population"] for name in USERS if others.get(name, {}).get("population") is not None
    ]
    if len(named) > 1 and named[0] is not named[1] and named[0] != named[1]:
        raise InvalidInput("A promise counts one population; name the same table for all of its models.")
    return named[0] if named else None


def people_by_record(records: Iterable[tuple[Any, ...]], people: Iterable[tuple[Any, ...]]) -> Matrix:
    """By record its share of the people with the very same values, so that classes add up to people.

    >>> people_by_record([(30, "f"), (30, "f"), (41, "m")], [(30, "f")] * 6 + [(41, "m")])
    array([3., 3., 1.])
    """
    rows = list(records)
    there, here = Counter(people), Counter(rows)
    return np.array([there[row] / here[row] for row in rows], dtype=np.float64)


def people_in_classes(sizes: Matrix, labels: np.ndarray[Any, Any]) -> Matrix:
    """By record its share of the people that its class covers.

    >>> people_in_classes(np.array([6.0, 6.0, 2.0]), np.array([0, 0, 1]))
    array([3., 3., 2.])
    """
    return np.asarray(sizes / np.bincount(labels)[labels], dtype=np.float64)
