"""Files larger than memory: seconds, processor seconds, peak memory of all processes, loss. Writes scale.csv.

python benchmarks/speed/scale.py JOB ENGINE RECORDS [MEMORY] [FOLDER]

JOB is mask (microaggregation, k = 5, ten columns), check (k of four columns; from 100 million records on the
files hold only these) or whole (blockwise in memory, for its loss). A line of the same job, engine, number
of records and memory takes the place of the old one.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import psutil

RESULTS = Path(__file__).with_suffix(".csv")
KEYS = [f"x{i}" for i in range(10)]
COUNTED = ["region", "age", "sex", "job"]
ONLY_COUNTED = 100_000_000  # records from which on a file to count holds nothing else
PART = 1_000_000  # records of a file
K = 5


def write_people(folder: Path, records: int, only: list[str] | None = None) -> None:
    """Correlated normals, two skewed columns, two of whole numbers; and four categories to count."""
    folder.mkdir(parents=True, exist_ok=True)
    mixing = np.random.default_rng(1).normal(size=(10, 10)) / 3 + np.eye(10)
    for part in range(-(-records // PART)):
        path = folder / f"part-{part:05d}.parquet"
        if path.exists():
            continue
        rng = np.random.default_rng([2, part])
        n = min(PART, records - part * PART)
        X = rng.normal(size=(n, 10)) @ mixing
        X[:, 6:8] = np.exp(X[:, 6:8] / 2)
        columns = {name: X[:, i] for i, name in enumerate(KEYS)}
        columns |= {name: np.rint(X[:, i] * 20).astype(np.int32) for i, name in ((8, "x8"), (9, "x9"))}
        columns |= {
            "region": rng.integers(0, 400, n, dtype=np.int32),
            "age": rng.integers(0, 100, n, dtype=np.int32),
        }
        columns |= {
            "sex": rng.integers(0, 2, n, dtype=np.int8),
            "job": rng.zipf(1.6, n).clip(max=300).astype(np.int32),
        }
        pl.DataFrame(columns).select(only or pl.all()).write_parquet(path)


def job(kind: str, engine: str, folder: Path, memory: str) -> dict[str, float]:
    """Done in a process of its own, which its parent watches."""
    import shoal

    warnings.simplefilter("ignore")
    if kind == "check":
        start = time.perf_counter()
        verdict = shoal.check_files(
            folder,
            promise=shoal.Promise(k=2),
            roles={"quasi": COUNTED},
            engine=engine,
            memory=memory,
        )
        return {"seconds": time.perf_counter() - start, "classes": verdict.classes}
    if kind == "whole":
        from functools import partial

        from shoal.partition import blockwise, local_search

        frame = pl.read_parquet(folder).select(KEYS)
        table = shoal.as_table(frame, roles={"quasi": KEYS})
        start = time.perf_counter()
        done = shoal.microaggregate(table, k=K, partition=partial(blockwise, partition=local_search)).frame
        kept = [done[n].cast(pl.Float64).var() / frame[n].cast(pl.Float64).var() for n in KEYS]
        return {"seconds": time.perf_counter() - start, "loss": 100 - 100 * float(np.mean(kept))}
    recipe = shoal.Recipe("scale", {"quasi": KEYS}, [{"method": "microaggregate", "k": K}])
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=folder.parent) as out:
        done = shoal.mask_files(folder, recipe, Path(out) / "out", engine=engine, memory=memory, rng=1)
    lost = [column.variance_lost for column in done.columns if column.name in KEYS]
    return {"seconds": time.perf_counter() - start, "loss": float(np.mean(lost))}


def watched(arguments: list[str]) -> dict[str, float]:
    """Run this file again: the largest sum of its processes' memory, and their processor seconds."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--job", *arguments], stdout=subprocess.PIPE, text=True
    )
    peak, spent, over = 0, {}, threading.Event()

    def look() -> None:
        nonlocal peak
        while not over.wait(0.2):
            together = 0
            try:
                family = [p := psutil.Process(process.pid), *p.children(recursive=True)]
            except psutil.Error:
                continue
            for one in family:
                try:
                    together += one.memory_full_info().pss
                    times = one.cpu_times()
                    spent[one.pid] = times.user + times.system
                except psutil.Error:
                    continue
            peak = max(peak, together)

    watcher = threading.Thread(target=look)
    watcher.start()
    text = process.communicate()[0]
    over.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(process.returncode)
    figures = json.loads(text.splitlines()[-1])
    return figures | {"cpu_seconds": sum(spent.values()), "peak_mb": peak / 1e6}


def main() -> None:
    kind, engine, records = sys.argv[1], sys.argv[2], int(sys.argv[3])
    memory = sys.argv[4] if len(sys.argv) > 4 else "4GB"
    only = COUNTED if kind == "check" and records >= ONLY_COUNTED else None
    name = f"shoal-scale-{records}{'-counted' if only else ''}"
    place = Path(sys.argv[5] if len(sys.argv) > 5 else tempfile.gettempdir()) / name
    write_people(place, records, only)
    size = sum(p.stat().st_size for p in place.iterdir()) / 1e6
    figures = watched([kind, engine, str(place), memory])
    line = {"job": kind, "engine": engine, "records": records, "columns": 4 if kind == "check" else 10}
    line |= {"memory": memory if kind != "whole" else "", "source_mb": round(size)}
    line |= {name: round(figures[name]) for name in ("seconds", "cpu_seconds", "peak_mb")}
    line |= {"us_a_record": round(figures["cpu_seconds"] / records * 1e6, 2)}
    line |= {
        "loss": round(figures["loss"], 4) if "loss" in figures else None,
        "classes": figures.get("classes"),
    }
    table = pl.DataFrame([line], infer_schema_length=None).cast({"loss": pl.Float64, "classes": pl.Int64})
    if RESULTS.exists():
        old = pl.read_csv(RESULTS, schema=table.schema)
        keys = ("job", "engine", "records", "memory")
        same = pl.all_horizontal(pl.col(name).eq_missing(pl.lit(line[name] or None)) for name in keys)
        table = pl.concat([old.filter(~same), table])
    table.sort("job", "engine", "records", "memory").write_csv(RESULTS)
    print(line, os.getloadavg())


if __name__ == "__main__":
    if sys.argv[1] == "--job":
        print(json.dumps(job(sys.argv[2], sys.argv[3], Path(sys.argv[4]), sys.argv[5])))
    else:
        main()
