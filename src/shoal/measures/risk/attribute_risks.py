"""Attribute disclosure: what the class of a person tells about every confidential column."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.encode.look_alikes import code_matrix, look_alikes
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.compared_columns import compared_columns
from shoal.measures.risk.population_sizes import population_sizes
from shoal.models import Classes, class_distances, distinct_values
from shoal.models.hierarchical_t_close import hierarchical_distances
from shoal.models.row_classes import row_classes
from shoal.models.value_shares import known_shares, value_shares
from shoal.table import Table


@takes_frames
def attribute_risks(
    table: Table,
    *,
    confidential: Iterable[str] | str | None = None,
    columns: Iterable[str] | str | None = None,
) -> pl.DataFrame:
    """What the worst class tells about every confidential column, by all the usual measures.

    Parameters
    ----------
    table
        The file, as released.
    confidential
        What nobody should learn; the columns of that role if not given.
    columns
        The columns an intruder may know; the quasi-identifiers if not given.

    Returns
    -------
    polars.DataFrame
        A row per confidential column: `k` (records of the smallest class), `l` (different values),
        `entropy_l`, `alpha` (largest share of a value), `beta` (largest relative gain of a value's share over
        the file), `enhanced_beta` (the same, but at most -ln of the rarest value's share, as the package
        pycanon prints it), `delta` (largest |ln| of share in the class / share in the file, of values that
        occur in the class), `t`, and `hierarchical_t` (null without a hierarchy).

    Notes
    -----
    Missing confidential values are left out, but for `t` of names, where they are a value. By the letter
    delta is infinite as soon as a class lacks a value of the file; the promise `delta_disclosure` counts
    that, the figure here does not. By the letter a file whose value of share q gains more than -ln q keeps
    enhanced beta-likeness with no beta at all: the promise `beta_like` counts that. Time O(n log n) a column.

    References
    ----------
    Wong, Li, Fu, Wang: (alpha, k)-anonymity, KDD (2006); Cao, Karras: Publishing microdata with a robust
    privacy guarantee, PVLDB 5 (2012), for beta; Brickell, Shmatikov: The cost of privacy, KDD (2008), for
    delta; Li, Li, Venkatasubramanian: t-closeness, ICDE (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> people = {"age": [30, 30, 40, 40], "ill": ["flu", "cold", "flu", "flu"]}
    >>> table = as_table(people, roles={"quasi": "age", "confidential": "ill"})
    >>> attribute_risks(table).select("alpha", "beta", "t").rows()
    [(1.0, 1.0, 0.25)]
    """
    names = table.names(role="confidential") if confidential is None else confidential
    hidden = check_names(names, table.names())
    if not hidden:
        raise InvalidInput("No column has the role confidential; say which one an intruder should not learn.")
    if not len(table):
        raise NotApplicable("The file has no records.")
    keys = [n for n in compared_columns(table, table, _listed(columns)) if n not in hidden]
    classes = look_alikes(table, columns=keys, confidential=hidden)
    return pl.DataFrame([_figures(classes, name) for name in hidden], schema=_SCHEMA, orient="row")


_SCHEMA = {
    "column": pl.String,
    "k": pl.Int64,
    "l": pl.Int64,
    **dict.fromkeys(
        ("entropy_l", "alpha", "beta", "enhanced_beta", "delta", "t", "hierarchical_t"), pl.Float64
    ),
}


def _listed(columns: Iterable[str] | str | None) -> list[str] | None:
    return None if columns is None else [columns] if isinstance(columns, str) else list(columns)


def _figures(classes: Classes, name: str) -> tuple[str | float | None, ...]:
    found, whole = value_shares(classes, name), known_shares(classes, name)
    usual = whole[found.codes]
    gain = found.shares / usual - 1
    entropy = -np.bincount(found.owner, weights=found.shares * np.log(found.shares), minlength=classes.count)
    lines = classes.hidden[name].ancestors
    return (
        name,
        int(classes.sizes.min()),
        int(distinct_values(classes, name).min()),
        float(np.exp(entropy.min())),
        float(found.shares.max(initial=0.0)),
        float(gain.max(initial=0.0)),
        float(min(gain.max(initial=0.0), -np.log(usual.min(initial=1.0)))),
        float(np.abs(np.log(found.shares / usual)).max(initial=0.0)),
        float(class_distances(classes, name).max()),
        None if lines is None else float(hierarchical_distances(classes, name).max()),
    )


@takes_frames
def presence(
    masked: Table, population: Table, *, columns: Iterable[str] | None = None
) -> tuple[float, float]:
    """delta-presence: the least and the greatest chance that a person of the population is in the file.

    Records that look alike / people of the population that their cells cover, at most 1; the least is 0 if
    some people fit no record.

    >>> from shoal import as_table
    >>> people = as_table({"age": [20, 22, 25, 40, 41]})
    >>> presence(as_table({"age": ["20-29", "40-49"]}), people)
    (0.3333333333333333, 0.5)
    """
    names = compared_columns(masked, masked, columns)
    people = population_sizes(masked, population, columns=names)
    classes = row_classes(code_matrix(masked, names))
    records = np.bincount(classes)
    covered = people[np.unique(classes, return_index=True)[1]]
    chance = np.minimum(records / np.maximum(covered, 1), 1.0)
    chance = chance[covered > 0]
    if not len(chance):
        return 0.0, 0.0
    low = 0.0 if covered.sum() < len(population) else float(chance.min())
    return low, float(chance.max())
