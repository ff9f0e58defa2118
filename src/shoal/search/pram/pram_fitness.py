"""Loss and risk that PRAM is expected to give, from its matrices alone: nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.search.files.coded_file import CodedFile, code_file
from shoal.search.files.file_fitness import Figures
from shoal.table import Table
from shoal.types import Matrix

STEPS = 16  # squared distances are counted in sixteenths; no measurement on record
FARTHEST = 5  # beyond this squared distance nobody is found
TARGETS = 100  # records whose chance of being linked is computed; no measurement on record
COUNTED_MOVES = 24.0  # moves in and out of a cell up to this many are counted exactly; not measured


@dataclass(frozen=True)
class PramProblem:
    """A file as PRAM's fitness sees it: counts of one and of two columns, and the records to be found."""

    coded: CodedFile
    counts: tuple[Matrix, ...]  # per column, missing last
    pairs: tuple[tuple[int, int, Matrix], ...]
    records: NDArray[np.int32]  # distinct
    copies: NDArray[np.intp]
    targets: NDArray[np.intp]  # places in `records`
    weights: Matrix  # how many records a target stands for
    steps: NDArray[np.int32]


def pose_pram(table: Table, names: Sequence[str]) -> PramProblem:
    """The problem of a table; of many distinct records every so-manyth one is looked for."""
    coded = code_file(table, names, [])
    original, sizes = coded.rules.original, coded.rules.sizes
    counts = tuple(
        np.bincount(original[:, c], minlength=sizes[c]).astype(np.float64) for c in range(len(sizes))
    )
    pairs = []
    for a in range(len(sizes)):
        for b in range(a + 1, len(sizes)):
            keys = original[:, a].astype(np.intp) * sizes[b] + original[:, b]
            joint = np.bincount(keys, minlength=sizes[a] * sizes[b]).reshape(sizes[a], sizes[b])
            pairs.append((a, b, joint.astype(np.float64)))
    records, copies = np.unique(original, axis=0, return_counts=True)
    targets, weights = np.arange(len(records)), copies
    if len(records) > TARGETS:
        places = (np.arange(TARGETS) + 0.5) * len(original) / TARGETS
        targets, weights = np.unique(np.searchsorted(np.cumsum(copies), places), return_counts=True)
    steps = np.rint(coded.rules.far * STEPS).astype(np.int32)
    return PramProblem(
        coded, counts, tuple(pairs), records, copies.astype(np.intp), targets, weights.astype(float), steps
    )


def expected_figures(problem: PramProblem, matrices: Mapping[str, Matrix]) -> Figures:
    """Loss and risk of the files PRAM will draw, on average; columns are drawn independently."""
    whole = [_with_missing(matrices[name]) for name in problem.coded.names]
    dbil, ebil = _distance_loss(problem, whole), _entropy_loss(problem, whole)
    ctbil, interval = _table_loss(problem, whole), _interval_risk(problem, whole)
    linkage = _linkage_risk(problem, whole)
    loss, risk = (dbil + ctbil + ebil) / 3, (2 * interval + linkage) / 3
    return Figures(dbil, ctbil, ebil, 0.0, interval, linkage, loss, risk)


def _with_missing(P: Matrix) -> Matrix:
    """The matrix with a last category: missing cells stay missing."""
    whole = np.zeros((len(P) + 1, len(P) + 1))
    whole[:-1, :-1], whole[-1, -1] = P, 1.0
    return whole


def _square(problem: PramProblem, flat: Matrix, c: int) -> Matrix:
    begin, size = problem.coded.rules.square[c], problem.coded.rules.sizes[c]
    return flat[begin : begin + size * size].reshape(size, size)


def _distance_loss(problem: PramProblem, whole: Sequence[Matrix]) -> float:
    moved = [
        float(problem.counts[c] @ (P * _square(problem, problem.coded.rules.apart, c)).sum(axis=1))
        for c, P in enumerate(whole)
    ]
    return 100 * sum(moved) / float(problem.coded.rules.totals[0])


def _entropy_loss(problem: PramProblem, whole: Sequence[Matrix]) -> float:
    """Expected entropy of the original given the masked category, by Bayes' rule."""
    from scipy.special import xlogy

    total = 0.0
    for c, P in enumerate(whole):
        joint = problem.counts[c][:-1, None] * P[:-1]
        arriving = joint.sum(axis=0)
        total += float(xlogy(arriving, arriving).sum() - xlogy(joint, joint).sum()) / float(
            problem.coded.rules.entropy[c]
        )
    return 100 * total / float(problem.coded.rules.totals[0])


