"""Which cells to suppress so that every record looks like k: patterns of columns, the cheapest ones first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels, Matrix

Codes: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Pattern: TypeAlias = tuple[int, ...]
MOST_PATTERNS = 4096  # sets of columns that are tried; of more columns small and light ones only


@dataclass(frozen=True)
class Classes:
    """The distinct records: their codes, how many records each stands for, and the class of every record."""

    codes: Codes
    counts: Codes
    of_record: Labels

    def without(self, pattern: Pattern, chosen: Codes | None = None) -> Labels:
        """Number the (chosen) classes that look alike once the columns of the pattern are suppressed."""
        kept = [column for column in range(self.codes.shape[1]) if column not in pattern]
        return number_rows(self.codes[:, kept] if chosen is None else self.codes[chosen][:, kept])


def number_rows(codes: Codes) -> Labels:
    """Number equal rows alike, 0..c-1; exact for any number of columns.

    >>> number_rows(np.array([[1, 0], [0, 5], [1, 0]]))
    array([1, 0, 1])
    """
    keys, bound = np.zeros(len(codes), dtype=np.int64), 1
    for column in codes.T:
        width = int(column.max()) + 2
        if bound * width >= 2**62:
            keys = np.unique(keys, return_inverse=True)[1].reshape(-1)
            bound = len(codes)
        keys, bound = keys * width + column + 1, bound * width
    return np.unique(keys, return_inverse=True)[1].reshape(-1)


def classes_of(codes: Codes) -> Classes:
    """The distinct rows of a matrix of codes."""
    labels = number_rows(codes)
    first = np.unique(labels, return_index=True)[1]
    return Classes(codes[first], np.bincount(labels), labels)


def patterns_of(weights: Matrix) -> list[tuple[float, Pattern]]:
    """Sets of columns with their weight, the lightest first; of many columns only small and light sets."""
    columns = range(len(weights))
    found: list[Pattern] = []
    for size in range(1, len(weights) + 1):
        sets = list(combinations(columns, size))
        if len(found) + len(sets) > MOST_PATTERNS:
            break
        found += sets
    light = np.argsort(weights, kind="stable").tolist()
    tails = [tuple(sorted(light[:size])) for size in range(1, len(weights) + 1)]
    every = dict.fromkeys([*found, *tails])
    return sorted((float(weights[list(pattern)].sum()), pattern) for pattern in every)


def suppress_as_wildcard(codes: Codes, k: int, weights: Matrix, most: int | None = None) -> Mask:
    """Cells to suppress so that every record agrees with k records wherever both have a value.

    At most `most` cells of a record are suppressed; where that is not enough, nothing else is done for it.

    Of the records that look alike without the pattern's columns, only as many are suppressed as the others
    need: a suppressed record looks like all of them.
    """
    classes = classes_of(codes)
    alike = classes.counts.copy()  # records each class is known to look like, itself included
    chosen: dict[int, Pattern] = {}

    def outcome(pattern: Pattern) -> tuple[Codes, Codes, Codes]:
        """Classes to suppress, classes that are helped so, and by how many records."""
        labels = classes.without(pattern)
        total = np.bincount(labels, weights=classes.counts)
        needy = np.flatnonzero((alike < k) & (total[labels] >= k))
        needy = needy[np.lexsort((alike[needy], labels[needy]))]
        before = _running_sum(classes.counts[needy], labels[needy])
        suppressed = alike[needy] + before < k
        gift = np.bincount(
            labels[needy], weights=classes.counts[needy] * suppressed, minlength=len(total)
        ).astype(np.intp)
        return needy[suppressed], needy[~suppressed], gift[labels[needy[~suppressed]]]

    def price(pattern: Pattern) -> float:
        """Suppressed cells for every record that is helped."""
        suppressed, helped, _ = outcome(pattern)
        records = classes.counts[suppressed].sum() + classes.counts[helped].sum()
        return float(classes.counts[suppressed].sum() / records) if records else np.inf

    patterns = [entry for entry in patterns_of(weights) if most is None or len(entry[1]) <= most]
    for pattern in _cheapest_first(patterns, price, lambda: bool((alike < k).any())):
        suppressed, helped, gift = outcome(pattern)
        alike[suppressed] = len(codes)
        alike[helped] += gift
        chosen.update(dict.fromkeys(suppressed.tolist(), pattern))
    return _mask(classes, chosen)


def suppress_strictly(codes: Codes, k: int, weights: Matrix) -> Mask:
    """Cells to suppress so that every record equals k records, a suppressed cell being a value of its own.

    Records below k join others that lack company too; where too few do, records are taken from classes that
    can spare them, if that is cheaper than suppressing more columns.
    """
    classes = classes_of(codes)
    lonely = classes.counts < k
    chosen: dict[int, Pattern] = {}
    spare = np.maximum(classes.counts - k, 0) * ~lonely
    drafts: list[tuple[int, int, Pattern]] = []
    for _, pattern, least in _offers(patterns_of(weights), k):
        if not lonely.any():
            break
        looked_at = np.flatnonzero(lonely | (spare > 0) if least < k else lonely)
        labels = classes.without(pattern, looked_at)
        crowd = np.bincount(labels, weights=(classes.counts * lonely)[looked_at])
        need = np.where((crowd >= least) & (crowd > 0), np.maximum(k - crowd, 0), np.inf)
        need[np.bincount(labels, weights=spare[looked_at]) < need] = np.inf
        served = np.isfinite(need[labels])
        joined = looked_at[lonely[looked_at] & served]
        chosen.update(dict.fromkeys(joined.tolist(), pattern))
        lonely[joined] = False
        for number, taken in _drafted(spare[looked_at], labels, np.where(np.isinf(need), 0, need)):
            spare[looked_at[number]] -= taken
            drafts.append((int(looked_at[number]), taken, pattern))
    return _joined(codes, _mask(classes, chosen, drafts), k, weights)


def _offers(patterns: Sequence[tuple[float, Pattern]], k: int) -> list[tuple[float, Pattern, int]]:
    """Patterns by their price for a record that lacks company: of u such records, k are suppressed."""
    crowds = sorted({max(1, k >> shift) for shift in range(k.bit_length())} | {k}, reverse=True)
    return sorted((weight * k / least, pattern, least) for weight, pattern in patterns for least in crowds)


def _drafted(spare: Codes, labels: Labels, need: Matrix) -> list[tuple[int, int]]:
    """Which classes give how many records, so that every label gets what it needs, from the largest first."""
    givers = np.flatnonzero((spare > 0) & (need[labels] > 0))
    givers = givers[np.lexsort((-spare[givers], labels[givers]))]
    before = _running_sum(spare[givers], labels[givers])
    taken = np.clip(need[labels[givers]] - before, 0, spare[givers]).astype(int)
    return [(int(giver), int(count)) for giver, count in zip(givers, taken, strict=True) if count]


def _joined(codes: Codes, mask: Mask, k: int, weights: Matrix) -> Mask:
    """The few without company join the smallest class that looks like them after the lightest pattern."""
    for _, pattern in patterns_of(weights):
        classes = classes_of(np.where(mask, -1, codes))
        lonely = classes.counts < k
        if not lonely.any():
            break
        labels = classes.without(pattern)
        order = np.argsort(-classes.counts, kind="stable")
        host = np.full(labels.max() + 1, -1, dtype=np.intp)
        settled = order[~lonely[order]]
        host[labels[settled]] = settled  # written last wins: the smallest class
        joining = lonely & (host[labels] >= 0)
        joining[host[labels[joining]]] = True
        rows = np.flatnonzero(joining[classes.of_record])
        mask = mask.copy()
        mask[rows[:, None], np.array(pattern)] = True
    return mask


def _cheapest_first(
    patterns: Sequence[tuple[float, Pattern]],
    price: Callable[[Pattern], float],
    unfinished: Callable[[], bool],
) -> Iterator[Pattern]:
    """Patterns by weight, equally heavy ones by price at the time their weight's turn comes."""
    for _, same in groupby(patterns, key=lambda entry: entry[0]):
        if not unfinished():
            return
        yield from sorted((pattern for _, pattern in same), key=price)


def _running_sum(values: Codes, labels: Labels) -> Codes:
    """For every entry the sum of the entries before it with the same label; equal labels lie together."""
    if not len(values):
        return values
    before = np.cumsum(values) - values
    first = np.flatnonzero(np.append(True, labels[1:] != labels[:-1]))
    base: Codes = np.repeat(before[first], np.diff(np.append(first, len(values))))
    return before - base


def _mask(
    classes: Classes, chosen: dict[int, Pattern], drafts: Sequence[tuple[int, int, Pattern]] = ()
) -> Mask:
    """The cells of whole classes, and of single records drafted from a class."""
    by_class = np.zeros(classes.codes.shape, dtype=bool)
    for row, pattern in chosen.items():
        by_class[row, list(pattern)] = True
    mask = by_class[classes.of_record]
    rows = np.argsort(classes.of_record, kind="stable")
    start = np.cumsum(classes.counts) - classes.counts
    for number, count, pattern in drafts:
        taken = rows[start[number] : start[number] + count]
        start[number] += count
        mask[taken[:, None], np.array(pattern)] = True
    return mask
