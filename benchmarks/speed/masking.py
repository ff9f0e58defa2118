"""How long the maskers take, and what they lose, on files that others were timed on.

Run `python benchmarks/speed/masking.py` (some minutes), or name tasks to redo only those, e.g.
`python benchmarks/speed/masking.py mondrian suppress`. Results go to masking.csv beside this script. Seconds
are processor seconds, so that a busy machine does not change them much; figures of another package are taken
in the same run, if it is installed, else left as they are.
"""

from __future__ import annotations

import csv
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import Table, as_table
from shoal.datasets import make_census, read_reference
from shoal.encode.categories import categorise
from shoal.masking import (
    add_noise,
    global_recode,
    invariant_matrix,
    microaggregate,
    mondrian,
    pram,
    rank_swap,
    shuffle,
    suppress_to_k,
    top_code,
)
from shoal.partition import blockwise

RESULTS = Path(__file__).with_name("masking.csv")
FIELDS = ("task", "file", "records", "columns", "seconds", "figure", "value")
MILLION = 1_000_000


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def regions_of(table: Table, masked: Table) -> NDArray[np.intp]:
    """A number per record: records that look alike in the masked file have the same."""
    names = table.names("quasi")
    return masked.frame.select(pl.struct(names).rank("dense")).to_series().to_numpy().astype(np.intp) - 1


def mean_extent(table: Table, regions: NDArray[np.intp]) -> float:
    """GCP: the share of a column's range or categories that a released region covers, mean over all cells."""
    extents = []
    for name in table.names("quasi"):
        codes, categories = categorise(table, name)
        if table.attribute(name).kind == "numeric":
            low, high = np.full(regions.max() + 1, np.inf), np.full(regions.max() + 1, -np.inf)
            np.minimum.at(low, regions, table.column(name))
            np.maximum.at(high, regions, table.column(name))
            extent = (high - low) / (max(categories) - min(categories))
        else:
            pairs = np.unique(regions * len(categories) + codes)
            extent = (np.bincount(pairs // len(categories)) - 1) / (len(categories) - 1)
        extents.append(extent[regions].mean())
    return float(np.mean(extents))


def run_mondrian() -> Iterator[tuple[Any, ...]]:
    table = read_reference("adult_arx")
    shape = ("adult_arx", len(table), len(table.names("quasi")))
    for cut in ("gain", "widest"):
        for strict in (True, False):
            spent, masked = seconds(
                lambda cut=cut, strict=strict: mondrian(table, k=5, cut=cut, strict=strict)
            )
            name = f"mondrian k=5 cut={cut} {'strict' if strict else 'relaxed'}"
            yield (name, *shape, spent, "mean extent", mean_extent(table, regions_of(table, masked)))
    yield from run_anonypy(table, shape)


def run_anonypy(table: Table, shape: tuple[str, int, int]) -> Iterator[tuple[Any, ...]]:
    try:
        from anonypy.anonypy import Preserver, anonymize
    except ImportError:
        print("anonypy is not installed: its row stays as it was")
        return
    frame = table.frame.to_pandas()
    for name in table.names():
        if table.attribute(name).kind != "numeric":
            frame[name] = frame[name].astype("category")
    preserver = Preserver(frame, table.names("quasi"), "salary-class")
    cutting, parts = seconds(lambda: preserver.modrian.partition(5, 0, 0.0))
    writing, _ = seconds(lambda: anonymize(frame, parts, table.names("quasi"), "salary-class"))
    regions = np.empty(len(table), dtype=np.intp)
    for number, part in enumerate(parts):
        regions[list(part)] = number
    yield ("anonypy k=5", *shape, cutting + writing, "mean extent", mean_extent(table, regions))


def run_suppress() -> Iterator[tuple[Any, ...]]:
    census = make_census(100_000, rng=1)
    keys = [name for name in census.names("quasi") if name != "household_size"]
    files = [("census", census, keys)]
    files += [(name, t := read_reference(name), t.names("quasi")) for name in ("adult_arx", "testdata")]
    for name, table, columns in files:
        for gaps in ("category", "wildcard"):
            call = partial(suppress_to_k, table, k=3, gaps=gaps, columns=columns)
            spent, masked = seconds(call)
            lost = sum(masked.missing()[c] - table.missing()[c] for c in columns)
            shape = (name, len(table), len(columns))
            share = 100 * lost / len(table) / len(columns)
            yield (f"suppress_to_k k=3 gaps={gaps}", *shape, spent, "percent of cells lost", share)


def run_mixed() -> Iterator[tuple[Any, ...]]:
    table = read_reference("adult_arx")
    microaggregate(table.take(np.arange(100)), k=5)  # compiled before the clock starts
    for partition in (None, blockwise):
        options = {} if partition is None else {"partition": partition}
        spent, masked = seconds(lambda options=options: microaggregate(table, k=5, **options))
        name = "microaggregate k=5" + (" blockwise" if partition else "")
        classes = masked.frame.select(table.names("quasi")).group_by(pl.all()).len()["len"].min()
        yield (name, "adult_arx", len(table), len(table.names("quasi")), spent, "smallest class", classes)


def run_million() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    numbers = pl.DataFrame({f"x{i}": rng.normal(size=MILLION) for i in range(10)})
    names = pl.DataFrame({f"c{i}": rng.choice(list("abcdefgh"), MILLION) for i in range(10)})
    numeric, nominal = (as_table(frame, roles={"quasi": frame.columns}) for frame in (numbers, names))
    calls = {
        "pram": partial(pram, nominal, matrices=partial(invariant_matrix, p=0.8), rng=1),
        "global_recode merge": partial(
            global_recode, nominal, merge={name: {"z": ["a", "b"]} for name in names.columns}
        ),
        "global_recode cuts": partial(global_recode, numeric, cuts={x: [-1, 0, 1] for x in numbers.columns}),
        "top_code": partial(top_code, numeric, quantile=0.95),
        "rank_swap": partial(rank_swap, numeric, percent=5, rng=1),
        "add_noise": partial(add_noise, numeric, amount=0.1, rng=1),
        "shuffle": partial(shuffle, numeric, rng=1),
    }
    for name, call in calls.items():
        yield (name, "random", MILLION, 10, seconds(call)[0], "", "")


TASKS = {"mondrian": run_mondrian, "suppress": run_suppress, "mixed": run_mixed, "million": run_million}


def main(wanted: list[str]) -> None:
    warnings.simplefilter("ignore")
    old = list(csv.DictReader(RESULTS.open())) if RESULTS.exists() else []
    rows = {(row["task"], row["file"]): row for row in old}
    for task in wanted or TASKS:
        for result in TASKS[task]():
            row = dict(zip(FIELDS, result, strict=True))
            row["seconds"] = f"{row['seconds']:.2f}"
            row["value"] = f"{row['value']:.4g}" if row["value"] != "" else ""
            rows[row["task"], row["file"]] = row
            print(*row.values(), sep="  ", flush=True)
    with RESULTS.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


if __name__ == "__main__":
    main(sys.argv[1:])
