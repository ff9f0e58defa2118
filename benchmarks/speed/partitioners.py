"""Time and loss of every partitioner on Census, as ratios to MDAV in the same run.

Run: python benchmarks/speed/partitioners.py (writes partitioners.csv beside it)
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import polars as pl

from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.errors import NotApplicable
from shoal.partition import mdav
from shoal.types import Matrix, Partitioner
from shoal.workflow.compare import COMPARED, compare

KS = (3, 5, 10)
SECONDS = 60.0


def measure(X: Matrix, partition: Partitioner) -> dict[str, object] | None:
    """Loss for every k, and the median time at k = 3 against MDAV's, taken in turn."""
    try:
        found = compare(X, KS, partitioners=[partition], seconds=SECONDS, rng=1)
    except NotApplicable:
        return None
    losses = {f"loss_k{trial.k}": trial.loss for trial in found.trials}
    if any(loss is None for loss in losses.values()):
        return None
    seconds = min(trial.seconds for trial in found.trials if trial.k == 3)
    repeats = 1 if seconds > 1 else 5
    mine, its = zip(*[(_time(partition, X), _time(mdav, X)) for _ in range(repeats)], strict=True)
    ratio = float(np.median(mine) / np.median(its))
    return {"method": partition.__name__, **losses, "seconds_k3": float(np.median(mine)), "times_mdav": ratio}


def _time(partition: Partitioner, X: Matrix) -> float:
    start = time.perf_counter()
    partition(X, 3)
    return time.perf_counter() - start


def univariate_against_sort(n: int = 1_000_000) -> float:
    """How many times a numpy sort the optimal univariate partition of n values takes."""
    from shoal.partition import univariate

    values = np.random.default_rng(1).normal(size=(n, 1))
    univariate(values[:1000], 3)
    runs = []
    for _ in range(3):
        start = time.perf_counter()
        np.sort(values, axis=0)
        middle = time.perf_counter()
        univariate(values, 3)
        runs.append((time.perf_counter() - middle) / (middle - start))
    return float(np.median(runs))


if __name__ == "__main__":
    X = encode(read_reference("census"))
    mdav(X, 3)
    rows = [row for partition in COMPARED if (row := measure(X, partition)) is not None]
    table = pl.DataFrame(rows).sort("loss_k3")
    table.with_columns(pl.col(pl.Float64).round(4)).write_csv(Path(__file__).with_suffix(".csv"))
    print(table)
    print(f"univariate, 1,000,000 values: {univariate_against_sort():.2f} times a numpy sort")
