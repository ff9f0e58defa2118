"""The picture of a protection: users found before and after, and what the structure has lost."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal._shared.display import picture_class
from shoal.errors import NotApplicable

BEFORE, AFTER, LOSS = "#D55E00", "#0072B2", "#7a7a7a"


def plot_protection(attacks: pl.DataFrame, losses: pl.DataFrame) -> Any:
    """Two panels: percent of users found by every attack before and after, and the losses of structure.

    Parameters
    ----------
    attacks
        From `attack_graph`.
    losses
        From `structure_losses`.

    Returns
    -------
    matplotlib.figure.Figure
        For `.savefig("protection.png")`; a notebook shows it by itself.

    Examples
    --------
    >>> from shoal.graph import attack_graph, make_social, structure_losses
    >>> graph = make_social(50, rng=1).graph()
    >>> len(plot_protection(attack_graph(graph, graph), structure_losses(graph, graph)).axes)
    2
    """
    try:
        figure = picture_class()(figsize=(9.0, 3.2), layout="constrained")
    except ImportError as error:
        raise NotApplicable('Pictures need: pip install "shoal[report]".') from error
    left, right = figure.subplots(1, 2)
    places = range(attacks.height)
    left.barh([p - 0.2 for p in places], attacks["before"].to_list(), 0.38, color=BEFORE, label="before")
    left.barh([p + 0.2 for p in places], attacks["after"].to_list(), 0.38, color=AFTER, label="after")
    left.set_title("users found, of 100", fontsize=10)
    figure.legend(fontsize=8, loc="outside lower left", ncols=2, frameon=False)
    right.barh(list(range(losses.height)), losses["loss"].to_list(), 0.6, color=LOSS)
    right.set_title("lost of the structure, %", fontsize=10)
    for axis, names, found in (
        (left, attacks["attack"], attacks.select("before", "after").rows()),
        (right, losses["measure"], [(value,) for value in losses["loss"]]),
    ):
        axis.set_yticks(list(range(len(names))), names.to_list(), fontsize=9)
        axis.invert_yaxis()
        axis.set_xlim(0, 112)
        axis.spines[["top", "right"]].set_visible(False)
        for place, values in enumerate(found):
            shifts = (-0.2, 0.2) if len(values) == 2 else (0.0,)
            for shift, value in zip(shifts, values, strict=True):
                axis.text(value + 1, place + shift, f"{value:.1f}", va="center", fontsize=7)
    return figure
