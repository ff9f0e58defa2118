"""How long a partitioner will take on a file, seen on samples of it."""

from __future__ import annotations

import inspect
import time
from typing import Any

import numpy as np

from shoal.errors import ShoalError
from shoal.types import Matrix, Partitioner

FIRST_RECORDS = 32  # records of the first sample on which a method is timed; no measurement on record
SECOND = 1.0  # seconds: what a call costs in any case is less
FIXED = 10  # times the first sample: a shorter one may be mostly what a call costs in any case


def foresee(partition: Partitioner, X: Matrix, k: int, limit: float) -> float:
    """Seconds the whole file would take, if more than the limit (inf: unknown); 0 if it seems to fit.

    A method with an option `seconds` takes as long as it is told.

    Samples double in size; how time grows is seen on the last three. A method fits if it does even where time
    grows with the cube of the records, with their square once growth has been measured, or as measured once a
    sample is a quarter of the file or takes a second, which no fixed cost does. It does not fit if three
    samples say so, the last of them a hundredth of the limit long.
    """
    n, size = len(X), max(FIRST_RECORDS, 4 * k)
    if "seconds" in inspect.signature(partition).parameters:  # it stops when it is told to
        return float(getattr(partition, "keywords", {}).get("seconds", 0.0))
    if size >= n or _time(partition, X, k, 2 * k) is None:  # the first call may compile
        return 0.0
    seen: list[tuple[int, float]] = []
    while size < n:
        took = _time(partition, X, k, size)
        if took is None:
            return 0.0
        seen.append((size, took))
        growth = _growth(*seen[-3:][0], *seen[-1]) if len(seen) > 1 else 3.0
        # too short to tell: what a call costs in any case hides how time grows
        hidden = took < limit / 1000 or took < min(FIXED * seen[0][1], SECOND)
        trusted = len(seen) > 1 and (4 * size >= n or took > SECOND)
        at_most = max(growth, 3.0) if hidden else growth if trusted else max(growth, 2.0)
        if took * (n / size) ** at_most <= limit:
            return 0.0
        expected = float(took * (n / size) ** growth)
        if len(seen) > 2 and took > limit / 100 and expected > limit:
            return expected
        if took * 2**growth > limit:  # the next sample may take as long as the whole file should
            return float("inf")
        size *= 2
    return 0.0


def _growth(size: int, took: float, larger: int, longer: float) -> float:
    """The power of the size that time follows, between 1 and 3."""
    return float(np.clip(np.log(longer / took) / np.log(larger / size), 1, 3))


def _time(partition: Partitioner, X: Matrix, k: int, size: int) -> float | None:
    """Seconds for evenly spaced records; None if the method refuses them."""
    sample = X[np.linspace(0, len(X) - 1, size).astype(np.intp)]
    options: dict[str, Any] = {}
    if "rng" in inspect.signature(partition).parameters:
        options["rng"] = np.random.default_rng(0)  # a generator frozen in it must not advance
    start = time.perf_counter()
    try:
        partition(sample, k, **options)
    except (ShoalError, MemoryError):
        return None
    return max(time.perf_counter() - start, 1e-6)
