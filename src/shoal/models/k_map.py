"""k-map: every class stands for at least k people of the population."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.models.classes import Classes
from shoal.types import Matrix


def people_of(classes: Classes) -> Matrix:
    """How many people of the population every class stands for: counted in its table, or by the weights."""
    stands_for = classes.weights if classes.people is None else classes.people
    if stands_for is None:
        raise InvalidInput(
            "k-map, presence and individual risk need the population; give the column of weights its role, "
            "or name a table of everybody: k_map.population=people.csv."
        )
    found = np.bincount(classes.labels, weights=stands_for, minlength=classes.count)
    return np.asarray(found, dtype=np.float64)


def k_map(classes: Classes, *, people: float, population: Any = None) -> NDArray[np.bool_]:
    """Whether the records of every class stand for at least this many people of the population.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    people
        The least number, estimated by the sum of sampling weights.
    population
        A table of everybody, or the name of its file, in place of the weights; who makes the classes counts
        it (`Classes.people`). Maskers count the people with a member's own values, the gate all whom the
        released cells cover.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Weaker than k-anonymity: it trusts that nobody knows who is in the sample. O(n).

    References
    ----------
    Sweeney: Computational disclosure control: a primer on data privacy protection, thesis, MIT (2001).

    Examples
    --------
    >>> from shoal.models import Classes
    >>> classes = Classes(np.array([0, 0, 1]), weights=np.array([10.0, 20.0, 2.0]))
    >>> k_map(classes, people=5)
    array([ True, False])
    """
    return np.asarray(people_of(classes) >= check_number("people", people, 1) - 1e-9)
