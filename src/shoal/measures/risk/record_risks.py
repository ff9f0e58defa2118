"""Every risk of every record, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from shoal._check import check_count
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.encode.look_alikes import code_matrix
from shoal.encode.sampling_weights import sampling_weights
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.risk.cover_linkage import cover_linkage
from shoal.measures.risk.individual_risk import risks_by_weight, together
from shoal.measures.risk.k_anonymity import Gaps, class_sizes
from shoal.measures.risk.population.sample_classes import sampling_fraction
from shoal.measures.risk.population_sizes import population_sizes
from shoal.measures.risk.suda2 import suda_scores
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def record_risks(
    original: Table,
    masked: Table,
    *,
    weights: str | None = None,
    household: str | None = None,
    population: Table | None = None,
    fraction: float | None = None,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> pl.DataFrame:
    """Every risk of every record of a release, as a frame with a row per record.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    weights, household
        The columns of sampling weights and of households; those of that role if not given.
    population
        A table of everybody: then the journalist's risk is counted there.
    fraction
        The sampling fraction, for DIS; from the weights if not given.
    gaps, columns
        As in `individual_risk`.

    Returns
    -------
    polars.DataFrame
        `alike` (records that look alike), `prosecutor` (1 / alike), `journalist` (1 / people alike, expected
        by weights or counted in the population), `household` (that somebody of it is found, by the
        journalist's risk where there is one), `linkage` (chance to be linked right), `suda` (score) and `dis`
        (chance that a match is right). Chances from 0 to 1; what cannot be told is null.

    Notes
    -----
    Cost: that of `cover_linkage` and `suda_scores`.

    References
    ----------
    Hundepool, Domingo-Ferrer, Franconi, Giessing, Schulte Nordholt, Spicer, de Wolf: Statistical disclosure
    control, Wiley (2012).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40], "w": [50, 70, 90]}, roles={"quasi": "age", "weight": "w"})
    >>> record_risks(table, table).select("alike", "prosecutor", "linkage").rows()
    [(2, 0.5, 0.5), (2, 0.5, 0.5), (1, 1.0, 1.0)]
    """
    names = intruder_columns(original, masked, columns)
    alike = class_sizes(masked, gaps=gaps, columns=names)
    people = _role_weights(original, masked, weights)
    journalist = _journalist(masked, population, people, gaps, names)
    prosecutor = 1.0 / alike
    home = household or next(iter(original.names(role="household")), None)
    homes = None if home is None else categorise(original, home)[0]
    if fraction is None and people is not None:
        fraction = min(len(people) / float(people.sum()), 1.0)
    known = None if fraction is None else sampling_fraction(masked, fraction)
    suda = suda_scores(masked, fraction=known, columns=names)
    found: dict[str, Any] = {
        "alike": alike,
        "prosecutor": prosecutor,
        "journalist": journalist,
        "household": None if homes is None else together(homes, _either(journalist, prosecutor)),
        "linkage": cover_linkage(original, masked, exact=True, columns=names).chances,
        "suda": suda["score"],
        "dis": suda["dis"] if "dis" in suda.columns else None,
    }
    n = len(masked)
    return pl.DataFrame(
        {
            name: pl.Series(name, [None] * n, dtype=pl.Float64) if column is None else pl.Series(name, column)
            for name, column in found.items()
        }
    )


@takes_frames
def riskiest_combinations(table: Table, *, n: int = 10, columns: Iterable[str] | None = None) -> pl.DataFrame:
    """The combinations of values that stand out most: fewest records first, then most people by SUDA score.

    The frame shows values of the table, with `records` and `suda`; text everywhere, so that any file fits.

    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "f", "m"], "town": ["a", "a", "b"]}, roles={"quasi": ["sex", "town"]})
    >>> riskiest_combinations(table, n=1).rows()
    [('m', 'b', 1, 2.0)]
    """
    check_count("n", n)
    names = intruder_columns(table, table, columns)
    sizes = class_sizes(table, columns=names)
    score = suda_scores(table, columns=names)["score"].to_numpy()
    first = np.unique(row_classes(code_matrix(table, names)), return_index=True)[1]
    order = first[np.lexsort((-score[first], sizes[first]))][:n]
    shown = {name: [_text(value) for value in table.column(name)[order].tolist()] for name in names}
    frame = pl.DataFrame({name: pl.Series(name, values, dtype=pl.String) for name, values in shown.items()})
    return frame.with_columns(pl.Series("records", sizes[order]), pl.Series("suda", score[order]))


def _text(value: Any) -> str | None:
    if value is None or value != value:
        return None
    return f"{value:g}" if isinstance(value, float) else str(value)


def _role_weights(original: Table, masked: Table, name: str | None) -> Matrix | None:
    known = [*original.names(role="weight"), *masked.names(role="weight")]
    name = name or next(iter(known), None)
    if name is None:
        return None
    return sampling_weights(masked if name in masked.names() else original, name)


def _journalist(
    masked: Table, population: Table | None, people: Matrix | None, gaps: Gaps, names: list[str]
) -> Matrix | None:
    if population is not None:
        sizes = population_sizes(masked, population, columns=names)
        return np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0)
    return None if people is None else risks_by_weight(masked, people, gaps=gaps, columns=names)


def _either(one: Matrix | None, other: Matrix) -> Matrix:
    return other if one is None else one
