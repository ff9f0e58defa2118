"""Mend: groups that were made in blocks are improved across the cuts between the blocks."""

from __future__ import annotations

import numpy as np

from shoal._shared.options import sub_progress
from shoal.partition._blocks.cut_blocks import Rows, chunks, cut_blocks, group_blocks, work_on
from shoal.partition.local_search import local_search
from shoal.types import Callback, Labels, MapLike, Matrix

ROUNDS = 3  # of cutting elsewhere; chosen, not measured
BLOCK_RECORDS = 50_000  # records in a block: the search takes linear time, and fewer cuts cost less
LEAST_RECORDS, NUMBERS_PER_RECORD, COLUMNS_OF_POSITIONS = (
    6_000,
    40,
    0.6,
)  # in a small file, see `_block_records`


def mend(
    X: Matrix,
    rows: Rows,
    size: Labels,
    k: int,
    *,
    workers: MapLike = map,
    callback: Callback | None = None,
) -> Labels:
    """Local search in blocks of whole groups that are cut elsewhere in every round; never worse than before.

    `rows` are group by group and stay so, sorted in place. The new sizes of the groups, k to 2k-1, are
    returned. Returning True from the callback stops.

    >>> rows = np.array([0, 3, 1, 2])
    >>> mend(np.array([[0.0], [0.1], [5.0], [5.1]]), rows, np.array([2, 2]), 2), rows
    (array([2, 2]), array([0, 1, 3, 2]))
    """
    turn = np.random.default_rng(0)  # any directions will do; always the same ones
    for done in range(ROUNDS):
        turned = _centres(X, rows, size) @ np.linalg.qr(turn.normal(size=(X.shape[1],) * 2))[0]
        groups_per_block = max(_block_records(X) * len(size) // len(X), 1)
        parts = cut_blocks(turned, np.arange(len(size), dtype=np.int32), 1, groups_per_block)
        del turned  # memory counts
        size, stopped = _one_round(X, rows, size, k, parts, workers, sub_progress(callback, done, ROUNDS))
        if stopped or len(parts) == 1:
            break
    return size


def _block_records(X: Matrix) -> int:
    """Records in a block, so that memory stays below three times the file.

    A record in the block takes the room of NUMBERS numbers; the positions of all rows that of ROWS columns.

    >>> _block_records(np.zeros((200_000, 5)))
    22000
    """
    return min(
        BLOCK_RECORDS,
        max(LEAST_RECORDS, int(len(X) * (X.shape[1] - COLUMNS_OF_POSITIONS) / NUMBERS_PER_RECORD)),
    )


def _centres(X: Matrix, rows: Rows, size: Labels) -> Matrix:
    """The mean of every group, up to one factor: sums neither overflow nor vanish."""
    scale = np.ldexp(1.0, -int(np.frexp(max(X.max(), -X.min()))[1]))
    centres = np.empty((len(size), X.shape[1]))
    for groups, places in chunks(size):
        inside = size[groups]
        sums = np.add.reduceat(X[rows[places]] * scale, np.cumsum(inside) - inside)
        centres[groups] = sums / inside[:, None]
    return centres


def _one_round(
    X: Matrix,
    rows: Rows,
    size: Labels,
    k: int,
    parts: list[Rows],
    workers: MapLike,
    callback: Callback | None,
) -> tuple[Labels, bool]:
    """Search every part of the groups; the sizes afterwards, and whether the callback said stop."""
    blocks = _sort_by_part(rows, size, parts)

    def labels_before(number: int) -> Labels:
        return np.repeat(np.arange(len(parts[number])), size[parts[number]])

    tasks = ((X[block], k, labels_before(number)) for number, block in enumerate(blocks))
    results = work_on(_search, tasks, len(blocks), workers)
    return group_blocks(blocks, results, labels_before, callback, "mended block")


def _sort_by_part(rows: Rows, size: Labels, parts: list[Rows]) -> list[Rows]:
    """Sort the rows in place so that the groups of every part follow each other; the rows of every part."""
    old, start, ends = rows.copy(), np.cumsum(size) - size, [0]
    for part in parts:
        count = size[part]
        first = np.repeat(start[part] - np.cumsum(count) + count, count)
        ends.append(ends[-1] + len(first))
        rows[ends[-2] : ends[-1]] = old[first + np.arange(len(first))]
    return np.split(rows, ends[1:-1])


def _search(task: tuple[Matrix, int, Labels]) -> Labels:
    X, k, labels = task
    return local_search(X, k, start=labels)
