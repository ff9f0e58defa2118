"""Marés Soler 2013, chapter 6: networks protected with k from 2 to 50, and tables drawn from them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from paper import Cell

from shoal import PrivacyWarning, evaluate
from shoal.graph import evaluate_graph, make_social, protect_graph, to_table
from shoal.masking import microaggregate

KS = (2, 5, 10, 20, 50)
USERS = {"first graph": (400, 1), "second graph": (800, 2)}


def quiet() -> None:
    """Warnings of risk are for files that are released."""
    warnings.simplefilter("ignore", PrivacyWarning)


@cache
def protected(title: str) -> dict[int, tuple]:
    """A made-up network and its protections: evaluations of the graph and of the table drawn from it."""
    quiet()
    users, seed = USERS[title]
    graph = make_social(users, rng=seed).graph()
    table = to_table(graph)
    found = {}
    for k in KS:
        masked = protect_graph(graph, k=k, rng=seed)
        rows = microaggregate(table, k=k)
        found[k] = evaluate_graph(graph, masked), evaluate(table, rows)
    return found


def networks() -> Iterator[Cell]:
    """Figures 6.10 to 6.13."""
    for title in USERS:
        for k, (graph, _) in protected(title).items():
            text = f"AAMIL {graph.aamil:.1f}, CDIL {graph.cdil:.1f}, DBIL {graph.dbil:.1f}"
            yield Cell(f"{title}, k = {k}: information loss", graph.information_loss, why=text)
            yield Cell(f"{title}, k = {k}: users found again (%)", graph.linkage_risk)


def extracted() -> Iterator[Cell]:
    """Figures 6.14 and 6.15."""
    for title in USERS:
        for k, (_, table) in protected(title).items():
            yield Cell(
                f"{title}, k = {k}: information loss",
                table.information_loss,
                why=f"risk {table.disclosure_risk:.1f}",
            )


def draw_networks(path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    for place, title in enumerate(USERS, 1):
        axis = figure.add_subplot(1, 2, place)
        rows = [graph for graph, _ in protected(title).values()]
        for name, colour in (
            ("aamil", "#0072B2"),
            ("cdil", "#D55E00"),
            ("dbil", "#009E73"),
            ("linkage_risk", "#3a3a3a"),
        ):
            text = "users found again" if name == "linkage_risk" else name.upper()
            axis.plot(
                KS,
                [getattr(row, name) for row in rows],
                "--" if name == "linkage_risk" else "-",
                color=colour,
                label=text,
            )
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("k")
        axis.set_ylim(0, 100)
    axis.legend(fontsize=8)
    figure.savefig(path, dpi=80)