def _table_loss(problem: PramProblem, whole: Sequence[Matrix]) -> float:
    """Expected absolute differences of all contingency tables of one and of two columns."""
    squared = [P**2 for P in whole]
    parts = [
        (counts, counts @ whole[c], counts @ squared[c], whole[c].diagonal())
        for c, counts in enumerate(problem.counts)
    ]
    for a, b, joint in problem.pairs:
        mean = whole[a].T @ joint @ whole[b]
        spread = squared[a].T @ joint @ squared[b]
        parts.append((joint, mean, spread, np.outer(whole[a].diagonal(), whole[b].diagonal())))
    flat = [np.concatenate([part[place].ravel() for part in parts]) for place in range(4)]
    moved = float(expected_moves(*flat).sum())
    return 100 * moved / (2 * len(problem.coded.rules.original) * float(problem.coded.rules.totals[2]))


def expected_moves(count: Matrix, mean: Matrix, squares: Matrix, stay: Matrix) -> Matrix:
    """E |new count - count| of cells, whose records stay with `stay`, with mean new counts `mean`.

    `squares` are the sums of the squared probabilities. Records that leave are binomial and those that
    arrive about Poisson; where both are many, their difference is about normal.

    >>> expected_moves(np.array([10.0]), np.array([9.0]), np.array([8.1]), np.array([0.9])).round(6)
    array([1.])
    """
    from scipy.special import ndtr

    leave, arrive = count * (1 - stay), np.maximum(mean - count * stay, 0.0)
    spread = np.sqrt(np.maximum(mean - squares, 1e-12))
    shift = (mean - count) / spread
    normal = spread * (np.sqrt(2 / np.pi) * np.exp(-(shift**2) / 2) + shift * (1 - 2 * ndtr(-shift)))
    few = (leave < COUNTED_MOVES) & (arrive < COUNTED_MOVES)
    moves: Matrix = normal
    if few.any():
        moves[few] = _few_moves(count[few], 1 - stay[few], arrive[few])
    return moves


def _few_moves(count: Matrix, share: Matrix, arrive: Matrix) -> Matrix:
    """E |A - L| = sum of F_A (1 - F_L) + F_L (1 - F_A), with A Poisson and L binomial."""
    from scipy.special import gammaln, xlogy

    k = np.arange(int(2.5 * COUNTED_MOVES))
    log_a = xlogy(k, arrive[:, None]) - arrive[:, None] - gammaln(k + 1)
    n, p = count[:, None], np.clip(share[:, None], 0.0, 1.0)
    inside = k <= n
    log_l = gammaln(n + 1) - gammaln(k + 1) - gammaln(np.where(inside, n - k, 0.0) + 1)
    log_l = log_l + xlogy(k, p) + xlogy(np.where(inside, n - k, 0.0), 1 - p)
    a = np.minimum(np.cumsum(np.exp(log_a), axis=1), 1.0)
    l = np.minimum(np.cumsum(np.where(inside, np.exp(log_l), 0.0), axis=1), 1.0)
    moves: Matrix = (a * (1 - l) + l * (1 - a)).sum(axis=1)
    return moves


def _interval_risk(problem: PramProblem, whole: Sequence[Matrix]) -> float:
    from shoal._kernels.evolution.file_counts import NAME

    hits = 0.0
    for c, P in enumerate(whole):
        joint = problem.counts[c][:-1, None] * P[:-1, :-1]
        named = problem.coded.rules.kinds[c] == NAME
        hits += float(joint.diagonal().sum()) if named else _rank_hits(joint, problem.coded.rules.halves)
    return 100 * hits / float(problem.coded.rules.totals[1])


def _rank_hits(joint: Matrix, halves: Matrix) -> float:
    """As in `interval_risk`, with the ranks that the expected frequencies give."""
    below = np.concatenate([[0.0], np.cumsum(joint.sum(axis=0))])
    n, codes = below[-1], np.arange(len(joint))
    hits = []
    for half in halves:
        reach = np.floor(half * n / 100 + 1e-9)
        low = np.searchsorted(below, np.maximum(below[:-1] - reach, 0.0) + 1e-9, side="right") - 1
        high = np.searchsorted(below, np.minimum(below[1:] - 1 + reach, n - 1) + 1e-9, side="right") - 1
        low, high = np.minimum(low, codes), np.clip(high, codes, len(joint) - 1)
        inside = (low <= codes[:, None]) & (codes[:, None] <= high)
        hits.append(float(joint[inside].sum()))
    return float(np.mean(hits))


def _linkage_risk(problem: PramProblem, whole: Sequence[Matrix]) -> float:
    from shoal._kernels.linkage.pram_linkage import expected_links

    rules = problem.coded.rules
    flat = np.concatenate([P.ravel() for P in whole])
    found = expected_links(
        problem.targets,
        problem.records,
        problem.copies,
        rules.sizes,
        rules.square,
        flat,
        problem.steps,
        FARTHEST * STEPS,
    )
    return 100 * float(np.average(found, weights=problem.weights))
