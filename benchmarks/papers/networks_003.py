"""Marés Soler 2013, chapter 6: networks protected with k from 2 to 50, and tables drawn from them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from paper import Cell

from shoal import PrivacyWarning, evaluate
from shoal.graph import evaluate_graph, make_social, protect_graph, to_table
from shoal.masking import microaggregate

KS = (2, 5, 10, 20, 50)
USERS = {"first graph": (400, (1, 3, 5)), "second graph": (800, (2, 4, 6))}  # users, and seeds of networks


def quiet() -> None:
    """Warnings of risk are for files that are released."""
    warnings.simplefilter("ignore", PrivacyWarning)


@cache
def protected(title: str) -> dict[int, list[tuple]]:
    """Made-up networks and their protections: evaluations of the graphs and of the tables drawn from them."""
    quiet()
    users, seeds = USERS[title]
    found: dict[int, list[tuple]] = {k: [] for k in KS}
    for seed in seeds:
        graph = make_social(users, rng=seed).graph()
        table = to_table(graph)
        for k in KS:
            masked, rows = protect_graph(graph, k=k, rng=seed), microaggregate(table, k=k)
            found[k].append((evaluate_graph(graph, masked), evaluate(table, rows)))
    return found


def mean(figures: list, name: str) -> float:
    """The mean of a figure over the networks."""
    return float(np.mean([getattr(one, name) for one in figures]))


def spread(figures: list, name: str) -> str:
    """The networks behind a mean."""
    values = [getattr(one, name) for one in figures]
    return f"{len(values)} networks: {min(values):.1f} to {max(values):.1f}"


def networks() -> Iterator[Cell]:
    """Figures 6.10 to 6.13."""
    for title in USERS:
        for k, found in protected(title).items():
            graphs = [graph for graph, _ in found]
            text = ", ".join(f"{name.upper()} {mean(graphs, name):.1f}" for name in ("aamil", "cdil", "dbil"))
            text = f"{text}; {spread(graphs, 'information_loss')}"
            yield Cell(f"{title}, k = {k}: information loss", mean(graphs, "information_loss"), why=text)
            yield Cell(
                f"{title}, k = {k}: users found again (%)",
                mean(graphs, "linkage_risk"),
                why=spread(graphs, "linkage_risk"),
            )


def extracted() -> Iterator[Cell]:
    """Figures 6.14 and 6.15."""
    for title in USERS:
        for k, found in protected(title).items():
            tables = [table for _, table in found]
            risk = f"risk {mean(tables, 'disclosure_risk'):.1f}; {spread(tables, 'information_loss')}"
            yield Cell(f"{title}, k = {k}: information loss", mean(tables, "information_loss"), why=risk)


def draw_networks(path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    for place, title in enumerate(USERS, 1):
        axis = figure.add_subplot(1, 2, place)
        rows = [[graph for graph, _ in found] for found in protected(title).values()]
        for name, colour in (
            ("aamil", "#0072B2"),
            ("cdil", "#D55E00"),
            ("dbil", "#009E73"),
            ("linkage_risk", "#3a3a3a"),
        ):
            text = "users found again" if name == "linkage_risk" else name.upper()
            axis.plot(
                KS,
                [mean(row, name) for row in rows],
                "--" if name == "linkage_risk" else "-",
                color=colour,
                label=text,
            )
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("k")
        axis.set_ylim(0, 100)
    axis.legend(fontsize=8)
    figure.savefig(path, dpi=80)
