"""Recoding by search: what it loses and how long it takes, with the published or measured figures of others.

Run: python benchmarks/quality/recoding.py (some five minutes; writes recoding.csv beside it), or name tasks:
global, local, wide, large. The hierarchies are those of ARX (datasets/*/hierarchies). Seconds are processor
seconds of a second run in one process, so that compiling is not part of them; a million records are run once.
`peer` figures of ARX 3.9 and other tools were measured on another day of a like machine.

`extent` is the share of a column's range (distinct values) that the original values of a released class
cover, mean over cells; `granularity` is what ARX prints, from the leaves below each label.
"""

from __future__ import annotations

import csv
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "speed"))

from masking import mean_extent, regions_of
from shoal import Table, as_table, check, read_table
from shoal.hierarchy import hierarchy_of, with_hierarchies
from shoal.hierarchy.tree import as_text
from shoal.masking import mondrian
from shoal.models.promise import Promise
from shoal.search import find_recoding

RESULTS = Path(__file__).with_name("recoding.csv")
DATA = Path(__file__).parents[3] / "shared" / "datasets"
FIELDS = ("task", "file", "records", "columns", "what", "value", "peer", "peer_value", "goal")
ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
FILES = {
    "adult": ("adult/adult_arx_30162.csv.gz", ADULT),
    "fars": ("fars/fars_subset.csv.gz", None),
    "mach2019": (
        "mach2019/mach2019_int.csv.gz",
        ["age", "familysize", "gender", "married", "race", "religion"],
    ),
}
Row = tuple[Any, ...]


def file_of(name: str, *more: str) -> Table:
    """The file with its keys and ARX's hierarchies."""
    path, keys = FILES[name]
    table = read_table(DATA / path)
    keys = [*(keys or table.names()), *more]
    kinds = {key: "nominal" for key in keys if name == "mach2019"}
    table = as_table(table, roles={"quasi": keys}, kinds=kinds)
    return with_hierarchies(table, {key: (DATA / path).parent / "hierarchies" / f"{key}.csv" for key in keys})


def granularity(table: Table, masked: Table) -> float:
    """ARX's figure: (S - m) / (1 - m), S the mean share of leaves under a label, m that of values."""
    shares, least = [], []
    for name in table.names("quasi"):
        paths = hierarchy_of(table, name).paths
        below: dict[str, set[str]] = {}
        for path in paths:
            for label in path:
                below.setdefault(label, set()).add(path[0])
        cells = masked.column(name).tolist()
        own = ["*" if cell is None or cell != cell else as_text(cell) for cell in cells]
        shares.append(np.mean([len(below.get(cell, paths)) / len(paths) for cell in own]))
        least.append(1 / len(paths))
    return float((np.mean(shares) - np.mean(least)) / (1 - np.mean(least)))


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    call()
    start = time.process_time()
    found = call()
    return found, time.process_time() - start


def rows(task: str, file: str, table: Table, facts: Mapping[str, tuple[Any, ...]]) -> Iterator[Row]:
    for what, (value, *others) in facts.items():
        peer, peer_value, goal = [*others, "", "", ""][:3]
        shown = f"{value:.4g}" if isinstance(value, float) else value
        yield task, file, len(table), len(table.names("quasi")), what, shown, peer, peer_value, goal


def run_global() -> Iterator[Row]:
    """The optima of ARX's job: Adult, k = 5, at most 5 % of the records suppressed."""
    cases = [
        ("8 keys", (), "geometric", ("ARX", "same node", "0 3 0 0 1 1 1 2"), "0.2519", "1.6"),
        ("8 keys", (), "granularity", ("", "", "0 3 0 1 2 1 1 1"), "0.2774", ""),
        (
            "9 keys",
            ("salary-class",),
            "geometric",
            ("ARX", "same node", "0 3 0 0 2 1 1 2 0"),
            "0.2419",
            "4.7",
        ),
        ("9 keys", ("salary-class",), "granularity", ("ARX", "same node", "0 3 0 0 2 1 1 2 0"), "0.3016", ""),
    ]
    for size, more, loss, node, value, arx in cases:
        table = file_of("adult", *more)
        found, seconds = timed(lambda t=table, s=loss: find_recoding(t, k=5, suppression=0.05, loss=s))
        kept = check(found.table(), Promise(k=5)).kept
        levels = " ".join(str(level) for level in (found.levels or {}).values())
        facts = {
            "levels": (levels, *node),
            "loss": (found.value, "", "", value),
            "proven": (found.proven and kept, "", "", "True"),
            "suppressed": (found.suppressed,),
            "classes": (found.classes,),
            "nodes counted": (found.counted,),
            "nodes": (found.nodes,),
            "processor seconds": (seconds, "ARX" if arx else "", arx, "0.5"),
        }
        yield from rows(f"global {size} {loss}", "adult", table, facts)


