"""Subset-row cuts: of any three records, at most one group of a partition holds two or more.

Shares of groups, as the linear programme mixes them, break this rule: four records may be covered by a third
of each of their four triples. A triple that is broken gets a fee (the dual value of its cut), which every
group pays that holds two of its records. Fees are taken off the bound and allow higher prices, which gain
more. The cuts are known from vehicle routing.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from shoal.partition._bound.highs import Groups, Triples, members
from shoal.types import Matrix

LEAST = 0.02  # by how much a triple must be broken; no measurement on record
PER_RECORD = 4  # new ones in a round; no measurement on record
USED = 1e-4  # a share that counts; no measurement on record


def find_triples(groups: Groups, shares: Matrix, known: Triples, n: int) -> Triples:
    """The triples that these shares of groups break the most, besides those known, a few for every record.

    >>> groups = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], dtype=np.int32)
    >>> find_triples(groups, np.full(4, 1 / 3), np.array([[0, 1, 3]]), 4).tolist()
    [[0, 1, 2], [0, 2, 3], [1, 2, 3]]
    """
    found, excess = _broken(groups[shares > USED], shares[shares > USED], n)
    order = np.argsort(-excess, kind="stable")
    taken, uses, old = [], np.zeros(n, dtype=np.intp), set(map(tuple, known.tolist()))
    for triple in found[order[excess[order] > LEAST]].tolist():
        if tuple(triple) not in old and (uses[triple] < PER_RECORD).all():
            uses[triple] += 1
            taken.append(triple)
    return np.array(taken, dtype=np.int32).reshape(-1, 3)


def _broken(groups: Groups, shares: Matrix, n: int) -> tuple[Triples, Matrix]:
    """All triples that shares of groups break, and by how much."""
    from scipy.sparse import csr_array, diags_array, triu

    from shoal._kernels.bound.broken_triples import broken_triples

    held = members(groups, n)
    pairs = csr_array(triu(held.T @ diags_array(shares) @ held, k=1))
    pairs.sort_indices()
    of_record = csr_array(held.T)
    return broken_triples(
        pairs.indptr.astype(np.intp),
        pairs.indices.astype(np.int32),
        pairs.data,
        of_record.indptr.astype(np.intp),
        of_record.indices.astype(np.int32),
        np.ascontiguousarray(groups),
        shares,
    )


def by_record(triples: Triples, fees: Matrix, n: int) -> tuple[NDArray[np.intp], NDArray[np.int32], Matrix]:
    """Where the triples of every record begin in two lists: the other two, and half of the fee.

    >>> by_record(np.array([[0, 1, 3]], dtype=np.int32), np.array([2.0]), 4)[1].tolist()
    [[1, 3], [0, 3], [0, 1]]
    """
    triples, fees = triples[fees > 0], fees[fees > 0]
    own = triples.T.ravel()
    others = np.concatenate([triples[:, [1, 2]], triples[:, [0, 2]], triples[:, [0, 1]]])
    order = np.argsort(own, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=n))]).astype(np.intp)
    return first, np.ascontiguousarray(others[order]), np.tile(fees / 2, 3)[order]


def needs_pricing(triples: Triples, fees: Matrix, safe: Matrix, k: int, size: int) -> bool:
    """Could a group of `size` > k records gain although no group of k does?

    Let no group T of k records cost less than its members pay, fees considered. A group G of m records costs
    1 / (1 - s) times the mean over its T, s = 1 - m (k-1) / (k (m-1)), each record counted once; a triple
    within G is paid 1 + e times by these T, one of which G holds two records at most once. So G does not
    gain if s times its cost is at least e times the fees within it; and G costs at least 1 / (1 - s) times
    what its members pay at prices that are `safe` without fees. A record answers for a third of the fees of
    its triples.
    """
    spare = 1 - size * (k - 1) / (k * (size - 1))
    times = (comb(size, k) - comb(size - 3, k) - 3 * comb(size - 3, k - 1)) / comb(size - 1, k - 1)
    own = np.bincount(triples.ravel(), weights=np.repeat(fees, 3), minlength=len(safe)) / 3
    return bool(((times - 1) * own > spare / (1 - spare) * safe).any())
