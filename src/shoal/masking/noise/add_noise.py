"""Noise addition: every number is released with a random error."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names, check_number
from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.strata import strata_of
from shoal.masking.protected_columns import finite_column, protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members
from shoal.table import Table
from shoal.types import Callback, Kind, Matrix, RandomState

NUMERIC: tuple[Kind, ...] = ("numeric",)


@takes_where
@by_household
@takes_frames
def add_noise(
    table: Table,
    *,
    amount: float,
    correlated: bool = False,
    keep_variance: bool = False,
    moments: Mapping[str, Mapping[str, Any]] | None = None,
    strata: Iterable[str] | str | None = None,
    round: bool = False,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Add normal noise to numbers: independent, or correlated like the columns themselves.

    Parameters
    ----------
    table
        The table to protect.
    amount
        Standard deviation of the noise as a share of that of the column, e.g. 0.3; it has no default because
        it is the protection.
    correlated
        Whether the noise of the columns is correlated as the columns are, so that correlations are kept.
    keep_variance
        Whether values are drawn back to the mean just so far that variances stay (with correlated noise all
        covariances).
    moments
        Means and covariances of another file, of `noise_moments`, in place of this one's; not with strata.
    strata
        Column(s) whose classes have their own means and variances.
    round
        Integer columns stay integer.
    columns
        The columns to change; the numeric quasi-identifiers if not given.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress` before every stratum;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order.

    Notes
    -----
    Missing cells stay missing. Noise does not give k-anonymity: outliers stay outliers. A column (of a
    stratum) that is constant gets no noise, and a `PrivacyWarning` says so. Time O(n d), with correlated
    noise O(n d^2).

    References
    ----------
    Kim: A method for limiting disclosure in microdata based on random noise and transformation, Proceedings
    of the Survey Research Methods Section, American Statistical Association (1986).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"pay": [10.0, 20.0, 30.0]}, roles={"quasi": ["pay"]})
    >>> add_noise(table, amount=0.1, rng=1).frame["pay"].round(1).to_list()
    [10.3, 20.8, 30.3]
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns, strata=strata, kinds=NUMERIC)
    check_number("amount", amount, np.nextafter(0, 1))
    if moments is not None and strata is not None:
        raise InvalidInput("`moments` are of a whole file; leave out either `moments` or `strata`.")
    X = np.column_stack([finite_column(table, name) for name in names])
    strata_rows = members(strata_of(table, strata)) if len(table) else []
    released, still = X.copy(), np.zeros(len(names), dtype=bool)
    for rows in reported(strata_rows, callback):
        part, seen = X[rows], ~np.isnan(X[rows])
        centre, root = _centre_and_root(part, seen, correlated)
        if moments is not None:
            centre, root = _given_moments(moments, names, correlated)
        deviations = part - centre
        still |= np.where(seen, part, np.inf).min(axis=0) == np.where(seen, part, -np.inf).max(axis=0)
        noise = amount * rng.standard_normal(part.shape) @ root
        shrink = np.sqrt(1 + amount**2) if keep_variance else 1.0
        released[rows] = centre + (deviations + noise) / shrink
    _warn(names, still)
    return table.assign(**{name: _typed(table, name, released[:, j], round) for j, name in enumerate(names)})


def noise_moments(table: Table, *, columns: Iterable[str] | None = None) -> dict[str, dict[str, Any]]:
    """Means and covariances of the numeric columns, as `add_noise(moments=...)` takes them for the next file.

    Parameters
    ----------
    table
        The file they are taken from.
    columns
        The columns; the numeric quasi-identifiers if not given.

    Returns
    -------
    dict
        "centre" by column, and "covariance" by column and column; missing cells take no part.

    Examples
    --------
    >>> from shoal import as_table
    >>> noise_moments(as_table({"pay": [10.0, 20.0, 30.0]}), columns=["pay"])
    {'centre': {'pay': 20.0}, 'covariance': {'pay': {'pay': 100.0}}}
    """
    names = protected_columns(table, columns, kinds=NUMERIC)
    X = np.column_stack([finite_column(table, name) for name in names])
    centre, root = _centre_and_root(X, ~np.isnan(X), correlated=True)
    covariance = root.T @ root
    rows = {name: dict(zip(names, covariance[j].tolist(), strict=True)) for j, name in enumerate(names)}
    return {"centre": dict(zip(names, centre.tolist(), strict=True)), "covariance": rows}


def _given_moments(
    moments: Mapping[str, Mapping[str, Any]], names: list[str], correlated: bool
) -> tuple[Matrix, Matrix]:
    """Centre and root as another file had them."""
    check_names(names, moments.get("centre", {}), "moments for column")
    centre = np.array([moments["centre"][name] for name in names], dtype=float)
    C = np.array([[moments["covariance"][a][b] for b in names] for a in names], dtype=float)
    return centre, _root(C if correlated else np.diag(np.diag(C)))


def _root(covariance: Matrix) -> Matrix:
    """A matrix R with R'R the covariance, by correlations: columns may differ by many powers of ten."""
    deviation = np.sqrt(np.diag(covariance))
    scale = np.where(deviation > 0, deviation, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root: Matrix = (vectors * np.sqrt(np.maximum(values, 0))).T * scale
    return root


def _centre_and_root(part: Matrix, seen: NDArray[np.bool_], correlated: bool) -> tuple[Matrix, Matrix]:
    centre = np.where(seen, part, 0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    return centre, _root_of_covariance(part - centre, seen, correlated)


def _root_of_covariance(deviations: Matrix, seen: NDArray[np.bool_], correlated: bool) -> Matrix:
    """A matrix R with R'R the covariance: standard deviations, or the root from complete records."""
    squares = np.where(seen, deviations, 0) ** 2
    deviation = np.sqrt(squares.sum(axis=0) / np.maximum(seen.sum(axis=0) - 1, 1))
    complete = deviations[seen.all(axis=1)]
    if not correlated or len(complete) < 2:
        return np.diag(deviation)
    scale = np.where(
        deviation > 0, deviation, 1.0
    )  # correlations first: columns may differ by many powers of ten
    values, vectors = np.linalg.eigh(np.cov(complete / scale, rowvar=False).reshape(len(scale), len(scale)))
    root: Matrix = (vectors * np.sqrt(np.maximum(values, 0))).T * scale
    return root


def _typed(table: Table, name: str, values: Matrix, round: bool) -> NDArray[Any]:
    if not (round and table.is_integer(name)):
        return values
    return np.array([None if np.isnan(v) else int(np.rint(v)) for v in values], dtype=object)


def _warn(names: list[str], still: NDArray[np.bool_]) -> None:
    constant = [name for name, unchanged in zip(names, still, strict=True) if unchanged]
    if constant:
        warnings.warn(
            f"No noise was added in {', '.join(constant)} where the values (of a stratum) do not vary.",
            PrivacyWarning,
            stacklevel=4,
        )
