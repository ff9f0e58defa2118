"""Linkage by covers: keep the released records that can be the person, take the most specific one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shoal._check import check_choice
from shoal._door import takes_frames
from shoal.measures._shared.cover_classes import cover_classes
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.record_linkage import TIES, Ties
from shoal.table import Table
from shoal.types import Labels, Matrix, RandomState

SAMPLED_FROM = 200_000  # records above which a sample is linked; no measurement on record
TARGETS = 20_000  # targets: a 95 % interval of at most 0.7 points to either side


@dataclass(frozen=True, eq=False)
class Linkage:
    """How many records an intruder finds again.

    `percent` of the targets are linked right, from `low` to `high` with a confidence of 95 % (both are
    `percent` where every record was a target); `rows` are the targets, `chances` that of each to be linked
    right, `candidates` the released records that each may be.
    """

    percent: float
    low: float
    high: float
    rows: Labels
    chances: Matrix
    candidates: Labels


@takes_frames
def cover_linkage(
    original: Table,
    masked: Table,
    *,
    ties: Ties = "expected",
    exact: bool = False,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
) -> Linkage:
    """Link every original record to the most specific released record that can be it.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    ties
        When g records are equally good and the true one is among them: "expected" counts 1/g, "strict" counts
        0, "optimistic" (for the intruder) counts 1.
    exact
        Whether to link all records of a file of more than 200,000, not a random sample of 20,000.
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none).
    rng
        Seed or generator of the sample.

    Returns
    -------
    Linkage

    Notes
    -----
    Candidates are the released records whose cells cover every value that is known: the value itself, an
    interval or set with it, a label above it, a suppressed cell. The intruder takes the one that could be the
    fewest people, the least product of the values that its cells cover. Perturbed columns (whose cells are
    other values) cannot rule a record out: they rank the candidates by distance first. Nothing known of a
    value rules nothing out. Records of a file that was only generalised or suppressed are always among their
    own candidates. Time O(n m d) at worst, m different released records; far less where a column tells much.

    References
    ----------
    Samarati: Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
    Engineering 13 (2001), for who can be whom.

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"age": [20, 25, 40]}), as_table({"age": ["20-29", "20-29", "40"]})
    >>> cover_linkage(before, after).chances.tolist()
    [0.5, 0.5, 1.0]
    """
    check_choice("ties", ties, TIES)
    names = intruder_columns(original, masked, columns)
    rows = targets(len(original), exact, rng)
    candidates, rivals = cover_classes(original, masked, names).search(rows)
    return linkage_of(rows, chances_of(rivals, ties), candidates, len(original))


def targets(n: int, exact: bool, rng: RandomState) -> Labels:
    """The records to link: all, or a random sample of a large file."""
    if exact or n <= SAMPLED_FROM:
        return np.arange(n)
    return np.sort(np.random.default_rng(rng).choice(n, TARGETS, replace=False))


def chances_of(rivals: Labels, ties: Ties) -> Matrix:
    """The chance to be linked right, from the number of equally good records (0: another is better)."""
    shared = 1.0 / np.maximum(rivals, 1)
    credit = {"expected": shared, "strict": 1.0 * (rivals == 1), "optimistic": np.ones(len(rivals))}[ties]
    return np.where(rivals > 0, credit, 0.0)


def sample_interval(percent: float, n: int) -> tuple[float, float] | None:
    """Between which percents a share of linked records lies, with 95 %; None where all records were linked.

    >>> sample_interval(1.0, 1000), [round(value, 2) for value in sample_interval(1.0, 1_000_000)]
    (None, [0.86, 1.14])
    """
    if n <= SAMPLED_FROM:
        return None
    share = percent / 100  # chances spread at most as wins and losses do
    reach = 196.0 * float(np.sqrt(share * (1 - share) / TARGETS * (n - TARGETS) / (n - 1)))
    return max(percent - reach, 0.0), min(percent + reach, 100.0)


def linkage_of(rows: Labels, chances: Matrix, candidates: Labels, n: int) -> Linkage:
    """The share of right links, with an interval where only some records were linked."""
    mean, reach = float(chances.mean()), 0.0
    if len(rows) < n:
        left = np.sqrt((n - len(rows)) / (n - 1))  # of the spread, sampling without replacement
        reach = 1.96 * float(chances.std(ddof=1)) / np.sqrt(len(rows)) * float(left)
    low, high = max(mean - reach, 0.0), min(mean + reach, 1.0)
    return Linkage(100 * mean, 100 * low, 100 * high, rows, chances, candidates)