def run_local() -> Iterator[Row]:
    """Local recoding at k = 5 beside Mondrian on the same hierarchies."""
    known = {"adult": {"extent": ("ARX", 0.0312, "0.0275"), "granularity": ("ARX", 0.062, "0.057")}}
    for file in FILES:
        table = file_of(file)
        ways = {
            "local": lambda t=table: find_recoding(t, k=5, scheme="local").table(),
            "mondrian": lambda t=table: mondrian(t, k=5),
        }
        for way, call in ways.items():
            masked, seconds = timed(call)
            assert check(masked, Promise(k=5)).kept
            regions = regions_of(table, masked)
            peers = known.get(file, {}) if way == "local" else {}
            facts = {
                "extent": (mean_extent(table, regions), *peers.get("extent", ())),
                "granularity": (granularity(table, masked), *peers.get("granularity", ())),
                "classes": (int(regions.max()) + 1, *(("ARX", 4386) if peers else ())),
                "processor seconds": (seconds, *(("ARX", 3.6, "1") if peers else ())),
            }
            yield from rows(f"{way} k=5", file, table, facts)


def made_up(n: int, d: int, seed: int) -> Table:
    """Nearly unique records: columns of 16 values, four of them with four levels, the others with three.

    Of ten columns the lattice has 4 ** 4 * 3 ** 6 = 186,624 nodes.
    """
    rng = np.random.default_rng(seed)
    columns = {f"c{i}": rng.integers(0, 16, n) for i in range(d)}
    table = as_table(columns, roles={"quasi": list(columns)})
    widths = {key: {"widths": [4, 8] if place < 4 else [4]} for place, key in enumerate(columns)}
    return with_hierarchies(table, widths)


def run_wide() -> Iterator[Row]:
    """Lattices of many columns: proven, or the gap after half a minute."""
    for d in (10, 13, 15):
        table = made_up(20_000, d, 1)
        start = time.process_time()
        found = find_recoding(table, k=5, suppression=0.05, seconds=30)
        facts = {
            "nodes": (found.nodes,),
            "proven": (found.proven,),
            "gap": (found.gap,),
            "processor seconds": (time.process_time() - start, "", "", "10" if d == 10 else ""),
        }
        yield from rows(f"global {d} nearly unique columns", "made up", table, facts)


def run_large() -> Iterator[Row]:
    """A million records, eight columns, local recoding, memory of the process."""
    rng = np.random.default_rng(1)
    columns = {f"c{i}": rng.integers(0, 16, 1_000_000) for i in range(8)}
    table = as_table(columns, roles={"quasi": list(columns)})
    table = with_hierarchies(table, {key: {"widths": [2, 4, 8]} for key in columns})
    find_recoding(made_up(1000, 8, 1), k=5, scheme="local")
    start = time.process_time()
    found = find_recoding(table, k=5, scheme="local")
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    facts = {
        "gcp": (found.value,),
        "processor seconds": (seconds, "", "", "60"),
        "gigabytes": (memory,),
    }
    yield from rows("local k=5", "made up", table, facts)


TASKS = {"global": run_global, "local": run_local, "wide": run_wide, "large": run_large}


def main(names: list[str]) -> None:
    wanted = names or list(TASKS)
    old = list(csv.DictReader(RESULTS.open())) if RESULTS.exists() else []
    found: dict[str, list[Row]] = {}
    for name, run in TASKS.items():
        if name in wanted:
            found[name] = [(name, *row) for row in run()]
        else:
            found[name] = [tuple(row.values()) for row in old if row["group"] == name]
        for row in found[name]:
            print(*row, sep="\t", flush=True)
    with RESULTS.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("group", *FIELDS))
        writer.writerows(row for name in TASKS for row in found[name])


if __name__ == "__main__":
    main(sys.argv[1:])
