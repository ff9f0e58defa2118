"""Intruder: looks up a person in two releases and keeps what both allow."""

from __future__ import annotations

import numpy as np

from shoal.encode.categories import categorise
from shoal.encode.look_alikes import code_matrix
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.models.row_classes import refine, row_classes
from shoal.table import Table
from shoal.types import Labels, Matrix


def two_releases(scene: Scene) -> Finding:
    """Guess the confidential value that is likeliest in a person's class of both releases.

    The coin is the same intruder with the better one of the two releases alone.
    """
    if scene.other is None:
        raise NotApplicable("It needs another release of the same persons.")
    if len(scene.other) != len(scene):
        raise InvalidInput(
            f"The other release has {len(scene.other)} records and this one {len(scene)}; both must hold the "
            "same persons in the same order."
        )
    names = [n for n in scene.confidential if n in scene.other.names() and n in scene.masked.names()]
    shared = [name for name in scene.keys if name in scene.other.names()]
    if not names or not shared:
        raise NotApplicable("The two releases share no confidential column, or nothing that is known.")
    found = [(name, *_guesses(scene, scene.other, name, shared)) for name in names]
    name, both, alone = max(found, key=lambda one: float(one[1].mean() - one[2].mean()))
    coin = float(alone.mean())
    learned = both - alone
    return Finding(
        "two_releases",
        "Two releases together",
        "a person's class in this release and in the other one",
        f"values of {name!r} guessed right",
        float(both.mean()),
        coin,
        standard_error(learned, 0.0),
        len(both),
        f"{int(((both > 1 - 1e-9) & (alone < 1 - 1e-9)).sum()):,} values are certain only by both together",
        most_exposed(np.maximum(learned, 0.0)),
    )


def _guesses(scene: Scene, other: Table, name: str, shared: list[str]) -> tuple[Matrix, Matrix]:
    """For every person the chance to guess right by both releases, and by the better one alone."""
    codes = truth = categorise(scene.masked, name)[0]
    tables = [_shares(scene.classes, codes), _shares(row_classes(code_matrix(other, shared)), codes)]
    alone = [_right(table, truth) for table in tables]
    better = max(alone, key=lambda chance: float(chance.mean()))
    both = [{v: p * tables[1][i].get(v, 0.0) for v, p in one.items()} for i, one in enumerate(tables[0])]
    return _right(both, truth), better


def _shares(classes: Labels, codes: Labels) -> list[dict[int, float]]:
    """For every record how often each value occurs in its class."""
    pairs = refine(classes, codes)
    counts = np.bincount(pairs)
    of, value = np.zeros(len(counts), dtype=np.intp), np.zeros(len(counts), dtype=np.intp)
    of[pairs], value[pairs] = classes, codes
    share = counts / np.bincount(classes)[of]
    by_class: list[dict[int, float]] = [{} for _ in range(int(classes.max()) + 1)]
    for c, v, s in zip(of.tolist(), value.tolist(), share.tolist(), strict=True):
        by_class[c][v] = s
    return [by_class[c] for c in classes.tolist()]


def _right(tables: list[dict[int, float]], truth: Labels) -> Matrix:
    """The chance that the likeliest value is the true one; equally likely ones share it."""
    found = np.zeros(len(tables))
    for i, table in enumerate(tables):
        best = max(table.values())
        likely = [v for v, p in table.items() if p >= best * (1 - 1e-12)]
        found[i] = 1.0 / len(likely) if best > 0 and int(truth[i]) in likely else 0.0
    return found
