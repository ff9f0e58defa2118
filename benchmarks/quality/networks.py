"""What intruders find in a real network before and after: 4,039 users of Facebook (SNAP), one run.

Run `python benchmarks/quality/networks.py` (some minutes; the file is looked up as `read_reference` does).
Results go to networks.csv beside this script: users found, of 100, and structure lost.
"""

from __future__ import annotations

import warnings
from functools import partial
from pathlib import Path

import polars as pl

from shoal.graph import (
    attack_graph,
    neighbourhoods_below,
    protect_graph,
    read_reference_graph,
    structure_losses,
)

RESULTS = Path(__file__).with_name("networks.csv")

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    graph = read_reference_graph("ego_facebook")
    protect = partial(protect_graph, k=5, degrees=True, switch=0.1, rng=1)
    masked = protect(graph)
    found = attack_graph(graph, masked, protect=protect, rng=1)
    print(found)
    rows = [(row["attack"], row["before"], row["after"]) for row in found.iter_rows(named=True)]
    rows += [("neighbourhoods below k = 5", neighbourhoods_below(graph, 5), neighbourhoods_below(masked, 5))]
    lost = structure_losses(graph, masked)
    print(lost)
    pl.DataFrame(rows, schema=["what", "before", "after"], orient="row").write_csv(RESULTS, float_precision=1)
    lost.write_csv(RESULTS.with_name("networks_structure.csv"), float_precision=3)
