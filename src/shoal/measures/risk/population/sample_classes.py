"""What the population models see of a sample: how many classes there are of every size, and its fraction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.encode.sampling_weights import sampling_weights
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.risk.k_anonymity import equivalence_classes
from shoal.table import Table
from shoal.types import Matrix


@dataclass(frozen=True)
class SampleClasses:
    """Classes of look-alikes in a sample: `counts[i]` of them have `sizes[i]` records."""

    sizes: NDArray[np.intp]
    counts: NDArray[np.intp]
    fraction: float

    @property
    def records(self) -> int:
        """Records in the sample."""
        return int(self.sizes @ self.counts)

    @property
    def classes(self) -> int:
        """Different classes in the sample."""
        return int(self.counts.sum())

    @property
    def population(self) -> float:
        """People in the population, as the fraction tells."""
        return self.records / self.fraction

    def of_size(self, size: int) -> int:
        """How many classes have so many records."""
        return int(self.counts[self.sizes == size].sum())


def sample_classes(table: Table, fraction: float | None, columns: Iterable[str] | None) -> SampleClasses:
    """The class sizes of a table, and its sampling fraction.

    >>> from shoal import as_table
    >>> found = sample_classes(as_table({"age": [30, 30, 40]}, roles={"quasi": "age"}), 0.1, None)
    >>> found.sizes.tolist(), found.counts.tolist(), found.classes
    ([1, 2], [1, 1], 2)
    """
    share = sampling_fraction(table, fraction)
    per_class = np.bincount(equivalence_classes(table, columns=intruder_columns(table, table, columns)))
    sizes, counts = np.unique(per_class, return_counts=True)
    return SampleClasses(sizes, counts, share)


def sampling_fraction(table: Table, fraction: float | None) -> float:
    """The fraction given, else records / sum of the sampling weights.

    >>> from shoal import as_table
    >>> sampling_fraction(as_table({"w": [10.0, 30.0]}, roles={"weight": "w"}), None)
    0.05
    """
    if not len(table):
        raise NotApplicable("The file has no records.")
    if fraction is None:
        weights = sampling_weights(table)
        if weights is None:
            raise InvalidInput(
                "The sampling fraction is not known; give `fraction`, e.g. 0.01 for a sample of 1 %, or the "
                "column of sampling weights the role weight."
            )
        return min(len(table) / float(weights.sum()), 1.0)
    share = check_number("fraction", fraction, 0, 1)
    if share == 0:
        raise InvalidInput("`fraction` must be above 0, got 0; a sample of 1 % is 0.01.")
    return share


def as_share(uniques: float, sample: SampleClasses) -> float:
    """An estimate kept where it can be: at least 0, at most the records that are alone in the sample."""
    return float(np.clip(uniques, 0.0, sample.of_size(1)))


def falling_powers(base: float, sizes: NDArray[np.intp]) -> Matrix:
    """base ** size for every size, as floats that may become 0 but never fail."""
    return np.asarray(base ** sizes.astype(np.float64), dtype=np.float64)
