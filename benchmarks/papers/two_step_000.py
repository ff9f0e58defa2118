"""Solanas 2008, Table 7: MDAV and then the genetic algorithm in macro-groups."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from paper import Cell

from shoal.datasets import make_clustered, make_scattered, read_reference
from shoal.partition import genetic, local_search, mdav, means, sizes, sse, two_step
from shoal.types import Matrix

MACRO = (12, 18, 27)
SEARCH = partial(genetic, population=60, generations=10_000, patience=2_500)
SPREAD = 250.0  # of the clustered file


def z_scores(X: Matrix) -> Matrix:
    """With variance 1 over all n records, as the chapter has it."""
    return (X - X.mean(axis=0)) / X.std(axis=0)


def matrix(table) -> Matrix:
    """The quasi-identifiers of a table as z-scores."""
    return z_scores(np.column_stack([table.column(name) for name in table.names(role="quasi")]))


def table_7() -> Iterator[Cell]:
    files = {
        "Scattered": lambda: matrix(make_scattered(rng=1)),
        "Clustered": lambda: matrix(make_clustered(spread=SPREAD, rng=1)),
        "Census": lambda: matrix(read_reference("census")),
        "EIA": lambda: matrix(read_reference("eia")),
    }
    for name, load in files.items():
        X = load()
        before = sse(X, mdav(X, 3))
        yield Cell(f"{name}, MDAV", before, why="another draw" if name in ("Scattered", "Clustered") else "")
        for macro in MACRO:
            parts = len(sizes(mdav(means(X, mdav(X, 3)), macro // 3)))
            yield Cell(f"{name}, K = {macro}, macro-groups", parts)
            start = time.process_time()
            after = sse(X, two_step(X, 3, macro=macro, fine=SEARCH, rng=1))
            yield Cell(f"{name}, K = {macro}", after, time.process_time() - start)
            yield Cell(f"{name}, K = {macro}, gain (%)", 100 * (1 - after / before))


def draw_macro_groups(path: Path) -> None:
    from matplotlib.figure import Figure

    table = make_scattered(200, rng=1)
    X = matrix(table)
    fine = mdav(X, 3)
    macro = mdav(means(X, fine), 8)[fine]
    centres = means(X, macro)
    other = int(np.argsort(((centres - centres[0]) ** 2).sum(axis=1))[1])
    figure = Figure(figsize=(6.0, 4.2), layout="constrained")
    axis = figure.add_subplot()
    axis.scatter(X[:, 0], X[:, 1], s=8, color="#cccccc")
    for place, (which, mark) in enumerate(((0, "o"), (other, "s"))):
        for group in np.unique(fine[macro == which]):
            rows = fine == group
            axis.scatter(X[rows, 0], X[rows, 1], s=30, marker=mark, color=f"C{group % 10}")
            centre = X[rows].mean(axis=0)
            for row in X[rows]:
                axis.plot(*zip(centre, row, strict=True), color="#888888", linewidth=0.6)
        title = f"macro-group {place + 1}: {int((macro == which).sum())} points"
        axis.scatter([], [], marker=mark, color="#3a3a3a", label=title)
    axis.legend(fontsize=8)
    figure.savefig(path, dpi=90)


def spreads() -> Iterator[Cell]:
    """What macro-groups near their optimum gain, by how tight the clusters are; means of six draws.

    Last what the genetic algorithm gains if fewer genes mutate, on the draw of Table 7.
    """
    for spread in (50.0, 150.0, 200.0, 250.0, 350.0):
        gains, before = [], []
        for seed in range(6):
            X = matrix(make_clustered(spread=spread, rng=seed))
            before.append(sse(X, mdav(X, 3)))
            after = [sse(X, two_step(X, 3, macro=macro, fine=local_search)) for macro in MACRO]
            gains.append([100 * (1 - loss / before[-1]) for loss in after])
        yield Cell(f"spread {spread:.0f}, MDAV", float(np.mean(before)))
        for macro, gain in zip(MACRO, np.mean(gains, axis=0), strict=True):
            yield Cell(f"spread {spread:.0f}, K = {macro}, gain (%)", float(gain))
    X = matrix(make_clustered(spread=SPREAD, rng=1))
    first = sse(X, mdav(X, 3))
    for rate in (1, 2, 3):
        after = sse(X, two_step(X, 3, macro=27, fine=partial(SEARCH, mutation_rate=rate / 27), rng=1))
        yield Cell(
            f"spread {SPREAD:.0f}, K = 27, genetic, mutation rate {rate} / 27, gain (%)",
            100 * (1 - after / first),
            why="of the draw above",
        )
