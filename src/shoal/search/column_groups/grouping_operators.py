"""The genetic operators of GOMM: a crossover that exchanges whole groups, and five mutations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from shoal.search.column_groups.grouping_genes import Genes, groups_of, renamed

Operator: TypeAlias = Callable[..., Sequence[Genes]]


def crossover(first: Genes, second: Genes, rng: np.random.Generator) -> tuple[Genes, Genes]:
    """Two children: a section of one parent's groups, and the other columns grouped as in the other parent.

    >>> crossover((0, 1, 2, 0, 1), (0, 0, 0, 1, 1), np.random.default_rng(12))
    ((2, 0, 1, 3, 0), (0, 0, 0, 1, 2))
    """
    here, there = _section(first, rng), _section(second, rng)
    return _inject(first, here, second), _inject(second, there, first)


def _section(genes: Genes, rng: np.random.Generator) -> range:
    """A crossing section: neighbours in the group part, at least one group."""
    low, high = sorted(rng.choice(max(genes) + 2, size=2, replace=False).tolist())
    return range(low, high)


def _inject(giver: Genes, section: range, taker: Genes) -> Genes:
    """The giver's groups of the section come first (Figure 3.3), then what is left of the taker's."""
    return renamed(
        (0, given) if given in section else (1, kept) for given, kept in zip(giver, taker, strict=True)
    )


def group_create(parent: Genes, rng: np.random.Generator) -> tuple[Genes]:
    """A random set of columns, of any size, becomes a new group.

    >>> group_create((0, 1, 0, 1), np.random.default_rng(6))
    ((1, 0, 0, 2),)
    """
    size = int(rng.integers(1, len(parent) + 1))
    created = set(rng.choice(len(parent), size=size, replace=False).tolist())
    return (renamed(-1 if column in created else group for column, group in enumerate(parent)),)


def group_eliminate(parent: Genes, rng: np.random.Generator) -> tuple[Genes]:
    """The columns of a random group are spread over the others; a single group stays as it is.

    >>> group_eliminate((0, 1, 1, 2), np.random.default_rng(2))
    ((0, 1, 1, 0),)
    """
    count = max(parent) + 1
    if count == 1:
        return (parent,)
    gone = int(rng.integers(count))
    places = [group for group in range(count) if group != gone]
    homes = rng.choice(places, size=len(parent)).tolist()
    return (renamed(homes[column] if group == gone else group for column, group in enumerate(parent)),)


def group_split(parent: Genes, rng: np.random.Generator) -> tuple[Genes]:
    """A random group is split into two halves; a single column stays as it is.

    >>> group_split((0, 0, 0, 0), np.random.default_rng(1))
    ((1, 1, 0, 0),)
    """
    columns = groups_of(parent)[int(rng.integers(max(parent) + 1))]
    half = set(rng.permutation(columns)[: len(columns) // 2].tolist())
    return (renamed(max(parent) + 1 if column in half else group for column, group in enumerate(parent)),)


def element_swap(parent: Genes, rng: np.random.Generator) -> tuple[Genes]:
    """Two random columns exchange their groups (the same grouping if they share one).

    >>> element_swap((0, 0, 1, 1), np.random.default_rng(3))
    ((1, 0, 0, 1),)
    """
    if len(parent) == 1:
        return (parent,)
    a, b = rng.choice(len(parent), size=2, replace=False).tolist()
    child = list(parent)
    child[a], child[b] = child[b], child[a]
    return (renamed(child),)


def element_move(parent: Genes, rng: np.random.Generator) -> tuple[Genes]:
    """A random column moves to another group; with a single group everything stays as it is.

    >>> element_move((0, 0, 1, 1, 2), np.random.default_rng(4))
    ((0, 0, 1, 0, 2),)
    """
    count = max(parent) + 1
    if count == 1:
        return (parent,)
    column = int(rng.integers(len(parent)))
    child = list(parent)
    child[column] = (parent[column] + int(rng.integers(1, count))) % count
    return (renamed(child),)


MUTATIONS: tuple[Operator, ...] = (group_create, group_eliminate, group_split, element_swap, element_move)
OPERATORS: tuple[Operator, ...] = (crossover, *MUTATIONS)
