"""Local suppression: remove as few cells as possible until every record looks like k."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np

from shoal._check import check_choice, check_k, check_names, check_number
from shoal._options import renamed
from shoal.encode.categories import categorise
from shoal.errors import PrivacyWarning
from shoal.masking.cells import cells_of
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.strata import check_strata, strata_of
from shoal.masking.protected_columns import protected_columns
from shoal.masking.suppression.wildcards import suppress_as_wildcard, suppress_strictly
from shoal.partition.labels import members
from shoal.table import Table

Gaps = Literal["category", "wildcard"]


@renamed(missing="gaps")
@by_household
def suppress_to_k(
    table: Table,
    *,
    k: int,
    gaps: Gaps = "category",
    importance: Mapping[str, float] | None = None,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> Table:
    """Make single cells missing until every record has the same quasi-identifiers as k - 1 others.

    Parameters
    ----------
    table
        The table to protect.
    k
        How many records must look alike; it has no default because it is the promise you make.
    gaps
        How k is counted. "category": a missing cell is a value of its own, so that nobody can tell the k
        records apart; "wildcard": a missing cell looks like any value, which needs far fewer suppressions and
        is what other tools do, but an intruder who reads the gaps sees smaller groups, and a `PrivacyWarning`
        says so.
    importance
        How much you would mind losing a cell of a column; what its file says (`Attribute.importance`, 1 if
        it says nothing) where not given. Cells are taken from columns that matter less, and sums of
        importance are kept small.
    strata
        Column(s) whose classes reach k apart.
    columns
        The columns an intruder may know; the quasi-identifiers if not given. Every value of a numeric column
        is a category of its own: recode a fine one first.

    Returns
    -------
    Table
        Same rows, same order; cells either as they were or missing.

    Raises
    ------
    Infeasible
        If a stratum has fewer than k records.

    Notes
    -----
    Patterns of columns are tried in the order of their importance, 2^d of them for d columns (at most some
    4,096): time O(n log n) a pattern until all records have company. The fewest cells are not guaranteed:
    that problem is NP-hard. Cells that are missing already count like suppressed ones.

    References
    ----------
    Samarati: Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
    Engineering 13 (2001); Meyerson, Williams: On the complexity of optimal k-anonymity, PODS (2004).

    Examples
    --------
    >>> from shoal import as_table
    >>> columns = {"age": [30, 30, 41, 42], "town": ["a", "a", "b", "b"]}
    >>> table = as_table(columns, roles={"quasi": ["age", "town"]})
    >>> suppress_to_k(table, k=2).frame.rows()
    [(30, 'a'), (30, 'a'), (None, 'b'), (None, 'b')]
    """
    check_choice("gaps", gaps, ("category", "wildcard"))
    names = protected_columns(table, columns, strata=strata)
    check_k(k, len(table))
    weights = _weights(table, names, importance)
    stratum = strata_of(table, strata)
    check_strata(stratum, k)
    codes = np.column_stack([categorise(table, name)[0] for name in names])
    suppress = suppress_strictly if gaps == "category" else suppress_as_wildcard
    mask = np.zeros(codes.shape, dtype=bool)
    for rows in members(stratum):
        mask[rows] = suppress(codes[rows], k, weights)
    released = {}
    for number, name in enumerate(names):
        if mask[:, number].any():
            released[name] = cells_of(table, name)
            released[name][mask[:, number]] = None
    if gaps == "wildcard":
        _warn(k)
    return table.assign(**released)


def _weights(table: Table, names: list[str], importance: Mapping[str, float] | None) -> np.ndarray:
    check_names(importance or (), names)
    given = {
        name: check_number(f"importance of {name}", w, 1e-6, 1e6) for name, w in (importance or {}).items()
    }
    return np.array([given.get(name, table.attribute(name).importance) for name in names])


def _warn(k: int) -> None:
    warnings.warn(
        f"Every record looks like {k} only if a missing cell is taken as a wildcard; an intruder who reads "
        'the gaps sees smaller groups; gaps="category" prevents that.',
        PrivacyWarning,
        stacklevel=3,
    )
