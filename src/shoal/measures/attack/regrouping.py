"""Intruder: computes the centres of groups again, and so knows who is in which group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.encode.categories import categorise
from shoal.encode.look_alikes import code_matrix
from shoal.errors import NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.measures.compared_columns import became_text
from shoal.models.row_classes import refine, row_classes
from shoal.types import Labels, Matrix

EXACT = 1e-6  # of a standard deviation: a centre found again
THROWS = 20  # of the coin; no measurement on record


def regrouping(scene: Scene) -> Finding:
    """Give every person to the nearest centre, and trust the groups whose mean is the released centre.

    Such a group's members are known for certain: their confidential values are guessed from the group's. The
    coin guesses from groups of the same sizes with values dealt at random.
    """
    names = [n for n in scene.keys if _averaged(scene, n)]
    if not names or np.bincount(scene.classes).min() < 2:
        raise NotApplicable("No column it knows was averaged over groups of two or more.")
    if not scene.confidential:
        raise NotApplicable("No column has the role confidential, so knowing the group tells nothing.")
    X, Y = (_scaled(scene, names, masked) for masked in (False, True))
    groups = row_classes(code_matrix(scene.masked, names))
    sure = _found_again(X, Y, groups)
    if not sure.any():
        raise NotApplicable("No group's centre was found again.")
    found = [(name, *_learned(scene, name, groups, sure)) for name in scene.confidential]
    name, right, coin, error = max(found, key=lambda one: float(one[1].mean() - one[2]))
    return Finding(
        "regrouping",
        "Groups computed again",
        "the numbers of all persons that were averaged",
        f"values of {name!r} guessed right in groups known for certain",
        float(right.mean()),
        coin,
        error,
        len(right),
        f"the group of {int(sure.sum()):,} of {len(scene):,} persons is known for certain",
        most_exposed(right, np.flatnonzero(sure)),
    )


def _averaged(scene: Scene, name: str) -> bool:
    """Whether a numeric column was perturbed, and is still a number without gaps."""
    numeric = scene.original.attribute(name).kind == "numeric"
    if not numeric or became_text(scene.original, scene.masked, name) or not scene.covers[name].perturbed:
        return False
    return not np.isnan(scene.original.column(name)).any() | np.isnan(scene.masked.column(name)).any()


def _scaled(scene: Scene, names: list[str], masked: bool) -> Matrix:
    table = scene.masked if masked else scene.original
    spread = [scene.original.column(name).std() or 1.0 for name in names]
    return np.column_stack([table.column(name) / s for name, s in zip(names, spread, strict=True)])


def _found_again(X: Matrix, Y: Matrix, groups: Labels) -> NDArray[np.bool_]:
    """Which records are in a group whose mean, over the persons nearest to it, is the released centre."""
    from scipy.spatial import cKDTree

    centres = Y[np.unique(groups, return_index=True)[1]]
    near = cKDTree(centres).query(X)[1]
    counts = np.bincount(near, minlength=len(centres))
    means = (
        np.column_stack([np.bincount(near, weights=column, minlength=len(centres)) for column in X.T])
        / np.maximum(counts, 1)[:, None]
    )
    same = (counts == np.bincount(groups)) & (np.abs(means - centres).max(axis=1) < EXACT)
    return np.asarray(same[groups] & (near == groups), dtype=bool)


def _learned(scene: Scene, name: str, groups: Labels, sure: NDArray[np.bool_]) -> tuple[Matrix, float, float]:
    """The chance to guess the values of the sure ones, that of the coin, and the standard error."""
    codes = categorise(scene.masked, name)[0]
    right = _by_group(groups, codes)[sure]
    thrown = [_by_group(groups, scene.rng.permutation(codes))[sure].mean() for _ in range(THROWS)]
    coin = float(np.mean(thrown))
    return right, coin, max(float(np.std(thrown)) * 1.5, standard_error(right, 0.0) / 3)


def _by_group(groups: Labels, codes: Labels) -> Matrix:
    """The chance that the most frequent value of a record's group is its own."""
    pairs = refine(groups, codes)
    counts = np.bincount(pairs)
    of = np.zeros(len(counts), dtype=np.intp)
    of[pairs] = groups
    most = np.zeros(int(groups.max()) + 1, dtype=np.intp)
    np.maximum.at(most, of, counts)
    likely = counts == most[of]
    shared = np.bincount(of, weights=likely)
    return np.where(likely[pairs], 1.0 / shared[groups], 0.0)
