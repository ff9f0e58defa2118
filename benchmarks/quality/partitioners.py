"""Loss and time of every partitioner on the three reference files; `best` on two threads, by its clock.

Run `python benchmarks/quality/partitioners.py` (all, an hour), or name files, k and kinds of rows (methods,
best, bound) to redo only those: `python benchmarks/quality/partitioners.py census 3 5 best`. Results go to
partitioners.csv beside this script, one row per file, k and method: the loss in percent of the sum of
squares, that after `local_search` from the same groups, and seconds; the method "lower bound" is no method,
but the loss that no partition can undercut. `--picture` draws docs/pictures/loss_against_time.png instead.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import TypeAlias

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.partition import best, lower_bound, sse
from shoal.types import Matrix
from shoal.workflow.compare import COMPARED, compare

HERE = Path(__file__).parent
RESULTS = HERE / "partitioners.csv"
PICTURE = HERE.parents[1] / "docs" / "pictures" / "loss_against_time.png"
FILES = ("census", "tarragona", "eia")
KS = (3, 4, 5, 6, 10, 25)
LIMIT = 20.0  # seconds: a method expected to take longer is left out
SEARCHES = (5.0, 60.0)  # seconds of `best`
BOUND = 30.0  # seconds of column generation
KEYS = ["file", "k", "method"]
LOWER = "lower bound"
MOST = 2.1  # times the least loss: what loses more is not drawn
Row: TypeAlias = tuple[str, float, float | None, float | None]  # method, loss, improved, seconds


def methods(X: Matrix, k: int) -> Iterator[Row]:
    """Every method of the menu that ends in time."""
    for trial in compare(X, k, partitioners=COMPARED, seconds=LIMIT, rng=1).trials:
        if trial.loss is not None:
            yield trial.method, trial.loss, trial.improved, trial.seconds


def searches(X: Matrix, k: int) -> Iterator[Row]:
    """`best` with several time budgets."""
    for seconds in SEARCHES:
        begin = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            labels = best(X, k, seconds=seconds, rng=1, workers=pool.map)
        took, loss = time.perf_counter() - begin, 100 * sse(X, labels) / total(X)
        yield f"best {seconds:.0f} s", loss, loss, took


def bounds(X: Matrix, k: int) -> Iterator[Row]:
    """What nobody can undercut."""
    begin = time.perf_counter()
    bound = 100 * lower_bound(X, k, method="columns", seconds=BOUND) / total(X)
    yield LOWER, bound, None, time.perf_counter() - begin


def total(X: Matrix) -> float:
    """Sum of squares of the file."""
    return sse(X, np.zeros(len(X), dtype=np.intp))


def save(file: str, k: int, found: Iterator[Row]) -> None:
    """Put rows into the csv in place of those of the same file, k and method."""
    rows = [(file, k, *row) for row in found]
    schema = {"file": pl.String, "k": pl.Int64, "method": pl.String}
    schema |= dict.fromkeys(("loss", "improved", "seconds"), pl.Float64)
    table = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col(pl.Float64).round(5))
    if RESULTS.exists():
        table = pl.concat([pl.read_csv(RESULTS, schema=table.schema).join(table, on=KEYS, how="anti"), table])
    table.sort("file", "k", "loss").write_csv(RESULTS)


def draw() -> None:
    """Loss against seconds, one panel per file and k."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullLocator

    table = pl.read_csv(RESULTS).with_columns(pl.col("seconds").clip(1e-3))
    figure, axes = plt.subplots(3, 2, figsize=(10, 12), layout="constrained")
    shown = {}
    for axis, (file, k) in zip(axes.flat, product(FILES, (3, 10)), strict=True):
        part = table.filter((pl.col("file") == file) & (pl.col("k") == k)).sort("loss")
        for bound in part.filter(pl.col("method") == LOWER)["loss"]:
            axis.axhline(bound, color="#b03a2e", linewidth=1, linestyle="--")
        part = part.filter(~pl.col("method").is_in([LOWER, "blockwise"]))  # small files: one block
        least = np.min(part["loss"].to_numpy())
        part = part.filter(pl.col("loss") < MOST * least)
        axis.scatter(part["seconds"], part["loss"], s=18, color="#1b6ca8")
        axis.set(xscale="log", yscale="log", title=f"{file}, k = {k}", xlabel="seconds", ylabel="loss, %")
        axis.set_yticks(least * np.array([1, 1.2, 1.5, 2]))  # may lie beyond the limits
        axis.set(xlim=(3e-4, 500), ylim=(0.9 * least, 1.05 * np.max(part["loss"].to_numpy())))
        axis.yaxis.set_major_formatter("{x:.3g}")
        axis.yaxis.set_minor_locator(NullLocator())
        shown[axis] = part.select("method", "seconds", "loss").rows()
    figure.suptitle("Loss against time; the dashed line is a lower bound: nothing can be below it")
    figure.draw_without_rendering()  # now the places of the points are known
    for axis, points in shown.items():
        write_names(axis, points)
    figure.savefig(PICTURE, dpi=110)


def write_names(axis: Axes, points: list[tuple[str, float, float]]) -> None:
    """A name beside every point, at the first place where it covers no other name, point or line."""
    middles = axis.transData.transform([point[1:] for point in points])
    taken = [Bbox.from_bounds(x - 4, y - 4, 8, 8) for x, y in middles]
    taken += [line.get_window_extent() for line in axis.lines]
    for name, seconds, loss in points:
        for up, across in product((0, 7, -7, 13, -13, 19), (5, -5)):
            side = "left" if across > 0 else "right"
            note = axis.annotate(
                name,
                (seconds, loss),
                (across, up),
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=7,
            )
            box = note.get_window_extent()
            if not box.count_overlaps(taken):
                break
            note.remove()
        taken.append(box)


KINDS = {"methods": methods, "best": searches, "bound": bounds}

if __name__ == "__main__":
    if "--picture" in sys.argv:
        draw()
        sys.exit()
    files = [name for name in sys.argv[1:] if name in FILES] or FILES
    kinds = [name for name in sys.argv[1:] if name in KINDS] or KINDS
    sizes = [int(text) for text in sys.argv[1:] if text.isdigit()] or KS
    if "methods" in kinds:
        list(methods(np.random.default_rng(0).normal(size=(2000, 5)), 3))  # loads what is compiled
    for kind, k, file in product(kinds, sizes, files):
        save(file, k, KINDS[kind](encode(read_reference(file)), k))
        print(kind, file, k, flush=True)
