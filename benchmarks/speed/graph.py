"""How long a network takes to protect, and how much memory, as it grows; and what blocks cost.

Run `python benchmarks/speed/graph.py` (three minutes). Results go to graph.csv beside this script. Every size
runs in a process of its own, compiled before the clock starts; seconds are those of the processor (both cores
added up), memory is the
peak of the process. `blocks` compares groups made in blocks with MDAV-generic in one piece: sum of squared
semantic distances to the group's mean, as a ratio.
"""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

from shoal.graph import evaluate_graph, group_users, make_social, protect_graph, structure_losses
from shoal.graph.geometry import user_vectors
from shoal.partition import sse

RESULTS = Path(__file__).with_name("graph.csv")
FIELDS = ("task", "users", "connections", "processor seconds", "peak MB", "ratio")
SIZES = (12_500, 25_000, 50_000, 100_000)


def timed(task: str, users: int) -> tuple[object, ...]:
    """One task on one network, with the peak memory of this process."""
    warnings.simplefilter("ignore")
    small = make_social(12_000, rng=0).graph()
    other = protect_graph(small, k=5, degrees=True, rng=0)
    evaluate_graph(small, other)
    structure_losses(small, other)
    start = time.process_time()
    graph = make_social(users, rng=1).graph()
    if task != "make and build":
        start = time.process_time()
        masked = protect_graph(graph, k=5, degrees=task == "protect k=5 with degrees", rng=1)
        if task in ("evaluate", "structure"):
            start = time.process_time()
            (evaluate_graph if task == "evaluate" else structure_losses)(graph, masked)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return task, users, len(graph.edges), f"{seconds:.1f}", f"{peak:.0f}", ""


def blocks() -> list[tuple[object, ...]]:
    rows = []
    for users in (3000, 10_000):
        graph = make_social(users, rng=1).graph()
        X = user_vectors([graph], ["location", "topics"])[0].toarray()
        whole = sse(X, group_users(graph, k=5, block_size=users))
        for size in (users // 2, users // 10):
            ratio = sse(X, group_users(graph, k=5, block_size=size)) / whole
            rows.append((f"blocks of {size}", users, len(graph.edges), "", "", f"{ratio:.3f}"))
    return rows


def main() -> None:
    tasks = [("protect k=5", users) for users in SIZES]
    tasks += [("evaluate", users) for users in SIZES]
    tasks += [(task, SIZES[-1]) for task in ("protect k=5 with degrees", "make and build", "structure")]
    rows: list[tuple[object, ...]] = []
    for task, users in tasks:
        call = [sys.executable, __file__, task, str(users)]
        done = subprocess.run(call, capture_output=True, text=True, check=True)
        rows.append(tuple(done.stdout.strip().split(",")))
        print(*rows[-1], sep="  ", flush=True)
    rows += blocks()
    with RESULTS.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([FIELDS, *rows])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(*timed(sys.argv[1], int(sys.argv[2])), sep=",")
    else:
        main()
