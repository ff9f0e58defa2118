"""How long a child takes when counts follow its changed cells, and when the whole file is measured.

Run `python benchmarks/speed/evolution.py` (a minute). Results go to evolution.csv beside this script:
processor milliseconds of a mutant (one cell), a crossover child and `evaluate` with the same measures, the
ratio of evaluation to mutant, and the largest difference of any figure after 2,000 mutations.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from shoal import Table, as_table, evaluate
from shoal.datasets import make_census, read_reference
from shoal.measures import ctbil, dbil, distance_linkage_risk, ebil, interval_risk, sse_loss
from shoal.search.files.coded_file import CodedFile, code_file
from shoal.search.files.file_fitness import Edits, count_sheet, edit, read

RESULTS = Path(__file__).with_name("evolution.csv")
MUTATIONS = 2_000
LOSSES, RISKS = (dbil, ctbil, ebil, sse_loss), (interval_risk, distance_linkage_risk)


def files() -> dict[str, Table]:
    """Two reference files, and one ten times as long."""
    names = ["sex", "education", "occupation", "marital_status", "age"]
    census = as_table(make_census(10_000, rng=1), roles={"quasi": names})
    return {
        "german_credit": read_reference("german_credit"),
        "solar_flare": read_reference("solar_flare"),
        "make_census": as_table(census.select(names), roles={"quasi": names}),
    }


def timed(call: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Milliseconds of a call, and its last result."""
    call()
    start = time.process_time()
    for _ in range(times):
        result = call()
    return 1_000 * (time.process_time() - start) / times, result


def random_edits(coded: CodedFile, count: int, rng: np.random.Generator) -> Edits:
    rows, columns = np.divmod(rng.choice(coded.rules.original.size, count, replace=False), len(coded.names))
    return Edits(rows, columns, rng.integers(coded.rules.sizes[columns] - 1))


def measure(name: str, table: Table) -> dict[str, Any]:
    names, rng = table.names(role="quasi"), np.random.default_rng(1)
    coded = code_file(table, names, [])
    sheet = count_sheet(coded, coded.rules.original)
    edits = [random_edits(coded, 1, rng) for _ in range(MUTATIONS)]
    read(coded, edit(coded, sheet, edits[0]))  # compiles
    start = time.process_time()
    for one in edits:
        sheet = edit(coded, sheet, one)
        figures = read(coded, sheet)
    mutant = 1_000 * (time.process_time() - start) / MUTATIONS
    many = random_edits(coded, coded.rules.original.size // 4, rng)
    crossed, _ = timed(lambda: read(coded, edit(coded, sheet, many)), 5)
    masked = coded.decode(sheet.cells)
    whole, result = timed(lambda: evaluate(table, masked, loss=LOSSES, risk=RISKS, columns=names), 5)
    off = [
        abs(value - getattr(figures, measure)) for measure, value in {**result.loss, **result.risk}.items()
    ]
    return {
        "file": name,
        "records": len(table),
        "columns": len(names),
        "mutant_ms": round(mutant, 4),
        "crossover_ms": round(crossed, 2),
        "evaluate_ms": round(whole, 2),
        "times_faster": round(whole / mutant),
        "largest_difference": f"{max(off):.1e}",
    }


if __name__ == "__main__":
    rows = [measure(name, table) for name, table in files().items()]
    with RESULTS.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(*rows, sep="\n")
