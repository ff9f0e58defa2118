"""What blocks cost: loss of MDAV in blocks of 10,000 records as a share of its loss on the whole file.

Run: python benchmarks/quality/blockwise.py (ten minutes, most of them for MDAV on a million records in one
piece; writes blockwise.csv beside it)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from shoal.datasets import read_reference
from shoal.encode import encode
from shoal.partition import blockwise, mdav, sse
from shoal.types import Matrix

KS = (3, 5, 10)
REAL = ("california_housing", "adult", "credit_default")


def real_files() -> Iterator[tuple[str, Matrix]]:
    """Their numeric columns without missing values."""
    for name in REAL:
        table = read_reference(name)
        columns = [c for c in table.names(kind="numeric") if not table.frame[c].is_null().any()]
        yield name, encode(table, columns)


def files() -> Iterator[tuple[str, Matrix]]:
    yield from real_files()
    for n, d in ((100_000, 4), (30_000, 10), (100_000, 10), (300_000, 10), (1_000_000, 10)):
        yield "normal", np.random.default_rng(1).normal(size=(n, d))


def measure(name: str, X: Matrix, k: int) -> dict[str, object]:
    whole = sse(X, mdav(X, k))
    losses = {mend: sse(X, blockwise(X, k, mend=mend)) / whole for mend in (False, True)}
    names = ("file", "records", "columns", "k", "not_mended", "mended")
    return dict(zip(names, (name, *X.shape, k, losses[False], losses[True]), strict=True))


if __name__ == "__main__":
    rows = [measure(name, X, k) for name, X in files() for k in KS]
    table = pl.DataFrame(rows).with_columns(pl.col(pl.Float64).round(3))
    table.write_csv(Path(__file__).with_suffix(".csv"))
    print(table)
