"""Poisson log-linear model: how many people to expect in a cell that the sample saw once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal.encode.look_alikes import code_matrix
from shoal.encode.sampling_weights import sampling_weights
from shoal.errors import NotApplicable
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.risk.population.sample_classes import sampling_fraction
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Matrix

GRID = 300_000  # cells of the whole table up to which two-way interactions are fitted (about 3 s)
ROUNDS = 200  # of proportional fitting
CLOSE = 1e-7  # largest relative change of a margin at which fitting has converged
OVERDISPERSED = 1.645  # score above which main effects leave too much (5 %, one-sided)


@dataclass(frozen=True)
class LogLinearRisk:
    """What a log-linear model expects of the records that are alone in the sample.

    `uniques` of them are alone in the population, `matches` are found by somebody who takes a match for the
    person; `score` is the test for overdispersion (above 1.6: the model is too simple, far below 0: it fits
    noise); `interactions` says whether two-way interactions are in the model.
    """

    uniques: float
    matches: float
    interactions: bool
    score: float


@takes_frames
def log_linear_risk(
    table: Table,
    *,
    fraction: float | None = None,
    interactions: bool | None = None,
    columns: Iterable[str] | None = None,
) -> LogLinearRisk:
    """The expected population uniques and right matches among the sample uniques, by a log-linear model.

    Parameters
    ----------
    table
        The sample, as released.
    fraction
        The share of the population that was sampled; if not given, every record's own 1 / weight, where a
        column has the role weight.
    interactions
        False: main effects; True: all two-way interactions; if not given, main effects unless the score test
        rejects them and the table of all combinations has at most 300,000 cells.
    columns
        The columns an intruder may know; the quasi-identifiers if not given. Categorical ones: a number is a
        category like any other.

    Returns
    -------
    LogLinearRisk

    Notes
    -----
    Sample counts are Poisson with mean mu, population counts with mean mu / pi; what is not in the sample has
    mean v = (1 - pi) mu / pi, so a sample unique is a population unique with chance exp(-v) and a match is
    right with (1 - exp(-v)) / v. The score is sum((f - mu)^2 - f) / sqrt(2 sum mu^2) over all cells. Main
    effects take O(n log n); two-way interactions some rounds over all cells.

    References
    ----------
    Skinner, Holmes: Estimating the re-identification risk per record in microdata, Journal of Official
    Statistics 14 (1998); Skinner, Shlomo: Assessing identification risk in survey microdata using log-linear
    models, Journal of the American Statistical Association 103 (2008); Cameron, Trivedi: Regression analysis
    of count data (1998), for the score test.

    Examples
    --------
    >>> from shoal import as_table
    >>> people = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "a", "b"]})
    >>> round(log_linear_risk(people, fraction=0.5).matches, 2)
    1.3
    """
    codes = code_matrix(table, intruder_columns(table, table, columns))
    codes = np.column_stack([np.unique(c, return_inverse=True)[1].reshape(-1) for c in codes.T])
    classes = row_classes(codes)
    alone = np.flatnonzero(np.bincount(classes)[classes] == 1)
    chances = _chances(table, fraction)[alone]
    means, score = main_effects(codes)
    two_way = interactions is True or (interactions is None and score > OVERDISPERSED and _fits(codes))
    if two_way:
        means, score = two_way_interactions(codes)
    unseen = (1 - chances) * means[alone] / chances
    uniques, matches = chance_unique(unseen).sum(), chance_match(unseen).sum()
    return LogLinearRisk(float(uniques), float(matches), two_way, score)


def chance_unique(unseen: Matrix) -> Matrix:
    """That nobody else is in a cell where so many others are expected: exp(-v)."""
    return np.exp(-unseen)


def chance_match(unseen: Matrix) -> Matrix:
    """E(1 / (1 + others)), others Poisson: (1 - exp(-v)) / v."""
    small = unseen < 1e-9
    return np.where(small, 1.0, -np.expm1(-unseen) / np.where(small, 1.0, unseen))


def main_effects(codes: NDArray[np.intp]) -> tuple[Matrix, float]:
    """The mean of every record's cell if columns are independent, and the score of overdispersion."""
    n = len(codes)
    means, squares = np.full(n, float(n)), float(n) ** 2
    for column in codes.T:
        share = np.bincount(column) / n
        means *= share[column]
        squares *= float(share @ share)
    sizes = np.bincount(row_classes(codes)).astype(np.float64)
    # the sums over all cells, also the empty ones, from those that are not: sum f^2 - 2 sum f mu + sum mu^2
    score = float(sizes @ sizes) - 2 * float(means.sum()) + squares - n
    return means, score / float(np.sqrt(2 * squares))


def two_way_interactions(codes: NDArray[np.intp]) -> tuple[Matrix, float]:
    """The mean of every record's cell if only pairs of columns interact, by proportional fitting."""
    if codes.shape[1] < 2:
        return main_effects(codes)
    if not _fits(codes):
        raise NotApplicable(f"The columns have more than {GRID:,} combinations, too many for interactions.")
    counts = np.zeros(tuple(int(m) + 1 for m in codes.max(axis=0)))
    np.add.at(counts, tuple(codes.T), 1.0)
    means = np.full(counts.shape, counts.mean())
    for _ in range(ROUNDS):
        worst = 0.0
        for pair in combinations(range(counts.ndim), 2):
            others = tuple(axis for axis in range(counts.ndim) if axis not in pair)
            wanted, found = counts.sum(others, keepdims=True), means.sum(others, keepdims=True)
            ratio = np.divide(wanted, found, out=np.zeros_like(wanted), where=found > 0)
            worst = max(worst, float(np.abs(ratio[wanted > 0] - 1).max()))
            means = means * ratio
        if worst < CLOSE:
            break
    score = float(((counts - means) ** 2 - counts).sum()) / float(np.sqrt(2 * (means**2).sum()))
    return means[tuple(codes.T)], score


def _fits(codes: NDArray[np.intp]) -> bool:
    return float(np.prod(codes.max(axis=0) + 1.0)) <= GRID


def _chances(table: Table, fraction: float | None) -> Matrix:
    """Of every record, to be in the sample."""
    weights = sampling_weights(table) if fraction is None else None
    if weights is None:
        return np.full(len(table), sampling_fraction(table, fraction))
    return np.minimum(1 / weights, 1.0)
