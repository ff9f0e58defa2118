"""Breeding groupings: operators make children, the best live on, useless operators are dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.evolve import keep_best
from shoal.search.column_groups.grouping_genes import Genes
from shoal.search.column_groups.grouping_operators import OPERATORS, crossover
from shoal.types import Matrix

START = "start"  # the operator of the first population


@dataclass(eq=False)
class Individual:
    """One grouping from birth to death; two clones are two individuals."""

    genes: Genes
    operator: str = START
    born: int = 0  # the generation
    expected: float = np.nan  # the parent's cost, or the mean of the parents'
    cost: float = np.nan
    used: bool = False  # as a parent
    died: int | None = None  # the generation whose selection discarded it

    @property
    def groups(self) -> int:
        """The number of groups."""
        return max(self.genes) + 1


class Breeding:
    """Breeds and selects generation by generation, and remembers every individual.

    `plan` says how often every operator is applied in a generation. With `idle`, an operator all of whose
    children are discarded at once that many generations in a row is dropped (D-GOMM). `individuals` are
    all that were ever born, `best` and `mean_groups` have one number per generation from the first on.
    """

    def __init__(self, first: Sequence[Individual], plan: Mapping[str, int], idle: int | None = None) -> None:
        self._plan = {operator: times for operator, times in plan.items() if times}
        self._limit = idle
        self._idle = dict.fromkeys(self._plan, 0)
        self.individuals = list(first)
        self.generation = 0
        self.best: list[float] = []
        self.mean_groups: list[float] = []

    def vary(
        self, population: Sequence[Individual], scores: Matrix, rng: np.random.Generator
    ) -> list[Individual]:
        """The children of a generation: every operator as often as planned, on parents drawn at random."""
        self.generation += bool(self._plan)
        children = []
        for operator in OPERATORS:
            for _ in range(self._plan.get(operator.__name__, 0)):
                count = 2 if operator is crossover else 1
                drawn = rng.choice(len(population), size=count, replace=False)
                parents = [population[position] for position in drawn]
                expected = sum(parent.cost for parent in parents) / count
                for parent in parents:
                    parent.used = True
                for genes in operator(*(parent.genes for parent in parents), rng):
                    children.append(Individual(genes, operator.__name__, self.generation, expected))
        self.individuals += children
        return children

    def survive(
        self,
        population: Sequence[Individual],
        scores: Matrix,
        children: Sequence[Individual],
        child_scores: Matrix,
    ) -> tuple[Any, Matrix]:
        """The elitist merge, in which a child must be better than those who are there already."""
        survivors, merged = keep_best(population, scores, children, child_scores)
        living = set(survivors)
        for one in (*population, *children):
            if one not in living:
                one.died = self.generation
        self.note(survivors)
        self._drop_idle({one.operator for one in children if one in living})
        return survivors, merged

    def note(self, population: Any) -> None:
        """Remember the best cost and the mean number of groups of the population."""
        self.best.append(min(one.cost for one in population))
        self.mean_groups.append(float(np.mean([one.groups for one in population])))

    def _drop_idle(self, useful: set[str]) -> None:
        for operator in list(self._plan):
            self._idle[operator] = 0 if operator in useful else self._idle[operator] + 1
            if self._limit is not None and self._idle[operator] >= self._limit:
                del self._plan[operator]
