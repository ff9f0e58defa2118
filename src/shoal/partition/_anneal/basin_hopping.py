"""Hopping: rebuild a few groups at a time, all others at rest, and accept a loss now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, reduce

import numpy as np

from shoal.partition._anneal.merge_partitions import cross
from shoal.partition._anneal.parallel import anneal_whole, everyone, rest
from shoal.partition._anneal.spatial_file import Nearby
from shoal.types import Labels, MapLike

MEMBERS = 2  # partitions, each by itself: two cores are the least there is
HOT, COLD = 0.3, 0.05  # in units of `Nearby.warmth`


def hop(
    near: Nearby,
    labels: Labels,
    k: int,
    rounds: Iterator[tuple[int, float]],
    rng: np.random.Generator,
    workers: MapLike,
    stop: Callable[[float, Labels], bool],
    members: int = MEMBERS,
) -> list[Labels]:
    """The best partition found; parameters as those of `generations`, and how many partitions hop.

    Every step ends where no move helps, so outliers are judged by what they cost a file at rest, not one in
    flux. The best is often passed on the way.
    """
    best, hopping, guide = labels, [labels] * members, everyone(near.near, 1.0)
    for sweeps, fraction in rounds:
        heat, each = HOT * (COLD / HOT) ** fraction, max(1, sweeps // members)
        hopping = anneal_whole(near, hopping, guide, k, sweeps=each, heat=heat, rng=rng, workers=workers)
        best = reduce(partial(cross, near.X), [rest(near, one, k) for one in hopping], best)
        if stop(fraction, best):
            break
    return [best]
