"""How a caller hands on what it has: options a method knows, progress of a part, old spellings."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial, wraps
from typing import Any, TypeVar, cast

from shoal.errors import Stopped
from shoal.types import Callback, Progress, T

F = TypeVar("F", bound=Callable[..., Any])


def sub_progress(callback: Callback | None, position: int, count: int) -> Callback | None:
    """A callback for part `position` of `count` equal parts of a longer computation.

    >>> from shoal.types import Progress
    >>> seen = []
    >>> sub_progress(seen.append, 1, 2)(Progress(0.5))
    >>> seen[0].fraction
    0.75
    """
    if callback is None:
        return None
    return lambda p: callback(replace(p, fraction=(position + p.fraction) / count))


def reported(items: Iterable[T], callback: Callback | None, message: str = "") -> Iterator[T]:
    """The items, saying before each how far they are; where the callback asks to stop, `Stopped` is raised.

    For what has no result worth keeping before the last item.

    >>> seen = []
    >>> list(reported("ab", seen.append)), [progress.fraction for progress in seen]
    (['a', 'b'], [0.0, 0.5, 1.0])
    """
    waiting = list(items)
    for position, item in enumerate(waiting):
        report(callback, position / len(waiting), message)
        yield item
    report(callback, 1.0, message)


def report(callback: Callback | None, fraction: float, message: str = "") -> None:
    """Say how far the work is; where the callback asks to stop before the end, `Stopped` is raised.

    >>> report(lambda progress: True, 0.5)
    Traceback (most recent call last):
    ...
    shoal.errors.Stopped: Stopped as asked before there was a result; nothing was changed.
    """
    if callback is not None and callback(Progress(fraction, message)) is True and fraction < 1:
        raise Stopped


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


def renamed(**names: str) -> Callable[[F], F]:
    """Options that have a new name, old=new: the old spelling works for one release, with a warning.

    >>> import warnings
    >>> @renamed(missing="gaps")
    ... def count(*, gaps="category"):
    ...     return gaps
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     count(missing="wildcard")
    'wildcard'
    >>> print(heard[0].message)
    `missing=` is now called `gaps=`; the old spelling goes with the next release.
    """

    def decorate(function: F) -> F:
        @wraps(function)
        def called(*arguments: Any, **options: Any) -> Any:
            return function(*arguments, **with_new_names(called, options))

        called.old_names = names  # type: ignore[attr-defined]
        return cast(F, called)

    return decorate


def with_new_names(
    function: Callable[..., Any], options: Mapping[str, Any], stacklevel: int = 4
) -> dict[str, Any]:
    """The options under the names they have now; old ones are said, those unknown stay."""
    names: dict[str, str] = getattr(function, "old_names", {})
    for old in names.keys() & options.keys():
        warn_renamed(f"{old}=", f"{names[old]}=", stacklevel)
    return {names.get(name, name): value for name, value in options.items()}
