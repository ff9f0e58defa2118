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

from shoal.compare import COMPARED, compare
from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.partition import best, lower_bound, sse
from shoal.types import Matrix

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
    """Loss above the best known against seconds, one panel per file and k."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullLocator

    table = pl.read_csv(RESULTS)
    figure, axes = plt.subplots(3, 2, figsize=(10, 11), layout="constrained")
    for panels, file in zip(axes, FILES, strict=True):
        for axis, k in zip(panels, (3, 10), strict=True):
            part = table.filter((pl.col("file") == file) & (pl.col("k") == k))
            for bound in part.filter(pl.col("method") == LOWER)["loss"]:
                axis.axhline(bound, color="#b03a2e", linewidth=1, linestyle="--")
            part = part.filter(~pl.col("method").is_in([LOWER, "blockwise"])).sort("loss")  # small: one block
            least = float(part["loss"].min())  # type: ignore[arg-type]
            axis.scatter(part["seconds"].clip(1e-3), part["loss"], s=18, color="#1b6ca8")
            for number, (name, loss, seconds) in enumerate(part.select("method", "loss", "seconds").rows()):
                if loss < 2.2 * least:  # names of similar losses are put above and below in turn
                    side, shift = ("right", -4) if seconds > 5 else ("left", 4)
                    axis.annotate(
                        name,
                        (max(seconds, 1e-3), loss),
                        xytext=(shift, -8 if number % 2 else 2),
                        textcoords="offset points",
                        ha=side,
                        fontsize=7,
                    )
            axis.set(xscale="log", yscale="log", title=f"{file}, k = {k}", xlabel="seconds", ylabel="loss, %")
            axis.set_ylim(0.85 * least, 2.2 * least)  # what loses more is not worth a look
            axis.set_yticks(least * np.array([1, 1.2, 1.5, 2]))
            axis.yaxis.set_major_formatter("{x:.3g}")
            axis.yaxis.set_minor_locator(NullLocator())
    figure.suptitle("Loss against time; the dashed line is a lower bound: nothing can be below it")
    figure.savefig(PICTURE, dpi=110)


KINDS = {"methods": methods, "best": searches, "bound": bounds}

if __name__ == "__main__":
    if "--picture" in sys.argv:
        draw()
        sys.exit()
    files = [name for name in sys.argv[1:] if name in FILES] or FILES
    kinds = [name for name in sys.argv[1:] if name in KINDS] or KINDS
    sizes = [int(text) for text in sys.argv[1:] if text.isdigit()] or KS
    for kind, k, file in product(kinds, sizes, files):
        save(file, k, KINDS[kind](encode(read_reference(file)), k))
        print(kind, file, k, flush=True)
