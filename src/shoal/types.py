"""The shapes everything in shoal has, as type aliases, `Progress`, and how a caller hands on what it has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from shoal.table import Table

T = TypeVar("T")

Matrix: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.intp]
Kind: TypeAlias = Literal["numeric", "ordinal", "nominal"]
Role: TypeAlias = Literal["identifier", "quasi", "confidential", "other"]

Partitioner: TypeAlias = Callable[[Matrix, int], Labels]
Masker: TypeAlias = Callable[["Table"], "Table"]
Measure: TypeAlias = Callable[["Table", "Table"], float]
Computed: TypeAlias = T | Callable[["Table"], T]
MapLike: TypeAlias = Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]
RandomState: TypeAlias = int | np.random.Generator | None


@dataclass(frozen=True)
class Progress:
    """How far a long computation is: a fraction from 0 to 1, a message and the best result so far.

    >>> Progress(0.5, "group 100 of 200").fraction
    0.5
    """

    fraction: float
    message: str = ""
    best: Any = None


Callback: TypeAlias = Callable[[Progress], bool | None]


def part_of(callback: Callback | None, position: int, count: int) -> Callback | None:
    """A callback for part `position` of `count` equal parts of a longer computation.

    >>> seen = []
    >>> part_of(seen.append, 1, 2)(Progress(0.5))
    >>> seen[0].fraction
    0.75
    """
    if callback is None:
        return None
    return lambda p: callback(Progress((position + p.fraction) / count, p.message, p.best))


def offer(method: Callable[..., T], **options: Any) -> Callable[..., T]:
    """The method with those of the options it has and that are not frozen in it already.

    >>> offer(lambda X, k, *, rng: (X, k, rng), rng=1, workers=map)("X", 2)
    ('X', 2, 1)
    """
    known, frozen = inspect.signature(method).parameters, getattr(method, "keywords", {})
    return partial(
        method, **{name: options[name] for name in options if name in known and name not in frozen}
    )
