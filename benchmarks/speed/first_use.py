"""What a newcomer waits for: the first command, the README example and `import`, with nothing compiled.

Run `python benchmarks/speed/first_use.py` (a minute; writes first_use.csv beside it). Processor seconds count
everything the process did, and on a quiet machine are what a newcomer waits; on a busy one only they compare.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from shoal.datasets import make_census
from shoal.io import write_table

HERE = Path(__file__).parent
README = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[0]
MAIN = "import sys; from shoal.cli import main; sys.argv = ['shoal', {!r}]; main()"
CALLS = {  # what, and the goal in seconds
    "shoal demo": (MAIN.format("demo"), 10.0),
    "README example": (EXAMPLE, 12.0),
    "import shoal": ("import shoal", 0.4),
    "shoal --help": (MAIN.format("--help"), 0.5),
}


def measure(script: str, cache: str) -> tuple[float, float]:
    """Processor seconds and seconds of one run in a folder with nothing but the demo's file."""
    with tempfile.TemporaryDirectory() as folder:
        if script == EXAMPLE:
            (Path(folder) / "demo").mkdir()
            write_table(make_census(1000, rng=1), Path(folder) / "demo" / "original.csv", identifiers=True)
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        if "PYTHONPATH" in environment:
            paths = environment["PYTHONPATH"].split(os.pathsep)
            environment["PYTHONPATH"] = os.pathsep.join(str(Path(path).resolve()) for path in paths)
        subprocess.run(
            [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.perf_counter() - begin


if __name__ == "__main__":
    rows = []
    for name, (script, goal) in CALLS.items():
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = measure(script, cache), measure(script, cache)
        figures = {"cold_cpu": cold[0], "cold": cold[1], "warm_cpu": warm[0], "warm": warm[1]}
        rows.append({"what": name, "goal": goal, **{key: round(value, 2) for key, value in figures.items()}})
        print(*rows[-1].values(), flush=True)
    pl.DataFrame(rows).write_csv(Path(__file__).with_suffix(".csv"))
