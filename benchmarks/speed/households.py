"""Masking a million persons in households: seconds and peak memory. Writes households.csv.

python benchmarks/speed/households.py [HOUSEHOLDS ...] (400,000, and 100,000 to see how memory grows with the
file, 100,000; some minutes). Every masker runs in a process of its own, so that the peak is its own.
"""

import multiprocessing
import resource
import sys
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from shoal.masking import swap_records

warnings.simplefilter("ignore")
ROLES = {"quasi": ["region", "rooms", "sex", "age", "job"], "household": "home"}
MASKERS = {
    "microaggregate, k = 5": partial(shoal.microaggregate, k=5),
    "suppress_to_k, k = 5": partial(shoal.suppress_to_k, k=5),
    "mondrian, k = 5": partial(shoal.mondrian, k=5),
    "swap_records, rare = 3": partial(
        swap_records, rare=3, rate=0.05, areas=["region"], similar=[["sex"], []]
    ),
}


def survey(households: int) -> shoal.Table:
    rng = np.random.default_rng(0)
    home = np.repeat(np.arange(households), rng.integers(1, 5, households))
    n = len(home)
    columns = {
        "home": home,
        "region": rng.integers(0, 20, households)[home],
        "rooms": rng.integers(1, 9, households)[home],
        "sex": rng.integers(0, 2, n),
        "age": rng.integers(0, 90, n),
        "job": rng.integers(0, 30, n),
    }
    kinds = dict.fromkeys(("home", "sex", "job", "region"), "nominal") | {"age": "numeric"}
    return shoal.as_table(pl.DataFrame(columns), roles=ROLES, kinds=kinds)


def measure(name: str, households: int) -> dict[str, object]:
    """One masker on one file, in a process of its own."""
    warnings.simplefilter("ignore")
    masker = MASKERS[name]
    masker(survey(20_000))  # compiled, what large files need as well
    table = survey(households)
    before = peak_mb()
    spent = time.process_time()
    masker(table)
    return {
        "masker": name,
        "households": households,
        "persons": len(table),
        "processor_seconds": round(time.process_time() - spent, 1),
        "peak_mb": peak_mb(),
        "peak_mb_before": before,
    }


def peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    rows = []
    for households in [int(size) for size in sys.argv[1:]] or [100_000, 400_000]:
        for name in MASKERS:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                rows.append(pool.apply(measure, (name, households)))
            print(rows[-1], flush=True)
    pl.DataFrame(rows).write_csv(Path(__file__).with_suffix(".csv"))


if __name__ == "__main__":
    main()
