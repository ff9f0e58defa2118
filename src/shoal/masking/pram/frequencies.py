"""What PRAM did to the frequencies: expected, realised, and estimated back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.masking.pram.estimates import frequency_errors
from shoal.masking.pram.matrices import estimate_frequencies
from shoal.masking.pram.pram import Matrices, Transition, transitions
from shoal.table import Table
from shoal.types import Matrix


@dataclass(frozen=True)
class PramFrequencies:
    """Frequencies of the categories of one column (of one stratum, whose first record is at `row`).

    `original` are those before, `expected` those PRAM gives on average, `realised` those it gave, and
    `estimated` what an analyst who knows the matrix can say about `original`, give or take `errors`
    (standard errors).
    """

    column: str
    row: int
    categories: tuple[Any, ...]
    original: NDArray[np.intp]
    expected: Matrix
    realised: NDArray[np.intp]
    estimated: Matrix
    errors: Matrix


@takes_frames
def pram_frequencies(
    original: Table,
    masked: Table,
    *,
    matrices: Matrices,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> list[PramFrequencies]:
    """Frequencies before PRAM, expected, realised, and estimated from the released file.

    Parameters
    ----------
    original, masked
        The files before and after.
    matrices, strata, columns
        As they were given to `pram`.

    Returns
    -------
    list of PramFrequencies
        One per column and stratum.

    Notes
    -----
    Missing cells are not counted. `original` and `expected` are for the data owner only. Time O(n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> from shoal.masking.pram.pram import pram
    >>> table = as_table({"sex": ["f", "m", "m"]}, roles={"quasi": ["sex"]})
    >>> matrices = {"sex": [[0.75, 0.25], [0.25, 0.75]]}
    >>> found = pram_frequencies(table, pram(table, matrices=matrices, rng=1), matrices=matrices)
    >>> found[0].original.tolist(), found[0].expected.tolist()
    ([1, 2], [1.25, 1.75])
    """
    if len(original) != len(masked):
        raise InvalidInput(
            f"The files must have equally many records, got {len(original)} and {len(masked)}."
        )
    found = transitions(original, matrices=matrices, strata=strata, columns=columns)
    return [_compare(transition, masked) for transition in found if len(transition.categories)]


def _compare(transition: Transition, masked: Table) -> PramFrequencies:
    codes, categories = categorise(masked, transition.column)
    position = {category: code for code, category in enumerate(transition.categories)}
    counts = np.bincount(codes[transition.rows] + 1, minlength=len(categories) + 1)[1:]
    realised = np.zeros(len(position), dtype=np.intp)
    for category, count in zip(categories, counts, strict=True):
        if count and category not in position:
            raise InvalidInput(f"Column {transition.column!r} has a category that its matrix cannot produce.")
        if count:
            realised[position[category]] = count
    return PramFrequencies(
        transition.column,
        int(transition.rows[0]),
        transition.categories,
        transition.frequencies,
        transition.frequencies @ transition.matrix,
        realised,
        estimate_frequencies(realised, transition.matrix),
        frequency_errors(realised, transition.matrix),
    )
