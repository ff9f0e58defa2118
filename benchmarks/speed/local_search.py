"""What local search costs and gains, beside MDAV, its start; all in the same run.

Run `python benchmarks/speed/local_search.py` (twenty minutes), or name sizes to redo only those, e.g.
`python benchmarks/speed/local_search.py 10000 30000`. Results go to local_search.csv beside this script:
seconds of MDAV and of local search with MDAV as its start, the least of some runs in turn, how much longer
the latter takes (the search, in units of MDAV), and losses in percent of the total.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.partition import local_search, mdav, sse

RESULTS = Path(__file__).with_name("local_search.csv")
FIELDS = (
    *("file", "records", "columns", "k"),
    *("mdav_seconds", "whole_seconds", "search_to_mdav", "mdav_loss", "search_loss", "lower_by_percent"),
)
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
SIZES_OF_GROUPS = (3, 5, 10, 25, 50)
REAL = ("census", "tarragona", "eia")

Matrix = NDArray[np.float64]
Labels = NDArray[np.intp]


def files(names: list[str]) -> Iterator[tuple[str, Matrix]]:
    """Ten columns of normal records, and reference files as z-scores."""
    for n in SIZES:
        if not names or str(n) in names:
            yield "normal", np.random.default_rng(1).normal(size=(n, 10))
    for name in REAL:
        if not names or name in names:
            yield name, encode(read_reference(name))


def timed(partition: Callable[[Matrix, int], Labels], X: Matrix, k: int) -> tuple[Labels, float]:
    """Groups, and the seconds it took."""
    start = time.perf_counter()
    return partition(X, k), time.perf_counter() - start


def in_turn(X: Matrix, k: int) -> tuple[Labels, Labels, float, float]:
    """Groups of MDAV and of local search, and the least seconds of up to 40 runs within four seconds."""
    begin, seconds = time.perf_counter(), [np.inf, np.inf]
    for _ in range(40):
        first, one = timed(mdav, X, k)
        found, other = timed(local_search, X, k)
        seconds = [min(seconds[0], one), min(seconds[1], other)]
        if time.perf_counter() - begin > 4:
            break
    return first, found, seconds[0], seconds[1]


def measure(name: str, X: Matrix, k: int) -> dict[str, object]:
    first, found, mdav_seconds, seconds = in_turn(X, k)
    total = sse(X, np.zeros(len(X), dtype=np.intp))
    before, after = 100 * sse(X, first) / total, 100 * sse(X, found) / total
    figures = (mdav_seconds, seconds, seconds / mdav_seconds - 1, before, after, 100 * (1 - after / before))
    digits = (float(f"{figure:.3g}") for figure in figures[:3])
    losses = (round(figure, 4) for figure in figures[3:])
    return dict(zip(FIELDS, (name, *X.shape, k, *digits, *losses), strict=True))


def main(names: list[str]) -> None:
    small = np.random.default_rng(0).normal(size=(12_000, 4))
    local_search(small, 3)  # compile
    old = list(csv.DictReader(RESULTS.open(encoding="utf-8"))) if RESULTS.exists() and names else []
    rows: list[dict[str, object]] = [
        dict(row) for row in old if not {row["file"], row["records"]} & set(names)
    ]
    for name, X in files(names):
        for k in SIZES_OF_GROUPS:
            rows.append(measure(name, X, k))
            print(*rows[-1].values(), flush=True)
    rows.sort(key=lambda row: (str(row["file"]), int(str(row["records"])), int(str(row["k"]))))
    with RESULTS.open("w", newline="", encoding="utf-8") as sheet:
        writer = csv.DictWriter(sheet, FIELDS)
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
