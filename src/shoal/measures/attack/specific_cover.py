"""Intruder: keeps the released records that can be the person and takes the most specific one."""

from __future__ import annotations

from shoal.errors import NotApplicable
from shoal.measures.attack.nearest_record import linkage_finding
from shoal.measures.attack.scene import Finding, Scene, most_exposed
from shoal.measures.risk.cover_linkage import cover_linkage


def specific_cover(scene: Scene) -> Finding:
    """Link every person to the record with the smallest covers among those that can be the person."""
    if not scene.covering:
        raise NotApplicable("Every column it knows was perturbed, so no cell says what it covers.")
    found = cover_linkage(scene.original, scene.masked, columns=scene.keys, rng=scene.rng)
    records = most_exposed(found.chances, found.rows)
    return linkage_finding(
        scene, "specific_cover", "The most specific cover", "linked right", found.chances, records
    )
