"""Data shuffling: the values of a column go to other records so that relations between columns stay."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, NotApplicable, PrivacyWarning
from shoal.masking.cells import move_cells
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.strata import strata_of
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members
from shoal.table import Table
from shoal.types import Callback, Matrix, RandomState

LITTLE = 0.05  # a share of own variance below which the predictors say nearly everything; not measured


@takes_where
@by_household
@takes_frames
def shuffle(
    table: Table,
    *,
    predictors: Iterable[str] | str | None = None,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Give every record the values of other records, so that ranks still depend on the predictors as before.

    Parameters
    ----------
    table
        The table to protect.
    predictors
        Numeric or ordinal columns that stay as they are and whose relation with the shuffled ones is kept.
        Without any, only the relations among the shuffled columns are.
    strata
        Column(s) whose classes are shuffled apart; this keeps the relation with a nominal column.
    columns
        The columns to shuffle; the numeric and ordinal quasi-identifiers if not given.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress` before every stratum;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; every column has the same values as before, at other records.

    Notes
    -----
    New ranks are drawn from a normal copula, given the predictors: rank correlations are kept on average, and
    no value can be traced to its record beyond what the predictors tell. Missing cells stay missing; a
    missing predictor counts as average. Where predictors almost determine a column, it hardly changes, and a
    `PrivacyWarning` says so. Time O(n log n) a column and O(n d^2).

    References
    ----------
    Muralidhar, Sarathy: Data shuffling, a new masking approach for numerical data, Management Science 52
    (2006).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"pay": [10, 20, 30, 40]}, roles={"quasi": ["pay"]})
    >>> shuffle(table, rng=1).frame["pay"].to_list()
    [30, 40, 20, 10]
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns, strata=strata, kinds=("numeric", "ordinal"))
    given = _predictors(table, names, predictors)
    codes = np.column_stack([categorise(table, name)[0] for name in [*names, *given]])
    sources = {name: np.arange(len(table)) for name in names}
    weak: set[str] = set()
    for rows in reported(members(strata_of(table, strata)) if len(table) else [], callback):
        scores = np.column_stack([_normal_scores(column) for column in codes[rows].T])
        drawn, own = _redraw(scores[:, : len(names)], scores[:, len(names) :], rng)
        weak |= {name for name, share in zip(names, own, strict=True) if share < LITTLE}
        for j, name in enumerate(names):
            present = np.flatnonzero(codes[rows, j] >= 0)
            by_value = present[np.argsort(codes[rows[present], j], kind="stable")]
            by_draw = present[np.argsort(drawn[present, j], kind="stable")]
            sources[name][rows[by_draw]] = rows[by_value]
    _warn(sorted(weak))
    return move_cells(table, sources)


def _predictors(table: Table, names: list[str], predictors: Iterable[str] | str | None) -> list[str]:
    given = check_names(predictors or (), table.names())
    for name in given:
        if name in names:
            raise InvalidInput(f"Column {name!r} cannot both be shuffled and be a predictor; choose one.")
        if table.attribute(name).kind == "nominal":
            raise NotApplicable(f"Column {name!r} is nominal and has no ranks; use it as strata instead.")
    return given


def _normal_scores(codes: NDArray[np.intp]) -> Matrix:
    """Ranks as quantiles of the normal distribution, equal values alike; 0 where missing."""
    from scipy.special import ndtri

    seen = codes >= 0
    scores = np.zeros(len(codes))
    if seen.any():
        counts = np.bincount(codes[seen])
        middle = np.cumsum(counts) - counts / 2
        scores[seen] = ndtri(middle[codes[seen]] / seen.sum())
    return scores


def _redraw(Y: Matrix, X: Matrix, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """New scores given the predictors, and for every column the share of variance that is its own."""
    B = np.linalg.lstsq(X, Y, rcond=None)[0] if X.shape[1] else np.zeros((0, Y.shape[1]))
    rest = Y - X @ B
    freedom = max(len(Y) - X.shape[1], 1)
    values, vectors = np.linalg.eigh(rest.T @ rest / freedom)
    noise = rng.standard_normal(Y.shape) @ (vectors * np.sqrt(np.maximum(values, 0))).T
    total = (Y**2).sum(axis=0)
    own = np.where(total > 0, (rest**2).sum(axis=0) / np.where(total > 0, total, 1), 0.0)
    return X @ B + noise, own


def _warn(weak: list[str]) -> None:
    if weak:
        warnings.warn(
            f"{', '.join(weak)} hardly changed (in a stratum): predictors say nearly all about it, or its "
            "values do not vary; use fewer predictors or larger strata.",
            PrivacyWarning,
            stacklevel=4,
        )
