"""Hierarchies of equally full intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from shoal._check import check_count
from shoal.errors import InvalidInput
from shoal.hierarchy.builders import hierarchy_from_cuts
from shoal.hierarchy.tree import Hierarchy


def hierarchy_from_quantiles(values: Iterable[Any], counts: Sequence[int]) -> Hierarchy:
    """A hierarchy of intervals that hold about as many records each.

    Parameters
    ----------
    values
        The numbers, as often as they occur; None and NaN are passed over.
    counts
        How many intervals every level has, finer levels first, each dividing the one before: ``[16, 8, 4]``.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InvalidInput
        If a value is no number, or the counts do not divide one another.

    Notes
    -----
    The cut points are values of the file: release none that few people have. Time O(n log n).

    Examples
    --------
    >>> hierarchy_from_quantiles([1, 2, 3, 4], [2]).paths
    (('1', '< 3', '*'), ('2', '< 3', '*'), ('3', '>= 3', '*'), ('4', '>= 3', '*'))
    """
    asked = [check_count("counts", count) for count in counts]
    if not asked or min(asked) < 2 or any(fine % wide or fine == wide for fine, wide in pairwise(asked)):
        raise InvalidInput("Every number of quantiles must divide the one before, e.g. 16,8,4.")
    try:
        numbers = [float(value) for value in values if value is not None and value == value]
    except (TypeError, ValueError):
        numbers = []
    if not numbers:
        raise InvalidInput("The column holds no numbers, so it has no quantiles; use prefixes or groups.")
    cuts = []
    for count in asked:
        points = np.quantile(numbers, np.arange(1, count) / count, method="higher")
        cuts.append(sorted(set(points.tolist()) - {min(numbers)}))
    if not cuts[-1]:
        raise InvalidInput("Too many records have the same value for that many intervals; ask for fewer.")
    return hierarchy_from_cuts(dict.fromkeys(numbers), [level for level in cuts if level])
