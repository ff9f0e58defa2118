"""Intruder: writes down what only one person can be, from the rarest released records."""

from __future__ import annotations

import numpy as np

from shoal.encode.look_alikes import code_matrix
from shoal.errors import NotApplicable
from shoal.measures._shared.cover_classes import population_totals
from shoal.measures.attack.scene import Finding, Scene
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Labels, Matrix

TRIES = 500  # predicates, from the released records that would be the rarest if columns were independent


def singling_out(scene: Scene) -> Finding:
    """Say "somebody has these values" of the rarest released records; right if exactly one person has them.

    Only cells that cover values speak, and names; perturbed numbers say nothing exact. The coin says
    something that as many people are expected to be, columns taken as independent.
    """
    names = scene.covering
    if not names:
        raise NotApplicable("Every column it knows was perturbed, so nothing exact can be said of a person.")
    for name in names:
        if scene.covers[name].unread:
            raise NotApplicable(
                f"Cells of column {name!r} are no value, interval, set or label; give it the hierarchy they "
                "come from (--hierarchies DIR)."
            )
    held = population_totals(scene.original, scene.masked, names, np.ones(len(scene)))
    share = _shares(scene, names)
    first = np.unique(held_by_class(scene.masked, names), return_index=True)[1]
    picked = first[np.argsort(share[first], kind="stable")[:TRIES]]
    right, n = held[picked] == 1, len(scene)
    alone = n * share[picked] * (1 - share[picked]) ** (n - 1)
    return Finding(
        "singling_out",
        "Singling out",
        "the released file",
        "statements that hold for exactly one person",
        float(right.mean()),
        float(alone.mean()),
        float(np.sqrt(max(right.var(), (alone * (1 - alone)).mean()) / len(picked))),
        len(picked),
        f"{int((held == 1).sum()):,} released records fit exactly one person",
        tuple(int(row) for row in picked[right][:10]),
    )


def held_by_class(masked: Table, names: list[str]) -> Labels:
    """The class of every released record in these columns."""
    return row_classes(code_matrix(masked, names))


def _shares(scene: Scene, names: list[str]) -> Matrix:
    """Of every released record, the share of persons expected to fit if columns were independent."""
    share = np.ones(len(scene))
    for name in names:
        column = scene.covers[name]
        people = np.bincount(column.before + 1, minlength=len(column.covers.domain.values) + 1)
        upto = np.concatenate([[0], np.cumsum(people[1:])])
        per_run = upto[column.covers.last + 1] - upto[column.covers.first]
        per_cell = np.bincount(column.covers.owner, weights=per_run, minlength=len(column.covers.ways))
        share *= (per_cell[column.cells] + people[0]) / len(scene)
    return share
