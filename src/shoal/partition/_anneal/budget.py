"""A budget of seconds that was not kept, or was too short to begin, is told."""

from __future__ import annotations

import time
import warnings

from shoal.errors import TimeWarning

SHARE, LEAST = 0.1, 0.5  # of the budget, and seconds: less is not worth a word


def warn_if_late(name: str, begin: float, seconds: float) -> None:
    """Say that the work took longer than it should, if it did; `begin` as `time.monotonic` showed it.

    >>> warn_if_late("best", time.monotonic(), 1.0)
    """
    took = time.monotonic() - begin
    if took > seconds + max(SHARE * seconds, LEAST):
        warnings.warn(
            f"{name} took {took:.1f} seconds instead of {seconds:g}: the first call compiles, which "
            "`shoal warmup` does ahead, and a large file takes longer before any search begins.",
            TimeWarning,
            stacklevel=3,
        )


def warn_not_compiled(name: str, work: str, result: str) -> None:
    """Say that there was no time for the work itself, and what is returned instead."""
    warnings.warn(
        f"{name} had no time to {work}: it is compiled on this machine for the first time, and that goes on "
        f"for up to a minute in another process; this result is {result}. Call again then, or give more "
        "seconds (`shoal warmup` compiles ahead).",
        TimeWarning,
        stacklevel=3,
    )


def warn_no_search(name: str) -> None:
    """Say that a large file left no time for the search itself."""
    warnings.warn(
        f"{name} had no time to search: making the first groups of so large a file took it all; these are "
        "returned. Give more seconds.",
        TimeWarning,
        stacklevel=3,
    )


def warn_not_reached(name: str, share: float) -> None:
    """Say that the time was enough for a share of the records only."""
    warnings.warn(
        f"{name} had time for {100 * share:.0f} % of the records, the others count as free: the bound holds, "
        "but more seconds raise it.",
        TimeWarning,
        stacklevel=3,
    )
