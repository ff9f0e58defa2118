"""Generations of partitions of a small file: anneal many from hot, then again what they do not agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from shoal.partition._anneal.calibrate import Heats, heats_from, pilot_heat
from shoal.partition._anneal.consensus import companions, disputed
from shoal.partition._anneal.merge_partitions import cross
from shoal.partition._anneal.parallel import Guide, anneal_whole, everyone, rest
from shoal.partition._anneal.spatial_file import Nearby
from shoal.partition.labels import sse
from shoal.types import Labels, MapLike

MEMBERS, FEWEST = 8, 2
EACH = 2_000  # tries per record that a member is worth
PILOT = 0.08  # share of the search to learn the temperatures, with the fewest members
ENOUGH = 200  # tries per record that a pilot needs
FIRST = 0.6  # until when the first generation cools down from hot
LATER = 4  # generations share the rest
REBUILT = 0.1  # share of the moves, times k, that rebuild groups: about half of the time


def generations(
    near: Nearby,
    labels: Labels,
    k: int,
    rounds: Iterator[tuple[int, float]],
    rng: np.random.Generator,
    workers: MapLike,
    stop: Callable[[float, Labels], bool],
) -> list[Labels]:
    """The best partition found, and the others at last.

    `rounds` tell how many tries per record there are for all members, and which part of the search is over.
    """
    best, old, young, guide = labels, [labels] * FEWEST, [labels] * FEWEST, everyone(near.near, REBUILT / k)
    generation, heats, flight = -1, Heats(), Flight([], [], 0)
    for sweeps, fraction in rounds:
        while generation < generation_at(fraction):
            if generation < 0:
                heats, old = flight.heats(), [labels] * flight.members()
            else:
                old = improved(near, old, young, k)
                best, guide = reduce(partial(cross, near.X), old, best), _guide(near, old, k, rng)
            young = [best if number % 2 else one for number, one in enumerate(old)]
            generation += 1
        heat, tries = heat_at(fraction, heats), sweeps * len(labels)  # as many for few records as for all
        each = max(1, tries // len(guide.turns) // len(young))
        young = anneal_whole(near, young, guide, k, sweeps=each, heat=heat, rng=rng, workers=workers)
        if generation < 0:
            loss = sse(near.X, rest(near, young[0], k))
            flight = Flight([*flight.at, heat], [*flight.losses, loss], flight.tries + sweeps)
        if stop(fraction, best):
            break
    old = improved(near, old, young, k)
    return [reduce(partial(cross, near.X), old, best), *old]


def improved(near: Nearby, old: list[Labels], young: list[Labels], k: int) -> list[Labels]:
    """Every member by itself, so that they stay different: what came out better in some part of the file."""
    return [cross(near.X, one, rest(near, other, k)) for one, other in zip(old, young, strict=True)]


class Flight(NamedTuple):
    """What a pilot has seen: temperatures, the losses after a descent from each, and tries per record."""

    at: list[float]
    losses: list[float]
    tries: int

    def heats(self) -> Heats:
        """The temperatures that matter; usual ones if the pilot was too quick to tell."""
        return heats_from(self.at, self.losses) if self.tries >= ENOUGH else Heats()

    def members(self) -> int:
        """As many as the whole search can care for, an even number: two cores are the least there is.

        >>> Flight([], [], 10).members(), Flight([], [], 700).members(), Flight([], [], 2000).members()
        (2, 4, 8)
        """
        return max(FEWEST, min(2 * round(self.tries / PILOT / EACH / 2), MEMBERS))


def _guide(near: Nearby, population: Sequence[Labels], k: int, rng: np.random.Generator) -> Guide:
    """Who is not in the same group everywhere looks for the company it has elsewhere."""
    turns = disputed(population)
    if len(turns) == 0:
        return everyone(near.near, REBUILT / k)
    return Guide(companions(population, k, rng), False, turns, REBUILT / k)


def generation_at(fraction: float) -> int:
    """The number of the generation: -1 for the pilot, 0 for the first.

    >>> [generation_at(fraction) for fraction in (0.0, 0.1, 0.59, 0.61, 1.0)]
    [-1, 0, 0, 1, 4]
    """
    if fraction < FIRST:
        return 0 if fraction >= PILOT else -1
    return 1 + min(int((fraction - FIRST) / (1 - FIRST) * LATER), LATER - 1)


def heat_at(fraction: float, heats: Heats) -> float:
    """The temperature, which falls by equal factors in equal times within a generation.

    >>> [round(heat_at(fraction, Heats(2.0, 0.08)), 2) for fraction in (0.0, PILOT, 0.5999, FIRST)]
    [10.0, 2.0, 0.08, 0.4]
    """
    if fraction < PILOT:
        return pilot_heat(fraction / PILOT)
    if fraction < FIRST:
        return float(heats.hot * (heats.cold / heats.hot) ** ((fraction - PILOT) / (FIRST - PILOT)))
    since = (fraction - FIRST) / (1 - FIRST) * LATER - generation_at(fraction) + 1
    return float(heats.mild * (heats.cold / heats.mild) ** min(since, 1.0))
