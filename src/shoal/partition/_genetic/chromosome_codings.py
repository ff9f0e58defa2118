"""Codings: a partition as a name per record, as cuts of an order, or as Gray-coded bits of the names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from shoal.errors import InvalidInput
from shoal.types import Labels, Matrix

Coding = Literal["n-ary", "binary", "gray"]
CODINGS: tuple[Coding, ...] = ("n-ary", "binary", "gray")


@dataclass(frozen=True)
class Chromosomes:
    """A coding for one file: its letters, and how rows of letters become rows of group numbers, and back.

    `groups` bounds the group numbers that `decode` gives; `draw` makes a first population.
    """

    letters: int
    groups: int
    decode: Callable[[Labels], Labels]
    encode: Callable[[Labels], Labels]
    draw: Callable[[int, np.random.Generator], Labels]


def chromosomes_of(coding: Coding, X: Matrix, k: int) -> Chromosomes:
    """The coding for prepared records."""
    n, groups = len(X), len(X) // k
    if coding == "n-ary":
        return Chromosomes(groups, groups, _as_it_is, _as_it_is, partial(_draw_names, n, k))
    if coding == "binary":
        order = leading_order(X)
        return Chromosomes(
            2,
            n,
            partial(names_from_cuts, order),
            partial(_cuts_from_names, order),
            partial(random_cuts, n, k),
        )
    bits = max(int(np.ceil(np.log2(groups))), 1)
    encode = partial(gray_from_names, bits)

    def draw(count: int, rng: np.random.Generator) -> Labels:
        return encode(_draw_names(n, k, count, rng))

    return Chromosomes(2, groups, partial(names_from_gray, bits, groups), encode, draw)


def leading_order(X: Matrix) -> Labels:
    """Rows in ascending order of the column, or of the first principal component of several columns.

    >>> leading_order(np.array([[3.0], [1.0], [2.0]]))
    array([1, 2, 0])
    """
    if X.shape[1] == 1:
        return np.argsort(X[:, 0], kind="stable")
    axis = np.linalg.eigh(X.T @ X)[1][:, -1]
    return np.argsort(X @ (axis * np.sign(axis[np.argmax(np.abs(axis))])), kind="stable")


def names_from_cuts(order: Labels, cuts: Labels) -> Labels:
    """Group numbers from bits that are 1 where a group begins; the first record begins one in any case.

    >>> names_from_cuts(np.array([2, 0, 1]), np.array([[0, 0, 1]]))
    array([[0, 1, 0]])
    """
    names = np.cumsum(cuts, axis=1) - cuts[:, :1]
    found = np.empty_like(names)
    found[:, order] = names
    return found


def _cuts_from_names(order: Labels, names: Labels) -> Labels:
    """The bits of partitions whose groups are stretches of the order."""
    sorted_names = names[:, order]
    cuts = np.ones_like(names)
    cuts[:, 1:] = sorted_names[:, 1:] != sorted_names[:, :-1]
    if (cuts.sum(axis=1) != [len(np.unique(row)) for row in names]).any():
        raise InvalidInput(
            '`initial` has groups that are no stretches of the sorted records, and coding="binary" can only '
            'write such; take coding="n-ary".'
        )
    return cuts


def random_cuts(n: int, k: int, count: int, rng: np.random.Generator) -> Labels:
    """Bits drawn at random, every stretch of k to 2k-1 records.

    >>> random_cuts(5, 2, 3, np.random.default_rng(1))
    array([[1, 0, 0, 1, 0],
           [1, 0, 1, 0, 0],
           [1, 0, 1, 0, 0]])
    """
    cuts = np.zeros((count, n), dtype=np.intp)
    for row in cuts:
        groups = int(rng.integers(-(-n // (2 * k - 1)), n // k, endpoint=True))
        room = np.repeat(np.arange(groups), k - 1)
        more = rng.choice(room, size=n - groups * k, replace=False)
        lengths = k + np.bincount(more, minlength=groups)
        row[np.cumsum(lengths) - lengths] = 1
    return cuts


def gray_from_names(bits: int, names: Labels) -> Labels:
    """Every group number as its bits in Gray code, in which neighbours differ in one bit.

    >>> gray_from_names(2, np.array([[0, 1, 2, 3]]))
    array([[0, 0, 0, 1, 1, 1, 1, 0]])
    """
    gray = names ^ (names >> 1)
    letters: Labels = (gray[:, :, None] >> np.arange(bits)[::-1]) & 1
    return letters.reshape(len(names), -1)


def names_from_gray(bits: int, groups: int, letters: Labels) -> Labels:
    """Group numbers from Gray-coded bits; numbers beyond the last group begin again at the first.

    >>> names_from_gray(2, 4, np.array([[0, 0, 0, 1, 1, 1, 1, 0]]))
    array([[0, 1, 2, 3]])
    """
    binary = np.bitwise_xor.accumulate(letters.reshape(len(letters), -1, bits), axis=2)
    names: Labels = binary @ (1 << np.arange(bits)[::-1])
    return names % groups


def _as_it_is(chromosomes: Labels) -> Labels:
    return chromosomes


def _draw_names(n: int, k: int, count: int, rng: np.random.Generator) -> Labels:
    from shoal._kernels.partitioners.genetic import random_chromosomes

    drawn: Labels = random_chromosomes(count, n, n // k, k, rng)
    return drawn
