"""Intruder: takes the released record that is nearest to a person."""

from __future__ import annotations

import numpy as np

from shoal.errors import NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.measures.record_linkage import mixed_points, rivals_of
from shoal.measures.released_numbers import with_values
from shoal.measures.risk.cover_linkage import chances_of, targets
from shoal.types import Matrix


def nearest_record(scene: Scene) -> Finding:
    """Link every person to the nearest released record; coarser cells count as values drawn from them."""
    names = list(scene.keys)
    released = with_values(scene.original, scene.masked, names, scene.rng)
    points = mixed_points(scene.original, released, names)
    rows = targets(len(scene), False, scene.rng)
    chances = chances_of(rivals_of(points, np.ones(len(points.nominal)), rows), "expected")
    if not len(chances):
        raise NotApplicable("There is nobody to look for.")
    return linkage_finding(
        scene, "nearest_record", "The nearest record", "linked right", chances, most_exposed(chances, rows)
    )


def linkage_finding(
    scene: Scene, name: str, title: str, guesses: str, chances: Matrix, records: tuple[int, ...]
) -> Finding:
    """A finding of somebody who links: against a coin thrown among all, or within the class if k is kept."""
    certain = int((chances > 1 - 1e-9).sum())
    sure = "1 person is" if certain == 1 else f"{certain:,} persons are"
    return Finding(
        name,
        title,
        f"the values of {len(scene.keys)} columns of a person",
        f"persons {guesses}",
        float(chances.mean()),
        scene.coin,
        standard_error(chances, scene.coin),
        len(chances),
        f"{sure} linked to the right record alone" if certain else _odds(chances),
        records,
    )


def _odds(chances: Matrix) -> str:
    best = float(chances.max())
    return f"at best 1 in {1 / best:.3g}" if best > 0 else "nobody is linked"
