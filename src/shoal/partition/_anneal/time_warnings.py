"""A budget of seconds that was not kept, or was too short to begin, is told."""

from __future__ import annotations

import time
import warnings

from shoal.errors import TimeWarning

LATE_SHARE, LATE_SECONDS = 0.1, 0.5  # of the budget, and seconds: less is not worth a word
COMPILE_SECONDS = 2.0  # seconds: loading code that was compiled before takes one


def warn_if_late(name: str, begin: float, seconds: float) -> None:
    """Say that the work took longer than it should, if it did; `begin` as `time.monotonic` showed it.

    >>> warn_if_late("best", time.monotonic(), 1.0)
    """
    took = time.monotonic() - begin
    if took > seconds + max(LATE_SHARE * seconds, LATE_SECONDS):
        warnings.warn(
            f"{name} took {took:.1f} seconds instead of {seconds:g}: a large file takes longer before "
            "any search begins.",
            TimeWarning,
            stacklevel=3,
        )


def warn_if_compiled(name: str, took: float, seconds: float) -> None:
    """Say that compiling came before the time given, if it took long.

    >>> warn_if_compiled("best", 0.4, 60.0)
    """
    if took > max(LATE_SHARE * seconds, COMPILE_SECONDS):
        warnings.warn(
            f"{name} compiled for {took:.1f} seconds before its {seconds:g} seconds began: that happens once "
            "on a machine, and `shoal warmup` does it ahead.",
            TimeWarning,
            stacklevel=4,
        )


def warn_no_search(name: str) -> None:
    """Say that there was no time for the search itself."""
    warnings.warn(
        f"{name} had no time to search: making the first groups took it all; these are returned. Give more "
        "seconds.",
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
