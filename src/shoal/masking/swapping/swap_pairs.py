"""Who swaps with whom: partners in another area, as similar as can be found, nobody twice."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.intp]
Keys = NDArray[np.uint64]
DRAWS = 20  # of a partner at random before all of a group are looked through; few groups are that lopsided


@dataclass(frozen=True)
class Pairing:
    """The partner of every household, -1 where it stays, and how many stand out and stay."""

    partner: Codes
    unmatched: int = 0


def pair_households(
    outstanding: list[NDArray[np.bool_]],
    places: list[Codes],
    profiles: list[Keys],
    rate: float,
    rng: np.random.Generator,
) -> Pairing:
    """Pair the households that stand out at every level, then others until the rate is reached.

    >>> one = [np.array([True, False, False])]
    >>> pair_households(one, [np.array([0, 1, 1])], [np.zeros(3, np.uint64)], 0, np.random.default_rng(1))
    Pairing(partner=array([ 2, -1,  0]), unmatched=0)
    """
    count = len(places[0])
    partner = np.full(count, -1, dtype=np.intp)
    random = Random(int(rng.integers(2**63)))
    wider = [np.zeros(count, dtype=np.intp), *places[:-1]]
    for stands_out, place, within in zip(outstanding, places, wider, strict=True):
        for profile in profiles:
            seekers = np.flatnonzero(stands_out & (partner < 0))
            _pair(seekers, place, _groups(within, profile), partner, random, count)
    unmatched = int((np.any(outstanding, axis=0) & (partner < 0)).sum())
    wanted = int(np.floor(rate * count))
    for profile in profiles:
        missing = wanted - int((partner >= 0).sum())
        if missing > 0:
            seekers = np.flatnonzero(partner < 0)
            _pair(seekers, places[-1], _groups(wider[-1], profile), partner, random, missing)
    return Pairing(partner, unmatched)


def _groups(within: Codes, profile: Keys) -> Codes:
    """Households of one wider area and one profile have one number."""
    profiles = np.unique(profile, return_inverse=True)[1].reshape(-1)
    both = within * (int(profiles.max()) + 1) + profiles
    return np.asarray(np.unique(both, return_inverse=True)[1].reshape(-1), dtype=np.intp)


def _pair(seekers: Codes, place: Codes, group: Codes, partner: Codes, random: Random, most: int) -> None:
    """Give the seekers partners of their group in another area; `partner` is filled, at most `most` move."""
    order = np.argsort(group, kind="stable")
    order = order[partner[order] < 0]
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    pools = {int(group[pool[0]]): pool.tolist() for pool in np.split(order, cuts) if len(pool)}
    places, taken = place.tolist(), (partner >= 0).tolist()
    waiting = seekers.tolist()
    random.shuffle(waiting)
    moved = 0
    for household in waiting:
        if moved >= most:
            break
        if taken[household]:
            continue
        found = _draw(pools[int(group[household])], household, places, taken, random)
        if found >= 0:
            partner[household], partner[found] = found, household
            taken[household] = taken[found] = True
            moved += 2


def _draw(pool: list[int], household: int, places: list[int], taken: list[bool], random: Random) -> int:
    """A free household of the pool in another area, at random, or -1; taken ones leave the pool."""
    here = places[household]
    for _ in range(min(DRAWS, len(pool))):
        at = int(random.random() * len(pool))
        candidate = pool[at]
        if taken[candidate]:
            pool[at] = pool[-1]
            pool.pop()
        elif places[candidate] != here:
            return candidate
        if not pool:
            return -1
    pool[:] = [candidate for candidate in pool if not taken[candidate]]
    elsewhere = [candidate for candidate in pool if places[candidate] != here]
    if not elsewhere:  # all that are left live here, the seekers to come too
        pool.clear()
        return -1
    return random.choice(elsewhere)
