"""How long MDAV takes, against two plain versions kept here and what PyPI has, all in the same run.

Run `python benchmarks/speed/mdav.py` (a quarter of an hour), or name files to redo only those, e.g.
`python benchmarks/speed/mdav.py normal_10 adult`. Results go to mdav.csv beside this script. PyPI has no MDAV
(November 2026); the nearest is k-means-constrained, a k-means with a minimum group size: measured if there.
Slow ones are left out where they would take minutes.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from numba import njit
from numpy.typing import NDArray

from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.partition import blockwise, mdav, relabel, sse

RESULTS = Path(__file__).with_name("mdav.csv")
FIELDS = ("file", "records", "columns", "method", "seconds", "times_faster_than_scan", "loss_to_mdav")
K = 5
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
COLUMNS = (2, 4, 10, 13)
REAL = ("california_housing", "adult", "credit_default")
LIMITS = {"numpy": 10_000, "column_scan": 100_000, "k_means_constrained": 1_000}  # most records

Matrix = NDArray[np.float64]
Labels = NDArray[np.intp]


def numpy_mdav(X: Matrix, k: int) -> Labels:
    """MDAV as one would write it with numpy."""
    labels, rows, groups = np.full(len(X), -1), np.arange(len(X)), 0
    while len(rows) >= k:
        point = X[rows].mean(axis=0)
        for _ in range(2 if len(rows) >= 3 * k else 1):
            if len(rows) < 2 * k:
                chosen = np.arange(len(rows))
            else:
                point = X[rows[((X[rows] - point) ** 2).sum(axis=1).argmax()]]
                chosen = np.argpartition(((X[rows] - point) ** 2).sum(axis=1), k - 1)[:k]
            labels[rows[chosen]] = groups
            rows, groups = np.delete(rows, chosen), groups + 1
    return labels


def column_scan(X: Matrix, k: int) -> Labels:
    """MDAV by reading all columns of the remaining records for every step, compiled."""
    return _column_scan(np.ascontiguousarray(X.T), k)


@njit
def _column_scan(columns: Matrix, k: int) -> Labels:
    d, m = columns.shape
    labels, rows, distances, groups = np.full(m, -1), np.arange(m), np.empty(m), 0
    while m >= 2 * k:
        point = columns[:, :m].sum(axis=1) / m
        for _ in range(2 if m >= 3 * k else 1):
            _measure(columns, m, point, distances)
            far = np.argmax(distances[:m])
            for j in range(d):
                point[j] = columns[j, far]
            _measure(columns, m, point, distances)
            limit = _smallest(distances, m, k)
            taken, i = 0, 0
            while taken < k:
                if distances[i] <= limit:  # the last record fills the gap
                    labels[rows[i]] = groups
                    taken, m = taken + 1, m - 1
                    rows[i], distances[i] = rows[m], distances[m]
                    for j in range(d):
                        columns[j, i] = columns[j, m]
                else:
                    i += 1
            groups += 1
    for i in range(m):
        labels[rows[i]] = groups
    return labels


@njit
def _measure(columns: Matrix, m: int, point: Matrix, distances: Matrix) -> None:
    distances[:m] = 0.0
    for j in range(len(point)):
        value, column = point[j], columns[j]
        for i in range(m):
            distances[i] += (column[i] - value) * (column[i] - value)


@njit
def _smallest(distances: Matrix, m: int, k: int) -> float:
    """The k-th smallest distance."""
    best = np.full(k, np.inf)
    for i in range(m):
        if distances[i] < best[k - 1]:
            place = k - 1
            while place > 0 and best[place - 1] > distances[i]:
                best[place] = best[place - 1]
                place -= 1
            best[place] = distances[i]
    return best[k - 1]


def k_means_constrained(X: Matrix, k: int) -> Labels:
    """k-means with a minimum group size, from PyPI."""
    from k_means_constrained import KMeansConstrained

    found = KMeansConstrained(n_clusters=len(X) // k, size_min=k, n_init=1, random_state=0).fit(X)
    return np.asarray(found.labels_)


def blockwise_threads(X: Matrix, k: int) -> Labels:
    """`blockwise` with two threads."""
    with ThreadPoolExecutor(2) as pool:
        return blockwise(X, k, workers=pool.map)


def methods(n: int) -> dict[str, Callable[[Matrix, int], Labels]]:
    """What is measured at this size."""
    found: dict[str, Callable[[Matrix, int], Labels]] = {"mdav": mdav}
    if n > 10_000:
        found["blockwise"] = blockwise_threads
    others = {"numpy": numpy_mdav, "column_scan": column_scan, "k_means_constrained": k_means_constrained}
    if find_spec("k_means_constrained") is None:
        del others["k_means_constrained"]
    return found | {name: other for name, other in others.items() if n <= LIMITS[name]}


def files(names: list[str]) -> Iterator[tuple[str, Matrix]]:
    """Normal and clustered records of every shape, and real files."""
    for d in COLUMNS:
        for sort in ("normal", "clustered"):
            if not names or f"{sort}_{d}" in names:
                yield from ((f"{sort}_{d}", made(sort, n, d)) for n in SIZES)
    for name in REAL:
        if not names or name in names:
            yield name, real(name)
    if not names or "credit_100k" in names:
        yield "credit_100k", enlarged(real("credit_default")[:, :10], 100_000)


def made(sort: str, n: int, d: int) -> Matrix:
    rng = np.random.default_rng(1)
    if sort == "normal":
        return rng.normal(size=(n, d))
    return 3 * rng.normal(size=(50, d))[rng.integers(50, size=n)] + 0.5 * rng.normal(size=(n, d))


def real(name: str) -> Matrix:
    """The numeric columns without missing values, standardised."""
    table = read_reference(name)
    columns = [c for c in table.names(kind="numeric") if not table.frame[c].is_null().any()]
    return encode(table, columns)


def enlarged(X: Matrix, n: int) -> Matrix:
    """More records of the same sort: drawn from the file, each number moved by about 1 % of the spread."""
    rng = np.random.default_rng(1)
    return X[rng.integers(len(X), size=n)] + 0.01 * rng.normal(size=(n, X.shape[1]))


def measure(name: str, X: Matrix) -> Iterator[dict[str, object]]:
    """Seconds of every method, the best of three if it is quick."""
    seconds, losses = {}, {}
    for method, partition in methods(len(X)).items():
        for _ in range(3):
            start = time.perf_counter()
            labels = partition(X, K)
            taken = time.perf_counter() - start
            seconds[method] = min(taken, seconds.get(method, np.inf))
            if taken > 1:
                break
        losses[method] = sse(X, relabel(labels))
    for method, taken in seconds.items():
        faster = round(seconds["column_scan"] / taken, 1) if "column_scan" in seconds else None
        ratio = round(losses[method] / losses["mdav"], 4)
        figures = (name, *X.shape, method, float(f"{taken:.3g}"), faster, ratio)
        yield dict(zip(FIELDS, figures, strict=True))


def summarise() -> None:
    """The table of the docs: seconds side by side, for some sizes."""
    table = pl.read_csv(RESULTS)
    known = [name for name in ("mdav", "blockwise", "column_scan", "numpy") if name in table["method"]]
    kept = pl.col("records").is_in((10_000, 100_000, 1_000_000)) | ~pl.col("file").str.contains("_[0-9]+$")
    keys = ["file", "records", "columns"]
    wide = table.filter(kept).pivot("method", index=keys, values="seconds").select(*keys, *known)
    faster = (pl.col("column_scan") / pl.col("mdav")).round(1).alias("mdav_faster_than_scan")
    wide = wide.with_columns(faster).sort("columns", "file", "records")
    wide.write_csv(RESULTS.with_name("mdav_summary.csv"))


def main(names: list[str]) -> None:
    small = np.random.default_rng(0).normal(size=(2000, 60))
    for partition in (mdav, column_scan, lambda X, k: blockwise(X, k, block_size=500)):
        partition(small, K)  # compile
    old = list(csv.DictReader(RESULTS.open(encoding="utf-8"))) if RESULTS.exists() and names else []
    rows = [row for row in old if row["file"] not in names]
    for name, X in files(names):
        for row in measure(name, X):
            print(*row.values(), flush=True)
            rows.append(row)
    with RESULTS.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    summarise()


if __name__ == "__main__":
    main(sys.argv[1:])
