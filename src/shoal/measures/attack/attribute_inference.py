"""Intruder: learns from the released file how confidential values follow from what is known."""

from __future__ import annotations

import numpy as np

from shoal.encode.categories import categorise
from shoal.errors import NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import became_text
from shoal.table import Table
from shoal.types import Labels, Matrix

FOLDS = 5
MOST = 10_000  # records learned from; ten times as many gain a per cent and cost ten times as long
TREES = 40
VALUES = 10  # classes of a confidential number, tenths of the released ones; categories beyond are "others"


def attribute_inference(scene: Scene) -> Finding:
    """Predict every confidential value of a person by gradient-boosted trees, learned from other records.

    Trees are grown on four fifths of the released file and predict the fifth left out, from the keys as
    released. The coin always says the most frequent value. Numbers are predicted by tenths.
    """
    if not scene.confidential:
        raise NotApplicable("No column has the role confidential.")
    X = np.column_stack([_feature(scene, name) for name in scene.keys])
    found = []
    for name in scene.confidential:
        truth, released = _answers(scene, name)
        rows = np.flatnonzero((truth >= 0) & (released >= 0))
        if len(rows) >= 2 * FOLDS and len(np.unique(released[rows])) > 1:
            found.append((name, rows, *_predicted(scene, X, truth, released, rows)))
    if not found:
        raise NotApplicable("No confidential column has two values and enough records to learn from.")
    name, rows, right, coin = max(found, key=lambda one: float(one[2].mean() - one[3]))
    return Finding(
        "attribute_inference",
        "Confidential values learned",
        f"the released values of {len(scene.keys)} columns of a person",
        f"values of {name!r} predicted right",
        float(right.mean()),
        coin,
        standard_error(right, coin),
        len(right),
        f"column {name!r} is the easiest of {len(found)} to predict",
        most_exposed(right, rows),
    )


def _predicted(
    scene: Scene, X: Matrix, truth: Labels, released: Labels, rows: Labels
) -> tuple[Matrix, float]:
    """For these rows the chance that the prediction is right, and how often the most frequent value is."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise NotApplicable("It needs scikit-learn: pip install shoal[attack].") from error
    part = np.empty(len(rows), dtype=np.intp)
    part[scene.rng.permutation(len(rows))] = np.arange(len(rows)) % FOLDS
    right = np.zeros(len(rows))
    for fold in range(FOLDS):
        inside = rows[part != fold]
        if len(inside) > MOST:
            inside = scene.rng.choice(inside, MOST, replace=False)
        asked = np.flatnonzero(part == fold)
        model = HistGradientBoostingClassifier(
            max_iter=TREES,
            max_leaf_nodes=15,
            early_stopping=False,
            random_state=int(scene.rng.integers(2**31)),
        )
        if len(np.unique(released[inside])) < 2:
            guess = np.full(len(asked), released[inside[0]])
        else:
            with threadpool_limits(1):  # on a busy machine its threads wait for each other for minutes
                guess = model.fit(X[inside], released[inside]).predict(X[rows[asked]])
        right[asked] = guess == truth[rows[asked]]
    most = int(np.bincount(released[rows]).argmax())
    return right, float((truth[rows] == most).mean())


def _feature(scene: Scene, name: str) -> Matrix:
    """A released column as a number: itself, the middle of its cover, or its code."""
    if scene.original.attribute(name).kind == "numeric":
        if not became_text(scene.original, scene.masked, name):
            return np.asarray(scene.masked.column(name), dtype=np.float64)
        middles = scene.covers[name]
        return np.asarray(middles.covers.centres[middles.cells], dtype=np.float64)
    return np.asarray(categorise(scene.masked, name)[0], dtype=np.float64)


def _answers(scene: Scene, name: str) -> tuple[Labels, Labels]:
    """The true and the released confidential value of every record as classes, -1 where missing."""
    if _is_number(scene.original, name) and _is_number(scene.masked, name):
        x, y = scene.original.column(name), scene.masked.column(name)
        seen = y[~np.isnan(y)]
        cuts = np.unique(np.quantile(seen, np.arange(1, VALUES) / VALUES)) if len(seen) else np.zeros(0)
        truth, released = (np.where(np.isnan(v), -1, np.searchsorted(cuts, v)) for v in (x, y))
        return truth, released
    before, after, categories = code_pair(scene.original, scene.masked, name)
    common = np.argsort(-np.bincount(after[after >= 0], minlength=len(categories)), kind="stable")
    rank = np.empty(len(categories) + 1, dtype=np.intp)
    rank[common], rank[-1] = np.arange(len(categories)), -1
    return np.minimum(rank[before], VALUES), np.minimum(rank[after], VALUES)


def _is_number(table: Table, name: str) -> bool:
    return table.attribute(name).kind == "numeric"
