"""A budget of seconds where nothing is compiled yet: another process compiles, this one watches the clock."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache

from shoal.partition._anneal.parallel import PART

LARGE = 2 * PART  # records: a larger file is searched in parts, by code of its own
TREE = 1_500  # records: MDAV needs compiled code for more
POLL = 0.05  # seconds between two looks
COMPILE = f"""
import numpy as np
from shoal.partition import best
X = np.random.default_rng(0).normal(size=({LARGE}, 3))
best(X[:60], 3, iterations=1, rng=0)
best(X[:60], 3, iterations=1, certify=True, rng=0)
best(X, 3, iterations=1, rng=0)
"""


def compiled_in_time(end: float, n: int, *, proof: bool) -> bool:
    """Is the code that searches n records (or proves a bound) compiled when `time.monotonic` shows `end`?

    If not, it will be later: the other process goes on. True also if no other process can do it.
    """
    while not _compiled(n, proof):
        try:
            if _compiler().poll() is not None:
                return True
        except OSError:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(POLL)
    return True


def _compiled(n: int, proof: bool) -> bool:
    """Is the code that is compiled last on disk?"""
    from shoal._kernels.bound.broken_triples import broken_threes
    from shoal._kernels.bound.price_groups import price
    from shoal._kernels.groups.descend import linked_distances
    from shoal._kernels.groups.simmer import simmer
    from shoal._kernels.jit import kept
    from shoal._kernels.mdav.mdav_tree import _tree_rounds

    needed = (
        (simmer, not proof),
        (price, proof),
        (broken_threes, proof),
        (_tree_rounds, n >= TREE),
        (linked_distances, n >= LARGE),
    )
    return all(kept(kernel) for kernel, wanted in needed if wanted)


@cache
def _compiler() -> subprocess.Popen[bytes]:
    """One process, however often it is asked for."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", COMPILE], stdin=quiet, stdout=quiet, stderr=quiet)
