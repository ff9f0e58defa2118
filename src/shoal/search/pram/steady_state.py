"""Steady-state genetic programming: the losers of a tournament make room for the children of its winners."""

from __future__ import annotations

import numpy as np

from shoal.evolve import Population
from shoal.search.pram.equation_operators import offspring
from shoal.search.pram.equations import Tree
from shoal.types import Labels, Matrix

RIVALS = 4  # of a tournament; no measurement on record


class SteadyState:
    """Variation and survival of one tournament at a time (the thesis' Algorithm 2).

    The fittest individual is never lost: it never loses a tournament, unless to one as fit.
    """

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._losers: Labels = np.empty(0, dtype=np.intp)

    def vary(self, population: Population, scores: Matrix, rng: np.random.Generator) -> list[Tree]:
        """Children of the two winners, as many as there are losers to replace, at most two."""
        rivals = rng.choice(len(population), size=min(RIVALS, len(population)), replace=False)
        ranked = rivals[np.argsort(scores[rivals], kind="stable")]
        self._losers = ranked[max(len(ranked) - 2, 1) :]
        one, other = population[int(ranked[0])], population[int(ranked[1])]
        children = offspring(one, other, rng, deepest=self._deepest)
        if len(children) < len(self._losers):  # a mutant of each winner
            children += offspring(other, one, rng, deepest=self._deepest)
        return children[: len(self._losers)]

    def survive(
        self, population: Population, scores: Matrix, children: Population, child_scores: Matrix
    ) -> tuple[list[Tree], Matrix]:
        """The children in the place of the losers."""
        living, kept = list(population), scores.copy()
        for place, child, score in zip(self._losers, children, child_scores, strict=True):
            living[int(place)], kept[place] = child, score
        return living, kept
