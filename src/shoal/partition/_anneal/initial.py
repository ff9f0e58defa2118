"""The groups a search by the clock begins with, or returns if there is no time for more."""

from __future__ import annotations

import time
from functools import partial
from math import inf

from shoal.partition._shared.start_labels import Start, start_labels
from shoal.partition.blockwise import blockwise
from shoal.partition.local_search import local_search
from shoal.partition.mdav import mdav_by_numpy
from shoal.types import Callback, Labels, MapLike, Matrix

WHOLE = 100_000  # records: more are begun in blocks
BLOCK, LARGE_BLOCK = 10_000, 50_000  # records: MDAV makes better groups of large blocks
SEARCHING = 1.2e-5  # seconds per number in the file and 1/k, for a local search of the whole
BY_NUMPY = 6e7  # n^2 d / k that MDAV without compiled code does in a second
CUTTING = 3e-6  # seconds per record, to cut blocks and join them
LEAST = 2_000  # records of a block: hundreds of thousands of tiny ones would take longer
SHARE = 1 / 3  # of the time, for MDAV without compiled code


def first_groups(X: Matrix, k: int, start: Start, end: float = inf, workers: MapLike = map) -> Labels:
    """The groups of the start; of local search on a large file with MDAV in blocks, or without time for it
    those of blocks, if possible before `end`.

    >>> first_groups([[0.0], [5.0], [0.1], [5.1]], 2, local_search)
    array([0, 1, 0, 1])
    """
    if start is not local_search or len(X) <= WHOLE:
        return start_labels(X, k, start)
    blocks = partial(blockwise, workers=workers, callback=_until(end))
    if time.monotonic() + SEARCHING * X.size / k < end:
        return local_search(X, k, start=partial(blocks, block_size=max(LARGE_BLOCK, 2 * k), mend=False))
    return blocks(X, k, block_size=max(BLOCK, 2 * k))


def quick_groups(X: Matrix, k: int, seconds: float, end: float) -> Labels:
    """MDAV's groups without compiled code, of a large file in blocks, so that it takes a third of the time.

    Blocks not reached before `time.monotonic` shows `end` are halved until they are groups.

    >>> import numpy as np
    >>> quick_groups(np.array([[0.0], [5.0], [0.1], [5.1]]), 2, 1.0, inf)
    array([0, 1, 0, 1])
    """
    size = _block_size(X, k, seconds)
    until = _until(end - CUTTING * len(X))
    return blockwise(X, k, partition=mdav_by_numpy, block_size=size, mend=False, callback=until)


def quick_seconds(X: Matrix, k: int, seconds: float) -> float:
    """How long `quick_groups` takes, about.

    >>> import numpy as np
    >>> quick_seconds(np.zeros((100, 3)), 3, 1.0) < 0.01
    True
    """
    return X.size * _block_size(X, k, seconds) / k / BY_NUMPY + CUTTING * len(X)


def _block_size(X: Matrix, k: int, seconds: float) -> int:
    size = max(LEAST, int(SHARE * seconds * BY_NUMPY * k / X.size))
    return max(2 * k, min(len(X), size))


def _until(end: float) -> Callback:
    return lambda _: time.monotonic() > end
