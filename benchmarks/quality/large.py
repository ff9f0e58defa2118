"""What a minute of `best` gains on large files, beside local search.

Run `python benchmarks/quality/large.py` (ten minutes, two processors; writes large.csv beside it). Losses in
percent of the total.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from blockwise import real_files

from shoal.partition import best, local_search, mdav, sse
from shoal.types import Labels, Matrix

SECONDS = 60
SIZES = (100_000, 300_000, 1_000_000)


def files() -> Iterator[tuple[str, Matrix]]:
    yield from real_files()
    for n in SIZES:
        yield "normal", np.random.default_rng(1).normal(size=(n, 10))


def measure(name: str, X: Matrix, k: int) -> dict[str, object]:
    row: dict[str, object] = {"file": name, "records": len(X), "columns": X.shape[1], "k": k}
    total = sse(X, np.zeros(len(X), dtype=np.intp))
    with ThreadPoolExecutor(2) as pool:
        minute = partial(best, seconds=SECONDS, rng=1, workers=pool.map)
        methods: dict[str, Callable[[Matrix, int], Labels]] = {
            "mdav": mdav,
            "local_search": local_search,
            "best": minute,
        }
        for method, partition in methods.items():
            begin = time.perf_counter()
            labels = partition(X, k)
            row[f"{method}_seconds"] = float(f"{time.perf_counter() - begin:.3g}")
            row[f"{method}_loss"] = float(f"{100 * sse(X, labels) / total:.5g}")
    row["lower_by_percent"] = round(
        100 * (1 - float(str(row["best_loss"])) / float(str(row["local_search_loss"]))), 2
    )
    print(*row.values(), flush=True)
    return row


if __name__ == "__main__":
    best(np.random.default_rng(0).normal(size=(12_000, 4)), 3, iterations=1)  # compile
    rows = [measure(name, X, 5) for name, X in files()]
    pl.DataFrame(rows).write_csv(Path(__file__).with_suffix(".csv"))
