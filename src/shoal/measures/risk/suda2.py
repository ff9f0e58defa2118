"""SUDA: which records a handful of columns is enough to single out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb, prod

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_number
from shoal._door import takes_frames
from shoal.encode.look_alikes import code_matrix
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.risk.k_anonymity import class_sizes
from shoal.models.row_classes import refine, row_classes
from shoal.table import Table
from shoal.types import Labels

Subset = tuple[int, ...]

BUDGET = 2e8  # records times sets of columns: about 10 s
SET = 2_000  # records that cost what a set costs by itself


@takes_frames
def suda2(
    original: Table, masked: Table, *, max_size: int = 3, columns: Iterable[str] | None = None
) -> float:
    """Percent of the masked records that some `max_size` or fewer of the columns single out.

    Parameters
    ----------
    original, masked
        The two files; only the masked one is counted, the original says which columns are quasi-identifiers.
    max_size
        Largest number of columns to look at together.
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none).

    Returns
    -------
    float
        0 (no record is unique in so few columns) to 100; `suda_scores` says which records and how.

    Notes
    -----
    A missing value is a category of its own. Meant for categorical columns: in a column of amounts almost
    every record is unique by itself. All subsets of at most `max_size` columns are counted, each in O(n) or
    O(n log n) over the records not yet unique.

    References
    ----------
    Manning, Haglin, Keane: A recursive search algorithm for statistical disclosure assessment, Data Mining
    and Knowledge Discovery 16 (2008); Elliot, Manning, Mayes, Gurd, Bane: SUDA: a program for detecting
    special uniques, Joint UNECE/Eurostat work session on statistical data confidentiality (2005).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "a", "b"]})
    >>> suda2(table, table)
    50.0
    """
    names = intruder_columns(original, masked, columns)
    scores = suda_scores(masked, max_size=max_size, columns=names)
    return 100.0 * float((scores["smallest"] > 0).mean())  # type: ignore[arg-type]


@takes_frames
def suda_scores(
    table: Table,
    *,
    max_size: int | None = None,
    fraction: float | None = None,
    columns: Iterable[str] | None = None,
) -> pl.DataFrame:
    """For every record its minimal sample uniques: how many, the smallest, the SUDA score and the DIS score.

    A minimal sample unique (MSU) is a set of columns whose values no other record has, while every smaller
    set of them is shared. An MSU of size s scores the product of (d - i) for i = s..max_size (d - 1 at most),
    d columns; a record scores their sum. Sets of all sizes are looked at unless `max_size` says otherwise or
    that would take minutes (then the largest size that does not). With the sampling `fraction`, column `dis`
    is the chance that a match with this record is right: DIS for the file, more for records of high scores
    and less for others, so that the harmonic mean over the unique records is the file's.

    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "a", "b"]})
    >>> suda_scores(table, columns=["sex", "town"]).to_dict(as_series=False)
    {'msus': [0, 0, 1, 1], 'smallest': [0, 0, 2, 1], 'score': [0.0, 0.0, 1.0, 1.0]}
    """
    codes, size = checked_codes(table, max_size, columns)
    n, d = codes.shape
    msus, smallest, score = np.zeros(n, dtype=np.intp), np.zeros(n, dtype=np.intp), np.zeros(n)
    for subset, rows in minimal_uniques(codes, size):
        msus[rows] += 1
        smallest[rows] = np.where(smallest[rows] == 0, len(subset), np.minimum(smallest[rows], len(subset)))
        score[rows] += msu_score(len(subset), size, d)
    result = {"msus": msus, "smallest": smallest, "score": score}
    if fraction is not None:
        result["dis"] = _dis_scores(codes, score, check_number("fraction", fraction, 0, 1))
    return pl.DataFrame(result)


def msu_score(width: int, size: int, columns: int) -> int:
    """What an MSU of so many of the columns scores, if sets up to `size` are looked at.

    >>> msu_score(1, 4, 4), msu_score(2, 4, 4)
    (6, 2)
    """
    return prod(columns - i for i in range(width, min(size, columns - 1) + 1))


@takes_frames
def sample_uniques(table: Table, *, columns: Iterable[str] | None = None) -> NDArray[np.intp]:
    """Row positions of the records that no other record looks like in these columns.

    >>> from shoal import as_table
    >>> sample_uniques(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}))
    array([2])
    """
    return np.flatnonzero(class_sizes(table, columns=columns) == 1)


def minimal_uniques(codes: NDArray[np.intp], size: int) -> Iterator[tuple[Subset, NDArray[np.intp]]]:
    """Every set of at most `size` columns with the rows that it, and no smaller set of them, singles out.

    >>> [(s, rows.tolist()) for s, rows in minimal_uniques(np.array([[0, 0], [0, 0], [1, 0], [1, 1]]), 2)]
    [((1,), [3]), ((0, 1), [2])]
    """
    if len(codes) > 1 and (np.bincount(row_classes(codes)) > 1).all():
        return  # nobody is alone in all columns, so nobody is in fewer
    level: dict[Subset, tuple[NDArray[np.intp], Labels]] = {(): _start(codes)}
    unique: dict[Subset, NDArray[np.bool_]] = {(): np.zeros(len(codes), dtype=bool)}
    for width in range(1, size + 1):
        classes, found = {}, {}
        for subset in combinations(range(codes.shape[1]), width):
            rows, parent = level[subset[:-1]]
            split = refine(parent, codes[rows, subset[-1]])
            alone = np.bincount(split)[split] == 1
            found[subset] = unique[subset[:-1]].copy()
            found[subset][rows[alone]] = True
            if width < size:
                classes[subset] = rows[~alone], split[~alone]
            minimal = found[subset].copy()
            for left_out in range(width):
                minimal &= ~unique[subset[:left_out] + subset[left_out + 1 :]]
            if minimal.any():
                yield subset, np.flatnonzero(minimal)
        level, unique = classes, found


def _start(codes: NDArray[np.intp]) -> tuple[NDArray[np.intp], Labels]:
    """All rows in one class; a file of one record is unique in every column, but not in none."""
    return np.arange(len(codes)), np.zeros(len(codes), dtype=np.intp)


def checked_codes(
    table: Table, max_size: int | None, columns: Iterable[str] | None
) -> tuple[NDArray[np.intp], int]:
    """The codes of the columns, and the largest size of a set to look at."""
    if max_size is not None and (isinstance(max_size, bool) or not isinstance(max_size, int) or max_size < 1):
        raise InvalidInput(f"`max_size` must be a whole number of at least 1, got {max_size!r}.")
    if not len(table):
        raise NotApplicable("The file has no records.")
    codes = code_matrix(table, intruder_columns(table, table, columns))
    n, d = codes.shape
    return codes, min(_feasible(n, d) if max_size is None else max_size, d)


def _feasible(n: int, d: int) -> int:
    """The largest size of sets of d columns whose counting stays within the budget."""
    sets = np.cumsum([float(comb(d, size)) for size in range(1, d + 1)])
    return max(1, int(np.searchsorted(sets * (n + SET), BUDGET, side="right")))


def _dis_scores(codes: NDArray[np.intp], score: NDArray[np.float64], fraction: float) -> NDArray[np.float64]:
    """Odds against a match of record i: those of the file, (1 - DIS) / DIS, times their usual share.

    DIS is Skinner and Elliot's f u / (f u + (1 - f) p), u uniques, p records in pairs; the share is
    u / (score^Q sum of score^-Q), Q = 1 + (8 - d) / 20 as in Elliot's program.
    """
    sizes = np.bincount(row_classes(codes))
    uniques, paired = int((sizes == 1).sum()), 2 * int((sizes == 2).sum())
    weight, scored = fraction * uniques + (1 - fraction) * paired, score > 0
    result = np.zeros_like(score)
    if not scored.any() or weight == 0 or fraction == 0:
        return result
    power = np.exp((1 + (8 - codes.shape[1]) / 20) * np.log(score[scored] / score.max()))
    against = (1 - fraction) * paired / (fraction * uniques)
    result[scored] = 1 / (1 + against * scored.sum() / (power * (1 / power).sum()))
    return result
