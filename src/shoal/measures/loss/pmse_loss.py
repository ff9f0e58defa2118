"""pMSE loss: can a model tell masked records from original ones?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from shoal.encode.categories import Codes
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import comparable_columns
from shoal.measures.numeric_pair import numeric_pair
from shoal.table import Table
from shoal.types import Matrix

CHUNK = 50_000  # records whose features are in memory at a time
RIDGE = 1e-6  # per record: keeps coefficients finite where the two files can be told apart entirely
MOST_FEATURES = 3_000
STORED = 60_000_000  # cells; a larger matrix of features is made anew, chunk by chunk, in every step

Chunks = Callable[[], Iterator[tuple[slice, Matrix]]]


def pmse_loss(
    original: Table, masked: Table, *, order: int = 2, columns: Iterable[str] | None = None
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

    Returns
    -------
    float
        0 (no difference to be seen) to 100 (every record recognised).

    Notes
    -----
    100 * mean of (p - 1/2)^2 / (1/4), p the fitted probability that a record is a masked one. Every category
    has an indicator. A missing number counts as the mean and has an indicator "missing". With few records
    per feature a model sees differences that are chance. Time O(n p^2) per Newton step, p features;
    memory O(p^2 + d n).

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
    names = comparable_columns(original, masked, columns)
    numbers = _numbers(original, masked, [n for n in names if original.attribute(n).kind == "numeric"])
    codes = [code_pair(original, masked, n) for n in names if original.attribute(n).kind != "numeric"]
    blocks = [np.concatenate([a, b]) for a, b, _ in codes]
    sizes = [len(categories) for _, _, categories in codes]

    def features(start: int, stop: int) -> Matrix:
        return _features(numbers[start:stop], [block[start:stop] for block in blocks], sizes, order)

    labels = np.repeat([0.0, 1.0], len(original))
    return 100.0 * _fitted_error(_standardised(features, len(labels)), labels) / 0.25


def _numbers(original: Table, masked: Table, names: list[str]) -> Matrix:
    """Numeric columns of both files, one below the other, in the original's standard deviations."""
    if not names:
        return np.zeros((2 * len(original), 0))
    try:
        pair = numeric_pair(original, masked, names)
    except NotApplicable:  # nothing observed in any numeric column
        return np.zeros((2 * len(original), 0))
    return np.vstack([pair.X, pair.Y])


def _features(numbers: Matrix, blocks: list[Codes], sizes: list[int], order: int) -> Matrix:
    """Numbers, whether they are missing, their products, and every category (the first: missing)."""
    gone = np.isnan(numbers)
    numbers = np.where(gone, 0.0, numbers)
    parts = [numbers, gone.astype(np.float64)]
    if order == 2:
        i, j = np.triu_indices(numbers.shape[1])
        parts.append(numbers[:, i] * numbers[:, j])
    for block, size in zip(blocks, sizes, strict=True):
        indicators = np.zeros((len(block), size + 1))
        indicators[np.arange(len(block)), block + 1] = 1.0
        parts.append(indicators)
    return np.hstack(parts)


def _standardised(features: Callable[[int, int], Matrix], n: int) -> Chunks:
    """Chunks of features with mean 0 and deviation 1, an intercept first, those without spread left out."""
    bounds = [(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK)]
    width = features(0, 1).shape[1]
    if width > MOST_FEATURES:
        raise NotApplicable(
            f"The columns make {width} features, more than the {MOST_FEATURES} one can fit; name fewer."
        )
    mean = np.sum([features(*bound).sum(axis=0) for bound in bounds], axis=0) / n
    variance = np.sum([((features(*bound) - mean) ** 2).sum(axis=0) for bound in bounds], axis=0) / n
    kept = variance > 1e-18 * np.maximum(mean**2, 1e-6)
    if not kept.any():
        raise NotApplicable("No compared column varies, so there is nothing to tell records apart by.")
    sd = np.sqrt(variance[kept])

    def chunks() -> Iterator[tuple[slice, Matrix]]:
        for start, stop in bounds:
            F = np.ones((stop - start, len(sd) + 1))
            F[:, 1:] = (features(start, stop)[:, kept] - mean[kept]) / sd
            yield slice(start, stop), F

    stored = list(chunks()) if n * (len(sd) + 1) <= STORED else []
    return (lambda: iter(stored)) if stored else chunks


def _fitted_error(chunks: Chunks, labels: Matrix) -> float:
    """Newton's method with halved steps on the ridge-penalised likelihood; mean of (p - 1/2)^2 at the end."""
    width = next(chunks())[1].shape[1]
    beta, penalty = np.zeros(width), np.full(width, RIDGE * len(labels))
    penalty[0] = 0.0
    value, gradient, hessian, error = _likelihood(chunks, labels, beta, penalty)
    for _ in range(50):
        if np.abs(gradient).max() <= 1e-9 * len(labels):
            break
        step, size = np.linalg.solve(hessian, gradient), 1.0
        trial = _likelihood(chunks, labels, beta + step, penalty)
        while trial[0] < value and size > 1e-6:
            size /= 2
            trial = _likelihood(chunks, labels, beta + size * step, penalty)
        gain = trial[0] - value
        beta, (value, gradient, hessian, error) = beta + size * step, trial
        if gain <= 1e-12 * len(labels):
            break
    return error


def _likelihood(
    chunks: Chunks, labels: Matrix, beta: Matrix, penalty: Matrix
) -> tuple[float, Matrix, Matrix, float]:
    """Penalised log-likelihood, its gradient and negative Hessian, and the mean of (p - 1/2)^2."""
    value, error = -0.5 * float(penalty @ beta**2), 0.0
    gradient, hessian = -penalty * beta, np.diag(penalty) + 1e-12 * np.eye(len(beta))
    for rows, F in chunks():
        logit = F @ beta
        p = 1.0 / (1.0 + np.exp(-np.clip(logit, -500, 500)))
        y = labels[rows]
        value += float((y * logit - np.logaddexp(0.0, logit)).sum())
        gradient = gradient + F.T @ (y - p)
        weighted = F * np.sqrt(p * (1 - p))[:, None]
        hessian = hessian + weighted.T @ weighted
        error += float(((p - 0.5) ** 2).sum())
    return value, gradient, hessian, error / len(labels)
