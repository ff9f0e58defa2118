"""Probabilistic linkage: how many records an intruder finds again by weighing which columns agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_choice
from shoal._door import takes_frames
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.coded_pair import code_pair
from shoal.measures.record_linkage import TIES, Points, Ties, known_sets, linked_share
from shoal.measures.risk.cover_linkage import targets
from shoal.table import Table
from shoal.types import Matrix, RandomState

MOST_COLUMNS = 20  # 2^20 patterns
COMPARED = 30_000_000  # cells of all pairs: a tenth of a second for numpy, compiling takes five
AT_ONCE = 500  # records compared with the whole other file: memory counts
ROUNDS = 500  # a guard of expectation-maximisation; it ends when nothing changes
CERTAIN = 1e-9  # probabilities keep this distance from 0 and 1
NOTHING = 1e-6  # a weight below this is rounding, or speaks against a match


class Weights(NamedTuple):
    """What agreement in a column tells: its probability among matches (m) and others (u), its weight."""

    m: Matrix
    u: Matrix
    weight: Matrix


@takes_frames
def probabilistic_linkage_risk(
    original: Table,
    masked: Table,
    *,
    known: Sequence[str] | Sequence[Sequence[str]] | None = None,
    bins: int = 10,
    ties: Ties = "expected",
    exact: bool = False,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
) -> float:
    """Percent of records that an intruder links right by the most telling agreement of columns.

    Parameters
    ----------
    original, masked, known, columns, rng
        As in `distance_linkage_risk`.
    bins
        Numeric columns agree where both values fall in the same of so many classes, cut at the original's
        quantiles.
    ties
        When g masked records agree as well and the true one is among them: "expected" counts 1/g, "strict"
        counts 0, "optimistic" (for the intruder) counts 1.
    exact
        Whether to link all records of a file of more than 200,000 and to weigh columns by them, not a random
        sample of 20,000.

    Returns
    -------
    float
        0 (nobody is found) to 100 (everybody is); `linkage_weights` shows what the columns weigh.

    Notes
    -----
    Fellegi and Sunter's model: the pattern of agreeing columns of all n^2 pairs is a mixture of matches (one
    pair in n) and other pairs, columns independent within each; the probabilities come from the EM algorithm,
    a column whose agreement speaks against a match weighs nothing. A missing value agrees with a missing
    value only. The patterns are counted by joins, never over all pairs: time O(2^d n) at worst, less where
    records lose their counterparts; at most 20 columns.

    References
    ----------
    Fellegi, Sunter: A theory for record linkage, Journal of the American Statistical Association 64 (1969);
    Jaro: Advances in record-linkage methodology, Journal of the American Statistical Association 84 (1989).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "b", "a", "b"]})
    >>> probabilistic_linkage_risk(table, table)
    100.0
    """
    check_choice("ties", ties, TIES)
    shares = []
    for names in known_sets(original, masked, known, columns):
        rows = targets(len(original), exact, rng)
        points, weight = agreement_points(original, masked, names, bins, rows)
        shares.append(linked_share(points, weight, ties, rows))
    return float(np.mean(shares))


def agreement_points(
    original: Table,
    masked: Table,
    names: list[str],
    bins: int = 10,
    rows: NDArray[np.intp] | None = None,
) -> tuple[Points, Matrix]:
    """Both files as codes that agree or not, and what agreement of a column weighs, by these rows of both."""
    A, B = _agreement_codes(original, masked, names, bins)
    weight = (fit_weights(A, B) if rows is None else fit_weights(A[rows], B[rows])).weight
    return Points(A.astype(np.float64), B.astype(np.float64), np.ones(A.shape[1], dtype=bool)), weight


@takes_frames
def linkage_weights(
    original: Table, masked: Table, *, bins: int = 10, columns: Iterable[str] | None = None
) -> pl.DataFrame:
    """For every column: how often it agrees among matches (m) and other pairs (u), and what that weighs.

    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "b", "a", "b"]})
    >>> linkage_weights(table, table)["column"].to_list()
    ['sex', 'town']
    """
    (names,) = known_sets(original, masked, None, columns)
    fit = fit_weights(*_agreement_codes(original, masked, names, bins))
    return pl.DataFrame({"column": names, "m": fit.m, "u": fit.u, "weight": fit.weight})


def fit_weights(A: NDArray[np.intp], B: NDArray[np.intp]) -> Weights:
    """m- and u-probabilities by EM over the agreement patterns of all pairs; one pair in n is a match."""
    counts = agreement_patterns(A, B)
    patterns = np.flatnonzero(counts)
    agree = (patterns[:, None] >> np.arange(A.shape[1]) & 1).astype(np.float64)
    pairs = counts[patterns].astype(np.float64)
    share = 1.0 / len(A)
    m, u = np.full(A.shape[1], 0.9), _probabilities(pairs, agree)
    for _ in range(ROUNDS):
        matches = pairs * _posterior(agree, m, u, share)
        before, m, u = m, _probabilities(matches, agree), _probabilities(pairs - matches, agree)
        if np.abs(m - before).max() < 1e-10:
            break
    weight = np.log(m / u) - np.log((1 - m) / (1 - u))
    return Weights(m, u, np.where(weight > NOTHING, weight, 0.0))


def agreement_patterns(A: NDArray[np.intp], B: NDArray[np.intp]) -> NDArray[np.intp]:
    """Number of pairs of a row of A and a row of B by pattern: bit j is set if they agree in column j.

    >>> agreement_patterns(np.array([[0, 0], [1, 1]]), np.array([[0, 0], [0, 1]])).tolist()
    [1, 1, 1, 1]
    """
    if len(A) * B.size <= COMPARED:
        return _compare_all(A, B)
    from shoal._kernels.linkage.agreement import count_agreements

    codes = np.ascontiguousarray(np.vstack([A, B]).T, dtype=np.int32)
    return count_agreements(codes, len(A), int(codes.max()) + 1)


def _compare_all(A: NDArray[np.intp], B: NDArray[np.intp]) -> NDArray[np.intp]:
    """The same pair by pair, for small files: compiling takes longer."""
    columns = A.shape[1]
    counts = np.zeros(1 << columns, dtype=np.intp)
    for some in np.array_split(A, -(-len(A) // AT_ONCE)):
        pattern = np.zeros((len(some), len(B)), dtype=np.int32)
        for j in range(columns):
            pattern |= (some[:, j, None] == B[:, j]).astype(np.int32) << j
        counts += np.bincount(pattern.ravel(), minlength=len(counts))
    return counts


def _posterior(agree: Matrix, m: Matrix, u: Matrix, share: float) -> Matrix:
    """Probability that a pair of each pattern is a match."""
    if share == 1:  # a single record matches itself
        return np.ones(len(agree))
    odds = agree @ np.log(m / u) + (1 - agree) @ np.log((1 - m) / (1 - u)) + np.log(share / (1 - share))
    posterior: Matrix = 1.0 / (1.0 + np.exp(np.clip(-odds, -700, 700)))
    return posterior


def _probabilities(weights: Matrix, agree: Matrix) -> Matrix:
    total = float(weights.sum())
    if total <= 0:
        return np.full(agree.shape[1], 0.5)
    return np.clip(weights @ agree / total, CERTAIN, 1 - CERTAIN)


def _agreement_codes(
    original: Table, masked: Table, names: list[str], bins: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """A code per cell of either file: equal codes agree; a missing value has a code of its own."""
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 2:
        raise InvalidInput(f"`bins` must be a whole number of at least 2, got {bins!r}.")
    if len(names) > MOST_COLUMNS:
        raise NotApplicable(
            f"{len(names)} columns are too many to weigh together; name at most {MOST_COLUMNS} of them."
        )
    pairs = [_column_codes(original, masked, name, bins) for name in names]
    return np.column_stack([a for a, _ in pairs]) + 1, np.column_stack([b for _, b in pairs]) + 1


def _column_codes(
    original: Table, masked: Table, name: str, bins: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    if original.attribute(name).kind != "numeric":
        before, after, _ = code_pair(original, masked, name)
        return before, after
    x, y = original.column(name), masked.column(name)
    seen = x[~np.isnan(x)]
    if not len(seen):
        return np.where(np.isnan(x), -1, 0), np.where(np.isnan(y), -1, 0)
    cuts = np.unique(np.quantile(seen, np.arange(1, bins) / bins, method="inverted_cdf"))
    return tuple(np.where(np.isnan(v), -1, np.searchsorted(cuts, v)) for v in (x, y))  # type: ignore[return-value]
