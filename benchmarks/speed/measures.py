"""Time of the measures on files as large as users have; obvious versions beside them where they can follow.

Run: python benchmarks/speed/measures.py (writes measures.csv beside it; several minutes). `times_obvious` is
the obvious version's time over ours, both in this run on the same smaller file (`obvious_n` records).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
from scipy.spatial.distance import cdist

from shoal import as_table
from shoal.encode import encode_pair
from shoal.measures import ctbil, distance_linkage_risk, probabilistic_linkage_risk, suda2
from shoal.table import Table

Pair = tuple[Table, Table]
Obvious = Callable[[Table, Table], float]


def noisy_numbers(n: int, *, d: int = 10, noise: float = 0.3) -> Pair:
    """Normal columns and the same with noise: of 0.01 to 3, 0.3 takes the search tree the longest."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, d))
    Y = X + noise * rng.normal(size=X.shape)
    return tuple(as_table({f"x{j}": M[:, j] for j in range(d)}) for M in (X, Y))  # type: ignore[return-value]


def redrawn_names(n: int, *, d: int, categories: int = 8) -> Pair:
    """Text columns with unequal frequencies, a fifth of the cells drawn anew."""
    rng = np.random.default_rng(2)
    names = np.array([f"category {c}" for c in range(categories)])
    share = 1 / np.arange(1, categories + 1)
    X = rng.choice(categories, (n, d), p=share / share.sum())
    Y = np.where(rng.random((n, d)) < 0.8, X, rng.integers(0, categories, (n, d)))
    return tuple(as_table({f"c{j}": names[M[:, j]] for j in range(d)}) for M in (X, Y))  # type: ignore[return-value]


def all_distances(original: Table, masked: Table) -> float:
    """Linkage by the full matrix of distances, ties ignored."""
    X, Y = encode_pair(original, masked, original.names())
    return 100 * float((cdist(X, Y).argmin(axis=1) == np.arange(len(X))).mean())


def all_agreements(original: Table, masked: Table) -> float:
    """The agreement of all pairs, column by column: what the EM algorithm needs."""
    patterns = np.zeros((len(original), len(original)), dtype=np.int32)
    for j, name in enumerate(original.names()):
        cuts = np.quantile(original.column(name), np.arange(1, 10) / 10)
        x, y = (np.searchsorted(cuts, table.column(name)) for table in (original, masked))
        patterns |= (x[:, None] == y).astype(np.int32) << j
    return float(np.bincount(patterns.ravel()).max())


def all_cross_tables(original: Table, masked: Table) -> float:
    """Tables of one and two columns by polars' group_by, joined and compared."""
    frames = [t.frame for t in (original, masked)]
    names = original.names()
    sets = [*combinations(names, 1), *combinations(names, 2)]
    moved = 0
    for s in sets:
        before, after = (f.group_by(s).len() for f in frames)
        both = before.join(after, on=list(s), how="full", coalesce=True).fill_null(0)
        moved += int((both["len"].cast(pl.Int64) - both["len_right"].cast(pl.Int64)).abs().sum())
    return 100 * moved / (2 * len(original) * len(sets))


def all_subsets(original: Table, masked: Table) -> float:
    """Records unique in any three or fewer columns, by polars' group_by over every subset."""
    frame = masked.frame.with_row_index("row")
    found = np.zeros(len(masked), dtype=bool)
    for size in (1, 2, 3):
        for s in combinations(masked.names(), size):
            alone = frame.group_by(s).agg(pl.len(), pl.col("row").first()).filter(pl.col("len") == 1)
            found[alone["row"].to_numpy()] = True
    return 100 * float(found.mean())


CASES: list[tuple[Callable[..., float], Callable[[int], Pair], int, int, Obvious, float]] = [
    (distance_linkage_risk, noisy_numbers, 100_000, 5_000, all_distances, 15),
    (probabilistic_linkage_risk, noisy_numbers, 100_000, 5_000, all_agreements, 60),
    (ctbil, lambda n: redrawn_names(n, d=20), 1_000_000, 100_000, all_cross_tables, 20),
    (suda2, lambda n: redrawn_names(n, d=9, categories=30), 100_000, 100_000, all_subsets, 3),
]


def run(measure: Callable[..., float], pair: Pair) -> tuple[float, float]:
    """Seconds and figure."""
    start = time.perf_counter()
    figure = measure(*pair)
    return time.perf_counter() - start, figure


def main() -> None:
    rows = []
    for measure, make, n, small, obvious, target in CASES:
        measure(*make(300))  # compile
        seconds, figure = run(measure, make(n))
        ours, theirs = run(measure, make(small))[0], run(obvious, make(small))[0]
        rows.append(
            {
                "measure": measure.__name__,
                "n": n,
                "seconds": round(seconds, 2),
                "target": target,
                "figure": round(figure, 4),
                "obvious": obvious.__name__,
                "obvious_n": small,
                "times_obvious": round(theirs / ours, 1),
            }
        )
        print(rows[-1], flush=True)
    pl.DataFrame(rows).write_csv(Path(__file__).with_suffix(".csv"))


if __name__ == "__main__":
    main()
