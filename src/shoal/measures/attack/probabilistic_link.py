"""Intruder: weighs the agreement of columns, after Fellegi and Sunter."""

from __future__ import annotations

from shoal.measures.attack.nearest_record import linkage_finding
from shoal.measures.attack.scene import Finding, Scene, most_exposed
from shoal.measures.record_linkage import rivals_of
from shoal.measures.released_numbers import with_values
from shoal.measures.risk.cover_linkage import chances_of
from shoal.measures.risk.probabilistic_linkage_risk import agreement_points


def probabilistic_link(scene: Scene) -> Finding:
    """Link every person to the released record whose agreements weigh most."""
    names = list(scene.keys)
    released = with_values(scene.original, scene.masked, names, scene.rng)
    chances = chances_of(rivals_of(*agreement_points(scene.original, released, names)), "expected")
    return linkage_finding(
        scene, "probabilistic_link", "Weighed agreements", "linked right", chances, most_exposed(chances)
    )
