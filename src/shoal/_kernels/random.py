"""Random numbers inside kernels: a small generator whose whole state is one number in an array."""

from __future__ import annotations

from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.jit import kernel_only

XorshiftState: TypeAlias = NDArray[np.uint64]  # one number, never zero

# Shifts of Marsaglia's generator of period 2^64 - 1, and the bits beyond the 53 that a double holds.
A, B, C, LOW = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(11)


def xorshift_state(rng: np.random.Generator) -> XorshiftState:
    """A state to begin with, drawn by numpy's generator."""
    return rng.integers(1, 2**63, size=1, dtype=np.uint64)


@kernel_only
def uniform(state: XorshiftState) -> float:
    """The next number in [0, 1): Marsaglia's xorshift, good enough to shuffle, not to encrypt."""
    word = state[0]
    word ^= word << A
    word ^= word >> B
    word ^= word << C
    state[0] = word
    return (word >> LOW) * (1.0 / 9007199254740992.0)


@kernel_only
def below(state: XorshiftState, limit: int) -> int:
    """The next whole number in 0..limit-1."""
    return int(uniform(state) * limit)


@kernel_only
def exponential(state: XorshiftState) -> float:
    """The loss that is accepted at temperature one: Metropolis' rule, with the number drawn first."""
    return -log(1.0 - uniform(state))
