"""Intruder: learns from the released file how confidential values follow from what is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.encode.categories import categorise
from shoal.errors import NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import became_text
from shoal.table import Table
from shoal.types import Labels, Matrix

FOLDS = 5  # the usual five; chosen, not measured
MOST_RECORDS = 10_000  # records learned from; ten times as many gain a per cent and cost ten times as long
TREES = 40  # chosen, not measured
LEAST_COMPANY = 2  # others of a class, at least; one alone says little
AGREED = 0.8  # share of them with one value that makes it the guess: all of four, four of five
VALUES = 10  # classes of a confidential number, tenths of the released ones; categories beyond are "others"


def attribute_inference(scene: Scene) -> Finding:
    """Learn every confidential value of a person from the release, and count what being in it adds.

    The baseline is what the same release tells about people who are not in it: gradient-boosted trees, grown
    on the released records of other classes, predict the value from the keys as released. That old people are
    ill more often is no leak. The intruder also looks at the person's own class: where those who look alike
    have one value in common, or nobody else looks like the person, that value is the guess. Numbers are
    guessed by tenths.
    """
    if not scene.confidential:
        raise NotApplicable("No column has the role confidential.")
    X = np.column_stack([_feature(scene, name) for name in scene.keys])
    found: list[tuple[str, Labels, Any, float, float]] = []
    for name in scene.confidential:
        truth, released = _answers(scene, name)
        rows = np.flatnonzero((truth >= 0) & (released >= 0))
        if len(rows) >= 2 * FOLDS and len(np.unique(released[rows])) > 1:
            outside = _predicted(scene, X, released, rows)
            inside = _told_by_class(scene.classes[rows], released[rows], outside)
            usual = float((truth[rows] == np.bincount(released[rows]).argmax()).mean())
            found.append((name, rows, inside == truth[rows], float((outside == truth[rows]).mean()), usual))
    if not found:
        raise NotApplicable("No confidential column has two values and enough records to learn from.")
    name, rows, right, learned, usual = max(found, key=lambda one: float(one[2].mean() - one[3]))
    return Finding(
        "attribute_inference",
        "Confidential values learned",
        f"the released values of {len(scene.keys)} columns of a person",
        f"values of {name!r} guessed right",
        float(right.mean()),
        learned,
        standard_error(right, learned),
        len(right),
        f"of {len(found)} confidential columns {name!r} gains most from a person being in the file; its most "
        f"frequent value alone is right for {100 * usual:.1f} of 100",
        most_exposed(right, rows),
        "the same model about people who are not in the file",
    )


def _predicted(scene: Scene, X: Matrix, released: Labels, rows: Labels) -> Labels:
    """The value of these records as learned from those of other classes only, by folds of whole classes."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise NotApplicable("It needs scikit-learn: pip install shoal[attack].") from error
    classes = scene.classes[rows]
    fold_of = scene.rng.permutation(int(classes.max()) + 1) % FOLDS
    part = fold_of[classes]
    most = int(np.bincount(released[rows]).argmax())
    guesses = np.full(len(rows), most)
    for fold in np.unique(part).tolist():
        inside = rows[part != fold]
        if len(inside) > MOST_RECORDS:
            inside = scene.rng.choice(inside, MOST_RECORDS, replace=False)
        if len(np.unique(released[inside])) < 2:
            guesses[part == fold] = released[inside[0]] if len(inside) else most
            continue
        model = HistGradientBoostingClassifier(
            max_iter=TREES,
            max_leaf_nodes=15,
            early_stopping=False,
            random_state=int(scene.rng.integers(2**31)),
        )
        with threadpool_limits(1):  # on a busy machine its threads wait for each other for minutes
            guesses[part == fold] = model.fit(X[inside], released[inside]).predict(X[rows[part == fold]])
    return guesses


def _told_by_class(classes: Labels, released: Labels, otherwise: Labels) -> Labels:
    """What the others of a class have in common, at least two of them; of somebody alone the own value."""
    values = int(released.max()) + 1
    counts = np.bincount(classes * values + released, minlength=(int(classes.max()) + 1) * values)
    counts = counts.reshape(-1, values)
    others = counts[classes]
    others[np.arange(len(classes)), released] -= 1
    company, common = others.sum(axis=1), others.argmax(axis=1)
    shared = (company >= LEAST_COMPANY) & (others[np.arange(len(classes)), common] >= AGREED * company)
    return np.where(company == 0, released, np.where(shared, common, otherwise))


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
