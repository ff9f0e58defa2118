"""Groupings of columns as chromosomes: the group of every column, groups in the order they came in.

The thesis' chromosome has an object part (the group of every column) and a group part (the groups, in an
order that crossover cuts). Here both are one tuple: groups are named 0, 1, 2, ... in the order in which they
came into the chromosome, so the group part is 0..max. Two chromosomes that mean the same grouping have the
same `canonical` form.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from shoal._check import check_names
from shoal.errors import InvalidInput

Genes: TypeAlias = tuple[int, ...]
Columns: TypeAlias = tuple[int, ...]  # positions of the columns of one group, in order


def canonical(names: Iterable[Hashable]) -> Genes:
    """The grouping with its groups renamed 0, 1, 2, ... in order of first appearance.

    >>> canonical("DBCEB") == canonical("ABCDB") == (0, 1, 2, 3, 1)
    True
    """
    rank: dict[Hashable, int] = {}
    return tuple(rank.setdefault(name, len(rank)) for name in names)


def renamed(names: Iterable[Any]) -> Genes:
    """The grouping with its groups renamed 0, 1, 2, ... in ascending order of their names.

    >>> renamed([7, 2, 7, -1])
    (2, 1, 2, 0)
    """
    given = list(names)
    rank = {name: number for number, name in enumerate(sorted(set(given)))}
    return tuple(rank[name] for name in given)


def random_genes(d: int, rng: np.random.Generator) -> Genes:
    """Every one of d columns draws one of d group names.

    >>> len(random_genes(5, np.random.default_rng(1)))
    5
    """
    return renamed(rng.integers(d, size=d).tolist())


def groups_of(genes: Genes) -> list[Columns]:
    """The positions of the columns of every group.

    >>> groups_of((0, 1, 0))
    [(0, 2), (1,)]
    """
    groups: list[list[int]] = [[] for _ in range(max(genes) + 1)]
    for column, group in enumerate(genes):
        groups[group].append(column)
    return [tuple(group) for group in groups]


def flat_names(groups: Sequence[Sequence[str]]) -> list[str]:
    """All names of the groups, if it is groups that were given.

    >>> flat_names([["b", "c"], ["a"]])
    ['b', 'c', 'a']
    """
    if isinstance(groups, str) or any(isinstance(group, str) for group in groups):
        raise InvalidInput("A grouping must be a list of lists of names, as [['a', 'b'], ['c']], got text.")
    return [name for group in groups for name in group]


def genes_of(groups: Sequence[Sequence[str]], names: Sequence[str]) -> Genes:
    """The chromosome of groups of column names, groups in the order given; every name must be in one group.

    >>> genes_of([["b", "c"], ["a"]], ["a", "b", "c"])
    (1, 0, 0)
    """
    flat = check_names(flat_names(groups), names)
    left = [name for name in names if name not in flat]
    if left:
        raise InvalidInput(f"A grouping leaves out column {left[0]!r}; every column needs one group.")
    group = {name: number for number, members in enumerate(groups) for name in members}
    return renamed(group[name] for name in names)
