"""What a grouping of columns costs: information loss and disclosure risk, each shared part computed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_k
from shoal._door import takes_frames
from shoal.encode import encode
from shoal.errors import Infeasible, InvalidInput
from shoal.masking.protected_columns import protected_columns
from shoal.measures.record_linkage import TIE
from shoal.measures.risk.interval_risk import ROUNDING
from shoal.partition.labels import relabel, sizes
from shoal.partition.mdav import mdav
from shoal.search.column_groups.grouping_genes import (
    Columns,
    Genes,
    canonical,
    flat_names,
    genes_of,
    groups_of,
)
from shoal.table import Table
from shoal.types import Kind, MapLike, Matrix, Partitioner

NEAR = 0.1  # a masked value within 10 % of the original one is disclosed
NUMBERS: tuple[Kind, ...] = ("numeric",)
Intervals = Literal["values", "z-scores"]
INTERVALS: tuple[Intervals, ...] = ("values", "z-scores")
MEMORY = 2**28  # bytes for the clusters of groups of columns; beyond it the oldest are forgotten


class Cost(NamedTuple):
    """Percent of the squares lost, of the values nearly disclosed and of the records linked."""

    information_loss: float
    interval_risk: float
    linkage_risk: float

    @property
    def disclosure_risk(self) -> float:
        """The mean of the two risks."""
        return 0.5 * self.interval_risk + 0.5 * self.linkage_risk

    @property
    def score(self) -> float:
        """The mean of loss and risk, which the search minimises."""
        return (self.information_loss + self.disclosure_risk) / 2


class Effort(NamedTuple):
    """What a search asked for, and what it had to compute."""

    groupings_asked: int
    groupings_measured: int
    groups_asked: int
    groups_microaggregated: int


@dataclass(frozen=True)
class Problem:
    """A file as the search sees it: z-scores, the values themselves, and how to make clusters."""

    names: tuple[str, ...]
    X: Matrix
    values: Matrix
    k: int
    partition: Partitioner


class Part(NamedTuple):
    """One group of columns, microaggregated: the cluster of every record, squares lost, values near."""

    labels: NDArray[np.int32]
    lost: float
    near: int


def pose(
    table: Table,
    k: int,
    partition: Partitioner,
    columns: Iterable[str] | None,
    intervals: Intervals = "values",
) -> Problem:
    """The problem of a table, checked: numbers without holes."""
    check_choice("intervals", intervals, INTERVALS)
    names, k = protected_columns(table, columns), check_k(k, len(table))
    X, values = complete_numbers(table, names)
    values = X if intervals == "z-scores" else values
    # shares of a value stay what they are when a column is multiplied, by a power of two without rounding
    values = np.ldexp(values, -np.frexp(np.abs(values).max(axis=0))[1])
    return Problem(tuple(names), X, values, k, partition)


def complete_numbers(table: Table, names: Sequence[str]) -> tuple[Matrix, Matrix]:
    """The columns as z-scores and as they are; anything but complete numbers is refused."""
    protected_columns(table, names, kinds=NUMBERS)
    values = np.column_stack([table.column(name) for name in names])
    if np.isnan(values).any():
        row, column = np.argwhere(np.isnan(values))[0]
        raise InvalidInput(
            f"Column {names[column]!r} has a missing value at row {row}, and grouping columns needs complete "
            "ones; fill in or drop the missing values, or leave the column out."
        )
    return np.ascontiguousarray(encode(table, names)), values


class Costs:
    """The cost of groupings, asked for in batches; what was computed once is remembered.

    Squares lost and values near belong to a group of columns alone, so every distinct group is
    microaggregated once; only linkage looks at all groups of a grouping.
    """

    def __init__(self, problem: Problem, workers: MapLike = map) -> None:
        self._problem, self._workers = problem, workers
        self._total = float(((problem.X - problem.X.mean(axis=0)) ** 2).sum())
        self._known: dict[Genes, Cost] = {}
        self._parts: OrderedDict[Columns, Part] = OrderedDict()
        self._limit = max(MEMORY // (4 * len(problem.X)), 1)
        self._asked = self._groups_asked = self._made = 0

    def __call__(self, groupings: Sequence[Genes]) -> list[Cost]:
        """The costs of these groupings, in order."""
        groupings = [canonical(genes) for genes in groupings]
        new = [genes for genes in dict.fromkeys(groupings) if genes not in self._known]
        self._microaggregate(new)
        tasks = [(groups, [self._parts[group].labels for group in groups]) for groups in map(groups_of, new)]
        links = self._workers(partial(linkage_risk, self._problem.X), tasks)
        for genes, link in zip(new, links, strict=True):
            self._known[genes] = self._cost(genes, link)
        while len(self._parts) > self._limit:
            self._parts.popitem(last=False)
        self._asked += len(groupings)
        self._groups_asked += sum(max(genes) + 1 for genes in groupings)
        return [self._known[genes] for genes in groupings]

    @property
    def effort(self) -> Effort:
        """How much was asked for and how much was computed, so far."""
        return Effort(self._asked, len(self._known), self._groups_asked, self._made)

    def _microaggregate(self, groupings: Sequence[Genes]) -> None:
        """Have a part for every group of these groupings; those used last are forgotten last."""
        needed = dict.fromkeys(group for genes in groupings for group in groups_of(genes))
        new = [group for group in needed if group not in self._parts]
        for group, part in zip(new, self._workers(partial(mask_group, self._problem), new), strict=True):
            self._parts[group] = part
        for group in needed:
            self._parts.move_to_end(group)
        self._made += len(new)

    def _cost(self, genes: Genes, link: float) -> Cost:
        parts = [self._parts[group] for group in groups_of(genes)]
        lost = sum(part.lost for part in parts)
        near = sum(part.near for part in parts)
        loss = 100.0 * lost / self._total if self._total > 0 else 0.0
        return Cost(loss, 100.0 * near / self._problem.X.size, link)


def mask_group(problem: Problem, columns: Columns) -> Part:
    """Microaggregate one group of columns by itself."""
    from shoal._kernels.evolution.column_group_costs import measure_group

    X = np.ascontiguousarray(problem.X[:, columns])
    labels = np.asarray(problem.partition(X.copy(), problem.k))
    if labels.shape != (len(X),) or labels.min() < 0 or sizes(relabel(labels)).min() < problem.k:
        raise Infeasible(
            f"The partitioner returned a group of fewer than k = {problem.k} records; do not use it."
        )
    clusters = relabel(labels).astype(np.int32)
    values = np.ascontiguousarray(problem.values[:, columns])
    lost, near = measure_group(X, values, NEAR * (1 + ROUNDING), clusters)
    return Part(clusters, float(lost), int(near))


def linkage_risk(X: Matrix, task: tuple[Sequence[Columns], Sequence[NDArray[np.int32]]]) -> float:
    """Percent of the records whose own masked record is the nearest one, and the only one that near."""
    from shoal._kernels.evolution.column_group_costs import count_linked

    groups, labels = task
    order = sorted(range(len(groups)), key=lambda h: -len(groups[h]))  # the group that tells most comes first
    columns = [column for h in order for column in groups[h]]
    ends = np.cumsum([0, *(len(groups[h]) for h in order)])
    clusters = np.ascontiguousarray(np.column_stack([labels[h] for h in order]))
    return 100.0 * count_linked(np.ascontiguousarray(X[:, columns]), ends, clusters, TIE) / len(X)


@takes_frames
def grouping_cost(
    table: Table,
    groups: Sequence[Sequence[str]],
    *,
    k: int,
    partition: Partitioner = mdav,
    intervals: Intervals = "values",
) -> Cost:
    """Loss and risk of microaggregating these groups of columns apart, as `gomm` measures them.

    Parameters
    ----------
    table
        The table to protect.
    groups
        Groups of numeric columns without missing values.
    k
        Minimum number of records in a cluster.
    partition
        Any partitioner `f(X, k) -> labels`.
    intervals
        What 10 % of a value means: of the "values" as they are, or of their "z-scores", as in the thesis.

    Returns
    -------
    Cost
        `information_loss`, `interval_risk`, `linkage_risk`, `disclosure_risk` and `score`, 0 to 100.

    Notes
    -----
    The figures are `sse_loss`, `interval_risk` (10 % of the value) and `distance_linkage_risk` (a tie is no
    link) of what `microaggregate` makes. Cost: one call of the partitioner per group, and linkage, in time
    O(n^2 d / k) at least and O(n^2 g) at most.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"a": [1.0, 2.0, 9.0, 10.0], "b": [7.0, 1.0, 8.0, 2.0]})
    >>> together, apart = (grouping_cost(table, groups, k=2) for groups in ([["a", "b"]], [["a"], ["b"]]))
    >>> together.linkage_risk, apart.linkage_risk, together.information_loss > apart.information_loss
    (0.0, 100.0, True)
    """
    problem = pose(table, k, partition, flat_names(groups), intervals)
    return Costs(problem)([genes_of(groups, problem.names)])[0]
