"""Random numbers inside kernels: a small generator whose whole state is one number in an array."""

from __future__ import annotations

from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.jit import inner

Dice: TypeAlias = NDArray[np.uint64]  # one number, never zero

A, B, C, LOW = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(11)


def dice_of(rng: np.random.Generator) -> Dice:
    """Dice that a generator has thrown into their first position."""
    return rng.integers(1, 2**63, size=1, dtype=np.uint64)


@inner
def uniform(dice: Dice) -> float:
    """The next number in [0, 1): Marsaglia's xorshift, good enough to shuffle, not to encrypt."""
    state = dice[0]
    state ^= state << A
    state ^= state >> B
    state ^= state << C
    dice[0] = state
    return (state >> LOW) * (1.0 / 9007199254740992.0)


@inner
def below(dice: Dice, limit: int) -> int:
    """The next whole number in 0..limit-1."""
    return int(uniform(dice) * limit)


@inner
def exponential(dice: Dice) -> float:
    """The loss that is accepted at temperature one: Metropolis' rule, with the number drawn first."""
    return -log(1.0 - uniform(dice))
