"""How a caller hands on what it has: options a method knows, progress of a part, old spellings."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from shoal.types import Callback, Progress, T


def sub_progress(callback: Callback | None, position: int, count: int) -> Callback | None:
    """A callback for part `position` of `count` equal parts of a longer computation.

    >>> seen = []
    >>> sub_progress(seen.append, 1, 2)(Progress(0.5))
    >>> seen[0].fraction
    0.75
    """
    if callback is None:
        return None
    return lambda p: callback(Progress((position + p.fraction) / count, p.message, p.best))


def with_known_options(method: Callable[..., T], **options: Any) -> Callable[..., T]:
    """The method with those of the options it has and that are not frozen in it already.

    >>> with_known_options(lambda X, k, *, rng: (X, k, rng), rng=1, workers=map)("X", 2)
    ('X', 2, 1)
    """
    known, frozen = inspect.signature(method).parameters, getattr(method, "keywords", {})
    return partial(
        method, **{name: options[name] for name in options if name in known and name not in frozen}
    )


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    """Say that a spelling works for one release more.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     warn_renamed("utility=", "loss=")
    >>> print(heard[0].message)
    `utility=` is now called `loss=`; the old spelling goes with the next release.
    """
    warnings.warn(
        f"`{old}` is now called `{new}`; the old spelling goes with the next release.",
        FutureWarning,
        stacklevel=stacklevel,
    )
