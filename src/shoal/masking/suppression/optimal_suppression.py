"""The least weight of suppressed cells, proven by integer programming: for small files."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shoal.errors import InvalidInput
from shoal.masking.suppression.wildcards import Codes, Mask, classes_of
from shoal.types import Matrix

MOST_CHOICES = 60_000  # ways to suppress cells of distinct records: HiGHS needs some seconds for these


@dataclass(frozen=True)
class ProvenMask:
    """The best mask found, and the weight that no mask goes below."""

    mask: Mask | None
    bound: float


def optimal_suppression(codes: Codes, k: int, weights: Matrix, seconds: float) -> ProvenMask:
    """Choose for every distinct record how many of its copies lose which cells, so that all classes reach k.

    A class is used or not; a used one has at least k records. Only classes that enough records could join are
    looked at.
    """
    distinct = classes_of(codes)
    names, counts, d = distinct.codes, distinct.counts, codes.shape[1]
    if len(names) * 2**d > MOST_CHOICES:
        raise InvalidInput(
            f"`certify` looks at {len(names) * 2**d} ways to suppress cells, more than {MOST_CHOICES}; take "
            "fewer columns or records, or leave it out."
        )
    label: dict[tuple[int, ...], int] = {}
    choices: list[tuple[int, int, float]] = []  # record, class, weight of a copy
    for row, record in enumerate(names.tolist()):
        choices += [(row, label.setdefault(key, len(label)), lost) for key, lost in _ways(record, weights)]
    rows, used, cost = (np.array(part) for part in zip(*choices, strict=True))
    enough = np.bincount(used, weights=counts[rows], minlength=len(label)) >= k
    keep = enough[used]
    rows, used, cost = rows[keep], used[keep], cost[keep]
    copies, bound = _solve(rows, (np.cumsum(enough) - 1)[used], cost, counts, k, seconds)
    if copies is None:
        return ProvenMask(None, bound)
    keys = {number: key for key, number in label.items()}
    return ProvenMask(_as_mask(codes, distinct.of_record, rows, used, copies, keys), bound)


def _ways(record: list[int], weights: Matrix) -> list[tuple[tuple[int, ...], float]]:
    """Every record this one may become, with the weight of the cells it loses."""
    seen = [column for column, value in enumerate(record) if value >= 0]
    ways = []
    for size in range(len(seen) + 1):
        for pattern in combinations(seen, size):
            key = tuple(-1 if column in pattern else value for column, value in enumerate(record))
            ways.append((key, float(weights[list(pattern)].sum())))
    return ways


def _solve(
    rows: Codes, used: Codes, cost: Matrix, counts: Codes, k: int, seconds: float
) -> tuple[Matrix | None, float]:
    """How many copies of a record go to a class, for every choice, and what no solution weighs less than."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    m, c = len(rows), int(used.max()) + 1
    at, one = np.arange(m), np.ones(m)
    every = coo_array((one, (rows, at)), shape=(len(counts), m + c))
    full = (np.append(one, np.full(c, -float(k))), (np.append(used, np.arange(c)), np.arange(m + c)))
    only = (np.append(one, -counts[rows].astype(float)), (np.tile(at, 2), np.append(at, m + used)))
    found = milp(
        np.append(cost, np.zeros(c)),
        integrality=np.ones(m + c),
        bounds=Bounds(0, np.append(counts[rows], np.ones(c))),
        constraints=[
            LinearConstraint(every.tocsr(), counts, counts),
            LinearConstraint(coo_array(full, shape=(c, m + c)).tocsr(), 0, np.inf),
            LinearConstraint(coo_array(only, shape=(m, m + c)).tocsr(), -np.inf, 0),
        ],
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    bound = 0.0 if found.mip_dual_bound is None else max(float(found.mip_dual_bound), 0.0)
    return (None if found.x is None else found.x[:m]), bound


def _as_mask(
    codes: Codes, of_record: Codes, rows: Codes, used: Codes, copies: Matrix, keys: dict[int, tuple[int, ...]]
) -> Mask:
    """The cells of as many copies of every distinct record as were chosen for each class."""
    mask = np.zeros(codes.shape, dtype=bool)
    members = np.argsort(of_record, kind="stable")
    start = np.searchsorted(of_record[members], np.arange(of_record.max() + 1))
    for row, number, count in zip(rows.tolist(), used.tolist(), np.rint(copies).astype(int), strict=True):
        chosen = members[start[row] : start[row] + count]
        start[row] += count
        mask[chosen] = (np.array(keys[number]) < 0) & (codes[chosen] >= 0)
    return mask
