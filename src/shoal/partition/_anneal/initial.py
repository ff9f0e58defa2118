"""The groups a search by the clock begins with, or returns if there is no time for more."""

from __future__ import annotations

import time
from functools import partial
from math import inf

from shoal.partition._shared.start_labels import Start, start_labels
from shoal.partition.blockwise import blockwise
from shoal.partition.local_search import local_search
from shoal.types import Callback, Labels, MapLike, Matrix

WHOLE = 100_000  # records: more are begun in blocks
BLOCK, LARGE_BLOCK = 10_000, 50_000  # records: MDAV makes better groups of large blocks
SEARCHING = 1.2e-5  # seconds per number in the file and 1/k, for a local search of the whole


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


def _until(end: float) -> Callback:
    return lambda _: time.monotonic() > end
