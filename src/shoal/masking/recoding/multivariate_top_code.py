"""Multivariate top coding: records far out, taking all columns together, are drawn back towards the bulk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from shoal._check import check_names, check_number
from shoal._door import takes_frames
from shoal._shared.options import report
from shoal.encode.robust_covariance import chi2_limit, robust_covariance
from shoal.errors import InvalidInput, NotApplicable
from shoal.masking.households.by_household import by_household
from shoal.masking.protected_columns import finite_column, protected_columns
from shoal.masking.takes_where import takes_where
from shoal.table import Table
from shoal.types import Callback, Kind, Matrix

NUMERIC: tuple[Kind, ...] = ("numeric",)


@takes_where
@by_household
@takes_frames
def multivariate_top_code(
    table: Table,
    *,
    quantile: float,
    moments: Mapping[str, Mapping[str, Any]] | None = None,
    round: bool = False,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Draw records that lie outside the bulk of all columns together back to its border, towards the centre.

    Parameters
    ----------
    table
        The table to protect.
    quantile
        The share of a normal bulk that keeps its values, e.g. 0.975; it has no default because it is the
        protection.
    moments
        Centre and covariances of another file, as a fitted recipe keeps them, in place of this one's.
    round
        Integer columns stay integer.
    columns
        The columns to change together; the numeric quasi-identifiers if not given.
    callback
        Called with `Progress`; returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; records inside the border exactly as they were.

    Raises
    ------
    NotApplicable
        If half of the records have the same value in a column, or lie in a plane: there is no bulk then.

    Notes
    -----
    The bulk is an ellipse around a robust centre, with a robust covariance (minimum covariance determinant),
    so that the outliers themselves do not widen it; its border is where a share `quantile` of normal records
    would lie inside. `top_code` looks at one column at a time and misses who is unusual only in the
    combination. A record with a gap is judged by the columns it has. It gives no k-anonymity. Time
    O(n d^2) for some hundred turns on 1,500 records and some ten on all.

    References
    ----------
    Rousseeuw, Van Driessen: A fast algorithm for the minimum covariance determinant estimator, Technometrics
    41 (1999); Templ, Meindl: Robustification of microdata masking methods and the comparison with existing
    methods, Privacy in Statistical Databases (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> pay = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 500.0]
    >>> table = as_table({"pay": pay}, roles={"quasi": ["pay"]})
    >>> multivariate_top_code(table, quantile=0.99).frame["pay"].round(1).to_list()
    [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 19.0]
    """
    names = protected_columns(table, columns, kinds=NUMERIC)
    share = check_number("quantile", quantile, 0, 1)
    report(callback, 0.0, "finding the bulk")
    X = np.column_stack([finite_column(table, name) for name in names])
    seen = ~np.isnan(X)
    unit = _units(X)
    said = bulk_moments(table, columns=names) if moments is None else moments
    centre, covariance = _given(said, names)
    centre, covariance = centre / unit, covariance / np.outer(unit, unit)
    shrink = _shares_kept(X / unit, seen, centre, covariance, share)
    out = shrink < 1
    drawn = (centre + (X / unit - centre) * shrink[:, None]) * unit
    report(callback, 1.0, "drawn back")
    changed = {}
    for j, name in enumerate(names):
        cells = table.cells(name)
        rows = np.flatnonzero(out & seen[:, j])
        whole = round and table.is_integer(name)
        cells[rows] = [int(np.rint(value)) if whole else float(value) for value in drawn[rows, j]]
        if len(rows) and not whole and table.is_integer(name):
            cells = np.array([None if cell is None else float(cell) for cell in cells], dtype=object)
        changed[name] = cells
    return table.assign(**changed)


def bulk_moments(table: Table, *, columns: Iterable[str] | None = None) -> dict[str, dict[str, Any]]:
    """Robust centre and covariances of numeric columns, as `multivariate_top_code(moments=...)` takes them.

    >>> from shoal import as_table
    >>> bulk_moments(as_table({"pay": [1.0, 2.0, 3.0, 4.0, 99.0]}), columns=["pay"])["centre"]
    {'pay': 2.5}
    """
    names = protected_columns(table, columns, kinds=NUMERIC)
    X = np.column_stack([finite_column(table, name) for name in names])
    X = X[~np.isnan(X).any(axis=1)]
    unit = _units(X)
    for j, name in enumerate(names):
        if len(X) and np.ptp(X[:, j]) == 0:
            raise NotApplicable(
                f"Column {name!r} has one value only, so nothing lies out there; leave it out."
            )
    centre, covariance = robust_covariance(X / unit)
    covariance = covariance * np.outer(unit, unit)
    rows = {name: dict(zip(names, covariance[j].tolist(), strict=True)) for j, name in enumerate(names)}
    return {"centre": dict(zip(names, (centre * unit).tolist(), strict=True)), "covariance": rows}


def _units(X: Matrix) -> Matrix:
    """A power of two by column, so that huge and tiny values stay in range and no digit is lost."""
    largest = np.nanmax(np.abs(X), axis=0, initial=0)
    return np.asarray(np.exp2(np.frexp(largest)[1].astype(float)))


def _given(moments: Mapping[str, Mapping[str, Any]], names: list[str]) -> tuple[Matrix, Matrix]:
    check_names(moments, ("centre", "covariance"), "entry of moments")
    check_names(names, moments.get("centre", {}), "moments for column")
    centre = np.array([moments["centre"][name] for name in names], dtype=float)
    try:
        covariance = np.array([[moments["covariance"][a][b] for b in names] for a in names], dtype=float)
    except KeyError as error:
        raise InvalidInput("`moments` lack a covariance of these columns; fit the recipe again.") from error
    return centre, covariance


def _shares_kept(X: Matrix, seen: Any, centre: Matrix, covariance: Matrix, share: float) -> Matrix:
    """The share of its way from the centre that every record keeps; by the columns it has."""
    kept = np.ones(len(X))
    for pattern in np.unique(seen, axis=0):
        own = np.flatnonzero(pattern)
        if not len(own):
            continue
        rows = np.flatnonzero((seen == pattern).all(axis=1))
        deviations = X[np.ix_(rows, own)] - centre[own]
        inverse = np.linalg.solve(covariance[np.ix_(own, own)], deviations.T).T
        distances = np.sqrt(np.maximum((deviations * inverse).sum(axis=1), 0))
        limit = np.sqrt(chi2_limit(share, len(own)))
        kept[rows] = np.minimum(1.0, limit / np.maximum(distances, 1e-300))
    return kept
