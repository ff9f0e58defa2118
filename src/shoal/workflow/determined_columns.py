"""Columns that another column tells: the same value there always comes with the same value here."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels

SAMPLE_RECORDS = 4000  # records that are looked at first: most pairs of columns fail on the first few
FIRST = 64  # neighbours that every pair is held against before the rest of the sample; not measured


def determined_columns(coded: Mapping[str, Labels]) -> dict[str, list[str]]:
    """By column, the other ones whose value follows from its own.

    Parameters
    ----------
    coded
        The category of every record, by column; -1, a missing cell, is a category too.

    Returns
    -------
    dict
        A list for every column, empty where it tells nothing.

    Notes
    -----
    Records are sorted by one column; every other one must stay the same as long as that one does. What fails
    on a sample fails on the whole, so that only the pairs that pass are looked at in full: O(d^2) for most
    files, plus O(n) for every pair found.

    Examples
    --------
    >>> found = determined_columns({"town": np.array([0, 1, 1, 2]), "land": np.array([0, 0, 0, 1])})
    >>> found
    {'town': ['land'], 'land': []}
    """
    names = list(coded)
    if not names or not len(coded[names[0]]):
        return {name: [] for name in names}
    sample = np.column_stack([coded[name][:SAMPLE_RECORDS] for name in names])
    found: dict[str, list[str]] = {}
    for at, name in enumerate(names):
        passed = _on_the_sample(sample, at)
        found[name] = [names[other] for other in passed if _on_the_whole(coded[name], coded[names[other]])]
    return found


def _on_the_sample(sample: NDArray[np.intp], at: int) -> list[int]:
    """The columns that stay the same wherever two neighbours in the order of column `at` are equal."""
    order = np.argsort(sample[:, at], kind="stable")
    same = np.flatnonzero(sample[order[1:], at] == sample[order[:-1], at])
    passed = np.array([other for other in range(sample.shape[1]) if other != at], dtype=np.intp)
    for pairs in (same[:FIRST], same[FIRST:]):
        upper, lower = sample[np.ix_(order[pairs], passed)], sample[np.ix_(order[pairs + 1], passed)]
        passed = passed[(upper == lower).all(axis=0)]
    return [int(other) for other in passed]


def _on_the_whole(codes: Labels, other: Labels) -> bool:
    """Whether one record of every category speaks for all of it."""
    spokesman = np.empty(int(codes.max()) + 2, dtype=other.dtype)
    spokesman[codes + 1] = other
    return bool((spokesman[codes + 1] == other).all())
