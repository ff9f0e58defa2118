"""Machine learning utility: how well a column is predicted, learned from the original and the release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import NotApplicable
from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import column_covers
from shoal.measures.compared_columns import became_text, compared_columns
from shoal.table import Table
from shoal.types import Labels, Matrix, RandomState

FOLDS = 5  # the usual five; chosen, not measured
MOST_RECORDS = 10_000  # records learned from
TREES = 40  # as in the attack that infers attributes


@dataclass(frozen=True)
class LearnedAccuracy:
    """Percent of the original values predicted right: learned from the original, from the masked file, and by
    always saying the most frequent value.
    """

    original: float
    masked: float
    baseline: float


@takes_frames
def learned_accuracy(
    original: Table,
    masked: Table,
    *,
    target: str,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
) -> LearnedAccuracy:
    """Predict a categorical column by boosted trees, learned from the original and from the release.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    target
        The column to predict; its values in the original are the truth.
    columns
        What it is predicted from; the quasi-identifiers if not given (all but identifiers if there are
        none).
    rng
        Seed or generator of folds and trees.

    Returns
    -------
    LearnedAccuracy

    Notes
    -----
    Five folds; trees are grown on at most 10,000 records of the other four. Coarser numbers are the middle of
    their cover, categories their codes. Needs scikit-learn (extra `attack`). Some seconds.

    References
    ----------
    Prasser, Eicher, Spengler, Bild, Kuhn: Flexible data anonymization using ARX, Software: Practice and
    Experience 50 (2020).

    Examples
    --------
    >>> from shoal import as_table
    >>> ages = [20, 60] * 50
    >>> table = as_table({"age": ages, "works": ["yes" if age < 50 else "no" for age in ages]})
    >>> learned_accuracy(table, table, target="works", columns=["age"], rng=1).masked
    100.0
    """
    check_names([target], [n for n in original.names() if n in masked.names()])
    names = [n for n in compared_columns(original, masked, columns) if n != target]
    before, after, _ = code_pair(original, masked, target)
    rows = np.flatnonzero(before >= 0)
    if not names or len(rows) < 2 * FOLDS or len(np.unique(before[rows])) < 2:
        raise NotApplicable("There is nothing to learn: it takes other columns, ten records and two values.")
    random = np.random.default_rng(rng)
    folds = random.permutation(len(rows)) % FOLDS
    seed = int(random.integers(2**31))
    X, Y = (np.column_stack([_feature(original, t, n) for n in names]) for t in (original, masked))
    found = [_accuracy(F[rows], y[rows], before[rows], folds, seed) for F, y in ((X, before), (Y, after))]
    most = float(np.bincount(before[rows]).max()) / len(rows)
    return LearnedAccuracy(found[0], found[1], 100.0 * most)


def _accuracy(X: Matrix, taught: Labels, truth: Labels, folds: Labels, seed: int) -> float:
    """Percent of the truth predicted right, each fold by trees grown on the others."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise NotApplicable("It needs scikit-learn: pip install shoal[attack].") from error
    right = 0
    for fold in range(FOLDS):
        inside = np.flatnonzero((folds != fold) & (taught >= 0))[:MOST_RECORDS]
        asked = np.flatnonzero(folds == fold)
        if len(np.unique(taught[inside])) < 2:
            right += int((truth[asked] == taught[inside][:1]).sum())
            continue
        model = HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False, random_state=seed)
        with threadpool_limits(1):
            right += int((model.fit(X[inside], taught[inside]).predict(X[asked]) == truth[asked]).sum())
    return 100.0 * right / len(truth)


def _feature(original: Table, table: Table, name: str) -> Matrix:
    """A column as a number: itself, the middle of its cover, or its code."""
    if original.attribute(name).kind != "numeric":
        return np.asarray(categorise(table, name)[0], dtype=np.float64)
    if became_text(original, table, name):
        column = column_covers(original, table, name)
        return np.asarray(column.covers.centres[column.cells], dtype=np.float64)
    return np.asarray(table.column(name), dtype=np.float64)
