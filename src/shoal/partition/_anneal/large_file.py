"""A large file: warmed up until it melts, then cooled down, in parts cut elsewhere in every round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp

import numpy as np

from shoal.partition._anneal.merge_partitions import cross
from shoal.partition._anneal.parallel import anneal_parts, rest
from shoal.partition._anneal.spatial_file import Nearby
from shoal.partition.labels import sse
from shoal.types import Labels, MapLike

FIRST, COLD = 0.35, 0.2  # temperatures when it is warmed up and at last, in units of `Nearby.warmth`
STEP, STEEPEST = 0.015, 0.2  # by how much the logarithm rises with every try per record, in a round at most
MELTED = 1.2  # times the least loss so far
WARMING = 0.15  # share of the search, at most


def melt_and_cool(
    near: Nearby,
    labels: Labels,
    k: int,
    rounds: Iterator[tuple[int, float]],
    rng: np.random.Generator,
    workers: MapLike,
    stop: Callable[[float, Labels], bool],
) -> list[Labels]:
    """The best partition found; parameters as those of `generations`.

    Where a file melts depends on its outliers: normal records do at 0.7, skewed ones at 4 and more. Much
    hotter would be a waste of time, colder would leave the outliers where they are.
    """
    current, hot, since, warming, least = labels, FIRST, 0.0, True, np.inf
    for sweeps, fraction in rounds:
        if warming:
            loss = sse(near.X, current)
            least = min(least, loss)
            warming = fraction < WARMING and loss < MELTED * least
            hot, since = hot * exp(min(STEP * sweeps, STEEPEST) if warming else 0.0), fraction
        heat = hot * (COLD / hot) ** ((fraction - since) / (1 - since))
        current = anneal_parts(near, current, k, sweeps=sweeps, heat=heat, rng=rng, workers=workers)
        if stop(fraction, labels):
            break
    return [cross(near.X, labels, rest(near, current, k))]
