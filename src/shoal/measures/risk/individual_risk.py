"""Individual risk: the chance that a record is the person in the population it looks like."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.options import renamed
from shoal.encode.categories import categorise
from shoal.encode.sampling_weights import sampling_weights
from shoal.errors import InvalidInput
from shoal.measures.compared_columns import compared_columns
from shoal.measures.risk.k_anonymity import Gaps, class_sizes, class_totals
from shoal.models.population_risk import expected_inverse
from shoal.table import Table
from shoal.types import Matrix


@renamed(missing="gaps")
@takes_frames
def individual_risk(
    original: Table,
    masked: Table,
    *,
    weights: str | None = None,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> float:
    """Percent of the masked records that an intruder who knows the population is expected to re-identify.

    Parameters
    ----------
    original, masked
        The two files; only the masked one is counted, the original says which columns are quasi-identifiers.
    weights
        Name of the column with sampling weights (how many people of the population a record stands for); the
        column of role weight if not given. Without one the file is taken to be the whole population: the
        worst case.
    gaps
        "category": a missing value is a value of its own (the stricter reading); "wildcard": it looks like
        any value.
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none).

    Returns
    -------
    float
        0 to 100; `record_risks` gives the risk of every record.

    Notes
    -----
    100 * mean of r, r = E(1 / F | f) with f the records of the sample and F the people of the population that
    look alike, F negative binomial given f with p = f / sum of weights. Without weights r = 1 / f. Time
    O(n log n) a column; "wildcard" once for every pair of patterns of missing cells.

    References
    ----------
    Benedetti, Franconi: Statistical and technological solutions for controlled data dissemination, New
    Techniques and Technologies for Statistics (1998); Franconi, Polettini: Individual risk estimation in
    mu-Argus: a review, Privacy in Statistical Databases (2004).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "w": [50.0, 70.0, 90.0]}, roles={"quasi": ["age"]})
    >>> round(individual_risk(table, table), 2), round(individual_risk(table, table, weights="w"), 2)
    (66.67, 2.74)
    """
    name = weights or next(iter([*original.names(role="weight"), *masked.names(role="weight")]), None)
    holder = masked if name is None or name in masked.names() else original
    names = [n for n in compared_columns(original, masked, columns) if n != name]
    people = sampling_weights(holder, name)
    return 100.0 * float(risks_by_weight(masked, people, gaps=gaps, columns=names).mean())


@renamed(missing="gaps")
@takes_frames
def individual_risks(
    table: Table,
    *,
    weights: str | None = None,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> Matrix:
    """For every record the chance, 0 to 1, that it is the person of the population it looks like.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]})
    >>> individual_risks(table)
    array([0.5, 0.5, 1. ])
    """
    return risks_by_weight(table, sampling_weights(table, weights), gaps=gaps, columns=columns)


@renamed(missing="gaps")
@takes_frames
def global_risk(
    table: Table,
    *,
    weights: str | None = None,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> float:
    """The expected number of records that are re-identified: the sum of the record risks.

    >>> from shoal import as_table
    >>> global_risk(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}))
    2.0
    """
    return float(individual_risks(table, weights=weights, gaps=gaps, columns=columns).sum())


@renamed(missing="gaps")
@takes_frames
def household_risks(
    table: Table,
    *,
    household: str | None = None,
    weights: str | None = None,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> Matrix:
    """For every record the probability, 0 to 1, that somebody of its household is re-identified.

    `household` names the column that says who lives together, that of role household if not given; records
    where it is missing live alone.

    >>> from shoal import as_table
    >>> table = as_table({"home": [1, 1, 2, 2], "age": [30, 7, 30, 7]}, roles={"quasi": ["age"]})
    >>> household_risks(table, household="home")
    array([0.75, 0.75, 0.75, 0.75])
    """
    name = household or next(iter(table.names(role="household")), None)
    if name is None:
        raise InvalidInput("It is not known who lives together; give a column the role household.")
    homes = categorise(table, *check_names(name, table.names()))[0]
    return together(homes, individual_risks(table, weights=weights, gaps=gaps, columns=columns))


def together(homes: NDArray[np.intp], risks: Matrix) -> Matrix:
    """1 - product of (1 - risk) over everybody of a home; who has none (-1) lives alone.

    >>> together(np.array([0, 0, -1]), np.array([0.5, 0.5, 0.1])).round(2)
    array([0.75, 0.75, 0.1 ])
    """
    home = np.where(homes < 0, homes.max() + 1 + np.arange(len(homes)), homes)
    with np.errstate(divide="ignore"):
        safe = np.bincount(home, weights=np.log1p(-risks))
    return -np.expm1(safe[home])


def risks_by_weight(
    table: Table, weights: Matrix | None, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> Matrix:
    """The risk of every record if it stands for so many people; 1 / records alike without weights."""
    frequency = class_sizes(table, gaps=gaps, columns=columns).astype(np.float64)
    if weights is None:
        return 1.0 / frequency
    population = class_totals(table, weights, gaps=gaps, columns=columns)
    return expected_inverse(frequency, np.minimum(frequency / population, 1.0))
