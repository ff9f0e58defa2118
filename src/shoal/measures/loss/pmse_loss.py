"""pMSE loss: can a model tell masked records from original ones?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.encode.categories import Codes, categorise
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures._shared.logistic_fit import Design, fitted_error
from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import column_covers
from shoal.measures.compared_columns import compared_columns
from shoal.measures.numeric_pair import numeric_pair
from shoal.measures.released_numbers import drawn_codes
from shoal.table import Table
from shoal.types import Matrix, RandomState

MOST_FEATURES = 3_000  # a regression of more would take minutes and gigabytes
LARGEST = 50_000  # records; of a larger file this many are fitted: 100 features gain 0.03 by chance
STORED = 60_000_000  # cells of numbers and their products, half a gigabyte
DRAWS = 5  # values in place of each label; their mean varies by less than the first decimal shown


@takes_frames
def pmse_loss(
    original: Table,
    masked: Table,
    *,
    order: int = 2,
    columns: Iterable[str] | None = None,
    rng: RandomState = 0,
) -> float:
    """How well a logistic regression tells masked from original records, in percent of perfection.

    Parameters
    ----------
    original, masked
        The two files; rows need not correspond.
    order
        1: the columns themselves; 2 (default): also squares and products of numeric columns, without which
        microaggregation, which keeps means, would look lossless.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
    rng
        Seed or generator for the draws and the sample; the same figure every time if not given.

    Returns
    -------
    float
        0 (no difference to be seen) to 100 (every record recognised).

    Notes
    -----
    100 * mean of (p - 1/2)^2 / (1/4), p the fitted probability that a record is a masked one. Every category
    has an indicator. A missing number counts as the mean and has an indicator "missing". Intervals of numbers
    count as their middle; labels and sets of categories as a value drawn from their cover, the mean of
    five draws. With few records per feature a model sees differences that are chance. Of more than 50,000
    records a random sample is fitted. Time O(n d^2 + p^3) per Newton step, p features; memory O(p^2 + d n).

    References
    ----------
    Woo, Reiter, Oganian, Karr: Global measures of data utility for microdata masked for disclosure
    limitation, Journal of Privacy and Confidentiality 1 (2009).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"a": [1.0, 2.0, 3.0]})
    >>> pmse_loss(table, table)
    0.0
    """
    if order not in (1, 2):
        raise InvalidInput(f"`order` must be 1 or 2, got {order!r}.")
    names = compared_columns(original, masked, columns)
    rng = np.random.default_rng(rng)
    numbers = _numbers(original, masked, [n for n in names if original.attribute(n).kind == "numeric"])
    dense = numbers.shape[1] * (2 + (numbers.shape[1] + 1) / 2 * (order == 2))
    rows = _sample(len(original), int(min(LARGEST, STORED / 2 / max(dense, 1))), rng)
    others = [n for n in names if original.attribute(n).kind != "numeric"]
    coded = [_codes(original, masked, n, rows, rng) for n in others]
    sizes = [size for _, size in coded]
    width = int(dense) + sum(sizes)
    if width > MOST_FEATURES:
        raise NotApplicable(
            f"The columns make {width} features, more than the {MOST_FEATURES} one can fit; name fewer."
        )
    labels = np.repeat([0.0, 1.0], len(rows) // 2)
    features = _features(numbers[rows], order)
    errors = []
    for draw in range(max((len(drawn) for drawn, _ in coded), default=1)):
        codes = [drawn[min(draw, len(drawn) - 1)] for drawn, _ in coded]
        errors.append(fitted_error(Design(features, codes, sizes), labels))
    return 100.0 * float(np.mean(errors)) / 0.25


def _sample(n: int, most: int, rng: np.random.Generator) -> Codes:
    """Positions among the original's records, then among the masked ones that follow them."""
    if n <= most:
        return np.arange(2 * n)
    return np.concatenate([np.sort(rng.choice(n, most, replace=False)) + start for start in (0, n)])


def _codes(
    original: Table, masked: Table, name: str, rows: Codes, rng: np.random.Generator
) -> tuple[list[Codes], int]:
    """Codes of the sampled original, then masked records, 0 if missing; several draws for labels."""
    kept, hidden = rows[: len(rows) // 2], rows[len(rows) // 2 :] - len(original)
    before, after, categories = code_pair(original, masked, name)
    if len(categories) > len(categorise(original, name)[1]):
        column = column_covers(original, masked, name)
        if column.generalised:
            drawn = [drawn_codes(column, rng, hidden) for _ in range(DRAWS)]
            draws = [np.concatenate([column.before[kept], codes]) + 1 for codes in drawn]
            return draws, len(column.covers.domain.values) + 2
    return [np.concatenate([before[kept], after[hidden]]) + 1], len(categories) + 1


def _numbers(original: Table, masked: Table, names: list[str]) -> Matrix:
    """Numeric columns of both files, one below the other, in the original's standard deviations."""
    if not names:
        return np.zeros((2 * len(original), 0))
    try:
        pair = numeric_pair(original, masked, names)
    except NotApplicable:  # nothing observed in any numeric column
        return np.zeros((2 * len(original), 0))
    return np.vstack([pair.X, pair.Y])


def _features(numbers: Matrix, order: int) -> Matrix:
    """Numbers, whether they are missing, and their products."""
    gone = np.isnan(numbers)
    numbers = np.where(gone, 0.0, numbers)
    i, j = np.triu_indices(numbers.shape[1])
    products = [numbers[:, i] * numbers[:, j]] if order == 2 else []
    return np.hstack([numbers, gone.astype(np.float64), *products])
