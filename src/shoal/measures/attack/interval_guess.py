"""Intruder: takes a released number for the person's own, give or take some ranks."""

from __future__ import annotations

import numpy as np

from shoal.errors import NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.measures.compared_columns import became_text
from shoal.types import Matrix

REACH = 0.05  # of the ranks, to either side


def interval_guess(scene: Scene) -> Finding:
    """Guess every changed number of a person as the released one; right within 5 % of the ranks.

    The coin takes the number of a record drawn at random.
    """
    hits, coins, worst = [], [], ("", -1.0)
    for name in _changed_numbers(scene):
        x, y = scene.original.column(name), scene.masked.column(name)
        kept = ~np.isnan(x) & ~np.isnan(y)
        hit, coin = (_close(x[kept], guess, x[kept]) for guess in (y[kept], scene.rng.permutation(y[kept])))
        excess = float(hit.mean() - coin.mean())
        worst = max(worst, (name, excess), key=lambda pair: pair[1])
        row = np.full(len(scene), np.nan)
        row[kept] = hit
        hits.append(row)
        coins.append(float(coin.mean()))
    if not hits:
        raise NotApplicable("No number was changed and kept, so there is nothing to guess.")
    found = np.column_stack(hits)
    all_right = np.nan_to_num(found, nan=0.0).min(axis=1)
    known = ~np.isnan(found)
    cells = found[known]
    by_person = np.nansum(found, axis=1)[known.any(axis=1)] / known.sum(axis=1)[known.any(axis=1)]
    return Finding(
        "interval_guess",
        "Numbers taken as they are",
        "which released record is the person's",
        "numbers guessed within 5 % of the ranks",
        float(cells.mean()),
        float(np.mean(coins)),
        # both are shares, and columns of one person are not independent of each other
        standard_error(by_person, float(np.mean(coins))) * float(np.sqrt(2)),
        len(cells),
        f"column {worst[0]!r} gives most away; all numbers of {int(all_right.sum()):,} persons are guessed",
        most_exposed(all_right),
    )


def _changed_numbers(scene: Scene) -> list[str]:
    """Numeric columns of both files that masking changed, with at least two different values."""
    names = [n for n in scene.original.names(kind="numeric") if n in scene.masked.names()]
    found = []
    for name in names:
        if scene.original.attribute(name).role in ("identifier", "weight", "household"):
            continue
        if not became_text(scene.original, scene.masked, name):
            x, y = scene.original.column(name), scene.masked.column(name)
            kept = ~np.isnan(x) & ~np.isnan(y)
            if (x[kept] != y[kept]).any() and np.unique(x[kept]).size > 1:
                found.append(name)
    return found


def _close(x: Matrix, guess: Matrix, everybody: Matrix) -> Matrix:
    """Whether x lies between the values some ranks below and above the guess."""
    ordered = np.sort(everybody)
    reach = max(1, int(REACH * len(ordered)))
    place = np.searchsorted(ordered, guess)
    low = ordered[np.clip(place - reach, 0, len(ordered) - 1)]
    high = ordered[np.clip(place + reach, 0, len(ordered) - 1)]
    return ((low <= x) & (x <= high)).astype(np.float64)
