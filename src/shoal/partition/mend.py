"""Mend: groups that were made in blocks trade records across the cuts between the blocks."""

from __future__ import annotations

import numpy as np

from shoal.partition.blocks import Rows, cut_blocks, work_on
from shoal.partition.labels import means, sizes
from shoal.partition.neighbours import nearest_records
from shoal.types import Callback, Labels, MapLike, Matrix, Progress, part_of

ROUNDS = 12
WORTH = 0.00125  # a round that gains less of the sum of squares, per record of a group, is the last
MOST_WORTH = 0.005
NEAR = 8  # neighbours a group may trade with


def mend(
    X: Matrix, labels: Labels, *, block_size: int, workers: MapLike = map, callback: Callback | None = None
) -> Labels:
    """Neighbouring groups trade records, in blocks of whole groups that are cut elsewhere in every round.

    Sizes stay and the sum of squares falls. `labels` are 0..g-1; returning True from the callback stops.

    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> mend(X, np.array([0, 1, 1, 0]), block_size=4)
    array([0, 0, 1, 1])
    """
    labels, size, d = labels.copy(), sizes(labels), X.shape[1]
    scale = np.ldexp(1.0, -int(np.frexp(max(X.max(), -X.min()))[1]))  # squares neither overflow nor vanish
    together = max(block_size * len(size) // len(X), 2)
    turn = np.random.default_rng(0)  # any directions will do; always the same ones
    for done in range(ROUNDS):
        turned = means(X, labels) @ np.linalg.qr(turn.normal(size=(d, d)))[0]
        blocks = list(cut_blocks(turned, np.arange(len(size), dtype=np.int32), 1, together))
        before, gain = _one_round(X, scale, labels, size, blocks, workers, part_of(callback, done, ROUNDS))
        if gain <= min(WORTH * (len(X) / len(size) - 1), MOST_WORTH) * before:  # small groups gain slowly
            break
    return labels


def _one_round(
    X: Matrix,
    scale: float,
    labels: Labels,
    size: Labels,
    blocks: list[Rows],
    workers: MapLike,
    callback: Callback | None,
) -> tuple[float, float]:
    """Change the labels in place; the sum of squares before, and what was gained (nothing, if stopped)."""
    order, start = np.argsort(labels, kind="stable").astype(np.int32), np.cumsum(size) - size
    chosen = [_rows_of(groups, order, start, size) for groups in blocks]
    tasks = ((X[rows] * scale, size[groups]) for rows, groups in zip(chosen, blocks, strict=True))
    before = gain = 0.0
    for done, (traded, block_before, block_gain) in enumerate(work_on(_trade, tasks, workers)):
        rows, groups = chosen[done], blocks[done]
        labels[rows[traded]] = np.repeat(groups, size[groups])
        before, gain = before + block_before, gain + block_gain
        if callback is not None and callback(Progress((done + 1) / len(blocks), "mending")):
            return before, 0.0
    return before, gain


def _rows_of(groups: Rows, order: Rows, start: Labels, size: Labels) -> Rows:
    """The rows of these groups, group by group; `order` holds the rows of all of them."""
    first = np.repeat(start[groups] - np.cumsum(size[groups]) + size[groups], size[groups])
    rows: Rows = order[first + np.arange(len(first))]
    return rows


def _trade(task: tuple[Matrix, Labels]) -> tuple[Labels, float, float]:
    """Rows of a block of groups after all trades; the sum of squares before, and what was gained."""
    from shoal._kernels.redivide import redivide

    X, size = task
    X = X - X.mean(axis=0)  # an offset costs digits
    ends = np.cumsum(size)
    centres = np.add.reduceat(X, ends - size) / size[:, None]
    near = nearest_records(centres, min(NEAR, len(size) - 1))
    rows = np.arange(len(X))
    before, gain = redivide(X, rows, np.concatenate([[0], ends]), near)
    return rows, before, gain
