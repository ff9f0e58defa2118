"""What an intruder of the panel gets to see, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encode.look_alikes import code_matrix
from shoal.measures.column_covers import ColumnCovers, column_covers
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Labels, Matrix

WORST = 10  # records of the worst case that are kept


@dataclass(frozen=True, eq=False)
class Scene:
    """The two files, rows in the same order, and what else there is.

    Parameters
    ----------
    original, masked
        The file of persons, and what was released of it.
    keys, confidential
        The columns an intruder knows, and those nobody should learn.
    other
        Another release of the same persons, such as last year's; rows in the same order.
    written
        The released file as it was written, in its own order.
    matrices
        The published PRAM matrices by column: a mapping of rows, original category to released category to
        probability.
    rng
        Where all chance comes from.
    """

    original: Table
    masked: Table
    keys: tuple[str, ...]
    confidential: tuple[str, ...] = ()
    other: Table | None = None
    written: Table | None = None
    matrices: Mapping[str, Any] = field(default_factory=dict)
    rng: np.random.Generator = field(default_factory=np.random.default_rng)

    def __len__(self) -> int:
        return len(self.original)

    @cached_property
    def covers(self) -> dict[str, ColumnCovers]:
        """What the released cells of the keys cover."""
        return {name: column_covers(self.original, self.masked, name) for name in self.keys}

    @property
    def covering(self) -> list[str]:
        """The keys that were not perturbed: their cells cover the value."""
        return [name for name in self.keys if not self.covers[name].perturbed]

    @cached_property
    def classes(self) -> Labels:
        """The class of every released record: equal keys."""
        return row_classes(code_matrix(self.masked, list(self.keys)))

    @cached_property
    def coin(self) -> float:
        """How often somebody who links by chance is right: in the class of the person if nobody is alone."""
        sizes = np.bincount(self.classes)
        return float(len(sizes) / len(self)) if sizes.min() > 1 else 1.0 / len(self)


@dataclass(frozen=True, eq=False)
class Finding:
    """What one intruder found.

    `success` and `baseline` are shares of `trials` guesses that are right (of the intruder; of a coin that
    knows the same); `error` is the standard error of their difference; `worst` says the worst case in words
    and `records` are its row positions, at most ten. `guesses` says what a guess is, as in "records linked",
    and `against` whose success the baseline is.
    """

    intruder: str
    title: str
    knows: str
    guesses: str
    success: float
    baseline: float
    error: float
    trials: int
    worst: str
    records: tuple[int, ...] = ()
    against: str = "a coin"

    @property
    def excess(self) -> float:
        """How much more often than the coin the intruder is right."""
        return self.success - self.baseline

    @property
    def found(self) -> bool:
        """Whether that is more than three standard errors above the coin."""
        return self.excess > 3 * self.error + 1e-9

    @property
    def sentence(self) -> str:
        """What it found, in words."""
        said = f"{self.title}: {100 * self.success:.1f} of 100 {self.guesses}"
        coin = f"{self.against} {100 * self.baseline:.1f}"
        verdict = "more than chance" if self.found else "not more than chance"
        return f"{said}, {coin}: {verdict}."

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and text; row positions, never values."""
        return {
            "intruder": self.intruder,
            "title": self.title,
            "knows": self.knows,
            "success": self.success,
            "baseline": self.baseline,
            "against": self.against,
            "standard_error": self.error,
            "trials": self.trials,
            "found": self.found,
            "worst": self.worst,
            "records": list(self.records),
        }


Intruder = Callable[[Scene], Finding]


def standard_error(chances: Matrix | NDArray[np.bool_], baseline: float) -> float:
    """Of a mean of chances, but never below that of as many throws of the coin.

    >>> round(standard_error(np.array([1.0, 1.0, 1.0, 1.0]), 0.5), 2)
    0.25
    """
    n = max(len(chances), 1)
    spread = float(np.std(chances)) if len(chances) else 0.0
    return max(spread, float(np.sqrt(baseline * (1 - baseline)))) / float(np.sqrt(n))


def most_exposed(chances: Matrix | NDArray[np.bool_], rows: Labels | None = None) -> tuple[int, ...]:
    """The positions of the records with the best chances, best first.

    >>> most_exposed(np.array([0.1, 0.9, 0.0, 0.5]))
    (1, 3, 0)
    """
    found = np.asarray(chances, dtype=np.float64)
    best = np.argsort(-found, kind="stable")[:WORST]
    best = best[found[best] > 0]
    return tuple(int(row) for row in (best if rows is None else rows[best]))
