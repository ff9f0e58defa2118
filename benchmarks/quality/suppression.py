"""Local suppression: how few cells, and what risk is left, beside sdcMicro.

Run: python benchmarks/quality/suppression.py (two minutes; writes suppression.csv beside it)

Tiny files: 500 random ones of up to 12 records, the optimum proven by HiGHS (`certify=True`). testdata and
testdata2: the seven keys urbrur, roof, walls, water, electcon, relat, sex. `risk` is the mean chance that an
intruder who knows all keys picks the right record, candidates weighed by how frequent the hidden values are.
Figures of sdcMicro (kAnon) were counted on its own output on another day.
"""

from __future__ import annotations

import csv
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from shoal import Table, as_table, read_table
from shoal.datasets import make_census
from shoal.encode.look_alikes import code_matrix
from shoal.masking import find_suppression
from shoal.masking.suppression.gap_risk import gap_risk

RESULTS = Path(__file__).with_name("suppression.csv")
DATA = Path(__file__).parents[3] / "shared" / "datasets" / "sdcmicro"
KEYS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
FIELDS = (
    "file",
    "records",
    "columns",
    "k",
    "way",
    "cells",
    "risk",
    "seconds",
    "peer",
    "peer_cells",
    "peer_risk",
)
SDCMICRO = {  # k: cells, risk where it was counted
    "testdata": {2: (157, ""), 3: (293, ""), 5: (500, "")},
    "testdata2": {2: (97, ""), 3: (117, 0.62), 5: (157, 0.50)},
}
WAYS: dict[str, dict[str, Any]] = {
    "category": {},
    "wildcard": {"gaps": "wildcard"},
    "in any 3 keys": {"known_keys": 3},
}


def keys_only(frame: Any, names: list[str]) -> Table:
    return as_table(frame, roles={"quasi": names}, kinds=dict.fromkeys(names, "nominal"))


def tiny_files() -> Iterator[tuple[Any, ...]]:
    """Sums over 500 files: cells found, cells that could come back, the proven optimum."""
    rng = np.random.default_rng(1)
    found = least = back = 0
    start = time.process_time()
    for _ in range(500):
        n, d = int(rng.integers(5, 13)), int(rng.integers(2, 5))
        codes = rng.integers(0, rng.integers(2, 5), (n, d))
        k = int(rng.integers(2, 4))
        names = [f"c{i}" for i in range(d)]
        table = keys_only({name: codes[:, i] for i, name in enumerate(names)}, names)
        one = find_suppression(table, k=k)
        found += sum(one.cells.values())
        back += restorable(code_matrix(table, names), code_matrix(one.table(), names), k)
        best = find_suppression(table, k=k, certify=True)
        assert best.proven
        least += sum(best.cells.values())
    seconds = time.process_time() - start
    yield "500 tiny files", "", "", "2-3", "category", found, "", f"{seconds:.3g}", "optimum", least, ""
    yield "500 tiny files", "", "", "2-3", "cells that could be restored", back, "", "", "", 0, ""


def restorable(before: Any, after: Any, k: int) -> int:
    count = 0
    for row, column in np.argwhere((after < 0) & (before >= 0)):
        changed = np.where(after < 0, -1, before)
        changed[row, column] = before[row, column]
        count += np.unique(changed, axis=0, return_counts=True)[1].min() >= k
    return int(count)


def known_files() -> Iterator[tuple[Any, ...]]:
    for file, peers in SDCMICRO.items():
        table = keys_only(read_table(DATA / f"{file}.csv"), KEYS)
        for k, (cells, risk) in peers.items():
            ways = dict(WAYS)
            if risk:
                ways["wildcard at sdcMicro's risk"] = {"gaps": "wildcard", "risk": risk}
            for way, options in ways.items():
                start = time.process_time()
                found = find_suppression(table, k=k, **options)
                seconds = time.process_time() - start
                peer = ("sdcMicro", cells, risk) if way.startswith("wildcard") else ("", "", "")
                lost = sum(found.cells.values())
                yield file, len(table), len(KEYS), k, way, lost, f"{found.risk:.3f}", f"{seconds:.2f}", *peer
    table = keys_only(read_table(DATA / "testdata2.csv"), KEYS)
    codes = code_matrix(table, KEYS)
    for k in (3, 5):
        mask = np.zeros(codes.shape, dtype=bool)
        mask[: k - 1] = True
        chance = gap_risk(codes, mask).mean()
        yield (
            "testdata2",
            len(table),
            len(KEYS),
            k,
            "k - 1 blank records",
            (k - 1) * 7,
            f"{chance:.3f}",
            *[""] * 4,
        )


def large_file() -> Iterator[tuple[Any, ...]]:
    table = make_census(100_000, rng=1)
    names = table.names("quasi")[:8]
    find_suppression(make_census(1000, rng=1), k=3)
    start = time.process_time()
    found = find_suppression(table, k=3, columns=names)
    seconds = time.process_time() - start
    yield (
        "synthetic census",
        len(table),
        len(names),
        3,
        "category",
        sum(found.cells.values()),
        "",
        f"{seconds:.2f}",
        "",
        "",
        "",
    )


def main() -> None:
    warnings.simplefilter("ignore")
    with RESULTS.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(FIELDS)
        for part in (tiny_files, known_files, large_file):
            for row in part():
                print(*row, sep="\t", flush=True)
                writer.writerow(row)


if __name__ == "__main__":
    main()
