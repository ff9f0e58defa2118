"""The shapes everything in shoal has, as type aliases, and `Progress`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from shoal.table import Table

T = TypeVar("T")

Matrix: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.intp]
Kind: TypeAlias = Literal["numeric", "ordinal", "nominal"]
Order: TypeAlias = list[Any] | tuple[Any, ...]  # categories from lowest to highest; a text is none
Role: TypeAlias = Literal["identifier", "quasi", "confidential", "weight", "household", "stratum", "other"]

Partitioner: TypeAlias = Callable[[Matrix, int], Labels]
Masker: TypeAlias = Callable[["Table"], "Table"]
Measure: TypeAlias = Callable[["Table", "Table"], float]
Computed: TypeAlias = T | Callable[["Table"], T]
MapLike: TypeAlias = Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]
Workers: TypeAlias = int | MapLike  # an int: so many processes for the time of the call
RandomState: TypeAlias = int | np.random.Generator | None


@dataclass(frozen=True)
class Progress:
    """How far a long computation is: a fraction from 0 to 1, a message, the best result so far and its value.

    `value` is what is being minimised (a loss in percent, a score), as a number to plot or to stop at; None
    where nothing is.

    >>> Progress(0.5, "group 100 of 200").fraction
    0.5
    """

    fraction: float
    message: str = ""
    best: Any = None
    value: float | None = None


Callback: TypeAlias = Callable[[Progress], bool | None]
