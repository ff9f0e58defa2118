"""Masking a million persons in 400,000 households: seconds and peak memory. Writes households.csv.

python benchmarks/speed/households.py [HOUSEHOLDS]
"""

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


def main() -> None:
    households = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    table, rows = survey(households), []
    for name, masker in MASKERS.items():
        masker(survey(2000))  # compiled
        start = time.perf_counter()
        masker(table)
        seconds = round(time.perf_counter() - start, 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        rows.append({"masker": name, "persons": len(table), "seconds": seconds, "peak_mb": peak})
        print(rows[-1], flush=True)
    pl.DataFrame(rows).write_csv(Path(__file__).with_suffix(".csv"))


if __name__ == "__main__":
    main()
