"""A ridge-penalised logistic regression on numbers and on categories, whose indicators are never made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal.encode.categories import Codes
from shoal.errors import NotApplicable
from shoal.types import Labels, Matrix

RIDGE = 1e-6  # per record: keeps coefficients finite where the two files can be told apart entirely


@dataclass(frozen=True, eq=False)
class Design:
    """Numbers side by side, and for every categorical column the code of each record, 0..size-1."""

    numbers: Matrix
    codes: Sequence[Codes]
    sizes: Sequence[int]

    @cached_property
    def offsets(self) -> Labels:
        """Where the features of every categorical column begin; the intercept is 0, numbers follow it."""
        return np.cumsum([1 + self.numbers.shape[1], *self.sizes], dtype=np.intp)

    @property
    def width(self) -> int:
        """The number of features with the intercept."""
        return int(self.offsets[-1])

    @cached_property
    def indicators(self) -> Any:
        """The indicators of all categories, a sparse column for each."""
        from scipy.sparse import csr_array

        n, starts = len(self.numbers), self.offsets[:-1] - self.offsets[0]
        places = np.column_stack([codes + start for codes, start in zip(self.codes, starts, strict=True)])
        rows = np.arange(0, places.size + 1, len(self.codes))
        shape = (n, int(self.offsets[-1] - self.offsets[0]))
        return csr_array((np.ones(places.size), places.ravel(), rows), shape=shape)

    def weighted_sums(self, weights: Matrix) -> Matrix:
        """The sum of every feature over the records, by weight."""
        indicators = [
            np.bincount(codes, weights=weights, minlength=size)
            for codes, size in zip(self.codes, self.sizes, strict=True)
        ]
        return np.concatenate([[weights.sum()], self.numbers.T @ weights, *indicators])

    def gram(self, weights: Matrix) -> Matrix:
        """The weighted sums of the products of every two features: crosstabs instead of indicators."""
        total = np.zeros((self.width, self.width))
        total[0] = self.weighted_sums(weights)
        first = slice(1, 1 + self.numbers.shape[1])
        heavy = self.numbers * weights[:, None]
        total[first, first] = self.numbers.T @ heavy
        if self.codes:
            total[first, self.offsets[0] :] = (self.indicators.T @ heavy).T
        for a, codes in enumerate(self.codes):
            here = slice(self.offsets[a], self.offsets[a + 1])
            total[here, here] = np.diag(total[0, here])
            for b in range(a + 1, len(self.codes)):
                there = slice(self.offsets[b], self.offsets[b + 1])
                keys = codes * self.sizes[b] + self.codes[b]
                counts = np.bincount(keys, weights=weights, minlength=self.sizes[a] * self.sizes[b])
                total[here, there] = counts.reshape(self.sizes[a], self.sizes[b])
        return np.triu(total) + np.triu(total, 1).T

    def predict(self, beta: Matrix) -> Matrix:
        """The linear predictor of every record."""
        result: Matrix = beta[0] + self.numbers @ beta[1 : 1 + self.numbers.shape[1]]
        for codes, start in zip(self.codes, self.offsets, strict=False):
            result = result + beta[start + codes]
        return result


def fitted_error(design: Design, labels: Matrix, start: Matrix | None = None) -> tuple[float, Matrix]:
    """Mean of (p - 1/2)^2 over the records, p their fitted probability, and the coefficients.

    Newton's method with halved steps on the penalised likelihood. The penalty is on standardised features;
    those without spread are left out.
    """
    n = len(labels)
    T = _standardising(design, n)
    penalty = np.full(T.shape[1], RIDGE * n)
    penalty[0] = 0.0
    beta = np.zeros(T.shape[1]) if start is None or len(start) != T.shape[1] else start
    value, p = _likelihood(design, labels, T @ beta, penalty @ beta**2)
    for _ in range(50):
        gradient = T.T @ design.weighted_sums(labels - p) - penalty * beta
        if np.abs(gradient).max() <= 1e-9 * n:
            break
        hessian = T.T @ design.gram(p * (1 - p)) @ T + np.diag(penalty + 1e-12)
        step, size = np.linalg.solve(hessian, gradient), 1.0
        trial = _likelihood(design, labels, T @ (beta + step), penalty @ (beta + step) ** 2)
        while trial[0] < value and size > 1e-6:
            size /= 2
            shorter = beta + size * step
            trial = _likelihood(design, labels, T @ shorter, penalty @ shorter**2)
        gain = trial[0] - value
        beta, (value, p) = beta + size * step, trial
        if gain <= 1e-12 * n:
            break
    return float(((p - 0.5) ** 2).mean()), beta


def _standardising(design: Design, n: int) -> Matrix:
    """Raw features times this matrix are an intercept and the features that vary, mean 0 and deviation 1."""
    ones = np.full(n, 1.0)
    mean = design.weighted_sums(ones)[1:] / n
    squares = np.concatenate([(design.numbers**2).sum(axis=0) / n, mean[design.numbers.shape[1] :]])
    variance = squares - mean**2
    kept = np.flatnonzero(variance > 1e-12 * np.maximum(mean**2, 1e-6))
    if not len(kept):
        raise NotApplicable("No compared column varies, so there is nothing to tell records apart by.")
    sd = np.sqrt(variance[kept])
    T = np.zeros((design.width, len(kept) + 1))
    T[0, 0] = 1.0
    T[kept + 1, np.arange(len(kept)) + 1] = 1.0 / sd
    T[0, 1:] = -mean[kept] / sd
    return T


def _likelihood(design: Design, labels: Matrix, raw: Matrix, penalised: Any) -> tuple[float, Matrix]:
    """Penalised log-likelihood and the fitted probabilities."""
    logit = design.predict(raw)
    value = float((labels * logit - np.logaddexp(0.0, logit)).sum()) - 0.5 * float(penalised)
    return value, 1.0 / (1.0 + np.exp(-np.clip(logit, -500, 500)))
