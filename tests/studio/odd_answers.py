"""Answers of a worker that behaves badly."""

from __future__ import annotations

import os
import time

from shoal.errors import InvalidInput
from shoal.types import Progress


class Desk:
    """Counts what it was asked."""

    def __init__(self):
        self.asked = 0


def echo(desk, tell, *, value):
    desk.asked += 1
    return value, desk.asked


def polite(desk, tell):
    while not tell(Progress(0.5, "half")):
        time.sleep(0.01)
    return "too late to be wanted"


def deaf(desk, tell):
    time.sleep(60)


def crash(desk, tell):
    os._exit(9)


def refuse(desk, tell):
    raise InvalidInput("Column 'age' is wrong; mend it.")


def leak(desk, tell):
    raise KeyError("a value of the file")


def hungry(desk, tell):
    raise MemoryError


def greedy(desk, tell):
    """Ask for a terabyte under a limit of memory, as on a machine that has not got it."""
    import resource

    import numpy as np

    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, before[1]))
    try:
        return float(np.ones(2**37).sum())
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def threads(desk, tell):
    return os.environ.get("OPENBLAS_NUM_THREADS")


ANSWERS = (echo, threads, polite, deaf, crash, refuse, leak, hungry, greedy)
