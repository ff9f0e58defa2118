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
        total[0] = total[:, 0] = self.weighted_sums(weights)
        first = slice(1, 1 + self.numbers.shape[1])
        heavy = self.numbers * weights[:, None]
        total[first, first] = self.numbers.T @ heavy
        if self.codes:
            total[self.offsets[0] :, first] = self.indicators.T @ heavy
            total[first, self.offsets[0] :] = total[self.offsets[0] :, first].T
        for a, codes in enumerate(self.codes):
            here = slice(self.offsets[a], self.offsets[a + 1])
            total[here, here] = np.diag(total[0, here])
            for b in range(a + 1, len(self.codes)):
                there = slice(self.offsets[b], self.offsets[b + 1])
                keys = codes * self.sizes[b] + self.codes[b]
                counts = np.bincount(keys, weights=weights, minlength=self.sizes[a] * self.sizes[b])
                total[here, there] = counts.reshape(self.sizes[a], self.sizes[b])
                total[there, here] = total[here, there].T
        return total

    def predict(self, beta: Matrix) -> Matrix:
        """The linear predictor of every record."""
        result: Matrix = beta[0] + self.numbers @ beta[1 : 1 + self.numbers.shape[1]]
        for codes, start in zip(self.codes, self.offsets, strict=False):
            result = result + beta[start + codes]
        return result


def fitted_error(design: Design, labels: Matrix) -> float:
    """Mean of (p - 1/2)^2 over the records, p their fitted probability.

    Newton's method with halved steps on the penalised likelihood, from zero: the coefficients of another draw
    of values are a worse start than none. The penalty is on standardised features; those without spread are
    left out.
    """
    from scipy.linalg import solve

    n = len(labels)
    scale = _Scale(design, n)
    penalty = np.full(len(scale.sd) + 1, RIDGE * n)
    penalty[0] = 0.0
    beta = np.zeros(len(penalty))
    value, p = _likelihood(design, labels, scale.raw(beta), penalty @ beta**2)
    for _ in range(50):
        gradient = scale.gradient(design.weighted_sums(labels - p)) - penalty * beta
        if np.abs(gradient).max() <= 1e-9 * n:
            break
        hessian = scale.hessian(design.gram(p * (1 - p))) + np.diag(penalty + 1e-12)
        step, size = solve(hessian, gradient, assume_a="pos"), 1.0
        trial = _likelihood(design, labels, scale.raw(beta + step), penalty @ (beta + step) ** 2)
        while trial[0] < value and size > 1e-6:
            size /= 2
            shorter = beta + size * step
            trial = _likelihood(design, labels, scale.raw(shorter), penalty @ shorter**2)
        gain = trial[0] - value
        beta, (value, p) = beta + size * step, trial
        if gain <= 1e-12 * n:
            break
    return float(((p - 0.5) ** 2).mean())


class _Scale:
    """Between raw features and those of mean 0 and deviation 1; what does not vary is left out."""

    def __init__(self, design: Design, n: int) -> None:
        mean = design.weighted_sums(np.full(n, 1.0))[1:] / n
        squares = np.concatenate([(design.numbers**2).sum(axis=0) / n, mean[design.numbers.shape[1] :]])
        variance = squares - mean**2
        varies = np.flatnonzero(variance > 1e-12 * np.maximum(mean**2, 1e-6))
        if not len(varies):
            raise NotApplicable("No compared column varies, so there is nothing to tell records apart by.")
        self.width, self.kept = design.width, varies + 1
        self.mean, self.sd = mean[varies], np.sqrt(variance[varies])

    def raw(self, beta: Matrix) -> Matrix:
        """Coefficients of the raw features, the intercept first."""
        found = np.zeros(self.width)
        found[self.kept] = beta[1:] / self.sd
        found[0] = beta[0] - self.mean @ found[self.kept]
        return found

    def gradient(self, sums: Matrix) -> Matrix:
        """Weighted sums of the raw features as those of the standardised ones."""
        return np.concatenate([sums[:1], (sums[self.kept] - sums[0] * self.mean) / self.sd])

    def hessian(self, gram: Matrix) -> Matrix:
        """Weighted products of the raw features as those of the standardised ones."""
        border = self.gradient(gram[0])
        inner = gram[np.ix_(self.kept, self.kept)]
        inner -= np.outer(self.mean, gram[0, self.kept]) + np.outer(border[1:] * self.sd, self.mean)
        inner /= np.outer(self.sd, self.sd)
        return np.block([[border[:1, None], border[None, 1:]], [border[1:, None], inner]])


def _likelihood(design: Design, labels: Matrix, raw: Matrix, penalised: Any) -> tuple[float, Matrix]:
    """Penalised log-likelihood and the fitted probabilities."""
    logit = design.predict(raw)
    value = float((labels * logit - np.logaddexp(0.0, logit)).sum()) - 0.5 * float(penalised)
    return value, 1.0 / (1.0 + np.exp(-np.clip(logit, -500, 500)))
