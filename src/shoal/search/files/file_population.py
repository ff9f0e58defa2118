"""Masked files that evolve: cells mutate, files cross over, a child replaces its like if it is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.evolve import Population, tournament
from shoal.search.files.coded_file import Cells, CodedFile
from shoal.search.files.file_fitness import Edits, Figures, Fitness, count_sheet, edit, read
from shoal.types import Labels, MapLike, Matrix

if TYPE_CHECKING:
    from shoal._kernels.evolution.file_counts import Sheet

RIVALS = 4  # files of a tournament; chosen, not measured
STEP = 0.05  # a number mutates to one about this share of all values away; chosen, not measured


@dataclass(eq=False)
class Candidate:
    """A masked file: made by these edits from the parent it resembles, or one of the first."""

    sheet: Sheet
    parent: int = -1
    edits: Edits | None = None  # none are left once the sheet has them
    figures: Figures | None = None


class FilePopulation:
    """The variation and survival of masked files; `alive` are the present ones."""

    def __init__(
        self, coded: CodedFile, *, fitness: Fitness, children: int, crossover: float, workers: MapLike
    ) -> None:
        self._coded, self._fitness, self._workers = coded, fitness, workers
        self._children, self._crossover = children, crossover
        rules = coded.rules
        # a cell without an original value stays without; a column of one value has no other
        self._open = np.flatnonzero((rules.original < rules.sizes - 1) & (rules.sizes > 2))
        self.alive: Sequence[Candidate] = []

    def first(self, files: Sequence[Cells]) -> list[Candidate]:
        """The first candidates, counted in full."""
        sheets = self._workers(partial(count_sheet, self._coded), files)
        self.alive = [Candidate(sheet) for sheet in sheets]
        return list(self.alive)

    def measure(self, candidates: Sequence[Candidate]) -> Matrix:
        """Scores, after the edits of the candidates were made."""
        tasks = [(one.sheet, one.edits) for one in candidates]
        for one, (sheet, figures) in zip(
            candidates, self._workers(partial(grow, self._coded), tasks), strict=True
        ):
            one.sheet, one.edits, one.figures = sheet, None, figures
        return np.array([one.figures.score(self._fitness) for one in candidates if one.figures])

    def vary(self, population: Population, scores: Matrix, rng: np.random.Generator) -> list[Candidate]:
        """Children of parents drawn by tournament: mutants, and now and then two by crossover."""
        if not len(self._open):
            return []
        children: list[Candidate] = []
        crossings = rng.binomial(self._children, self._crossover / 2) if len(population) > 1 else 0
        for _ in range(crossings):
            first, second = (int(p) for p in rng.choice(len(population), size=2, replace=False))
            children += cross(population, first, second, rng)
        mutants = max(self._children - 2 * crossings, 1)
        cells = self._open[rng.integers(len(self._open), size=mutants)]
        for parent, cell in zip(tournament(scores, mutants, rng, size=RIVALS), cells, strict=True):
            children.append(self._mutate(population[parent], int(parent), int(cell), rng))
        return children

    def survive(
        self, population: Population, scores: Matrix, children: Population, child_scores: Matrix
    ) -> tuple[Population, Matrix]:
        """Elitist crowding: a child that is not worse takes the place of the parent it resembles."""
        living, kept = list(population), scores.copy()
        for child, score in zip(children, child_scores, strict=True):
            if score <= kept[child.parent]:
                living[child.parent], kept[child.parent] = child, score
        self.alive = living
        return living, kept

    def _mutate(self, candidate: Candidate, parent: int, cell: int, rng: np.random.Generator) -> Candidate:
        """One cell takes another valid value: any other category, or a number not far away."""
        row, column = divmod(cell, len(self._coded.names))
        old, count = int(candidate.sheet.cells[row, column]), len(self._coded.values[column])
        new = int(rng.integers(count - 1 if old < count else count))
        if self._coded.rules.square[column] < 0 and old < count:
            far = 1 + int(rng.exponential(STEP * count))
            new = old + far if rng.random() < 0.5 else old - far
            new = min(max(new, 0), count - 1)
            new = new if new != old else (old + 1 if old + 1 < count else old - 1)
        elif old < count:
            new += new >= old
        edits = Edits(*(np.array([number], dtype=np.intp) for number in (row, column, new)))
        return Candidate(candidate.sheet, parent, edits)


def grow(coded: CodedFile, task: tuple[Any, Edits | None]) -> tuple[Any, Figures]:
    """The sheet with the edits made, and its figures."""
    sheet, edits = task
    grown = sheet if edits is None else edit(coded, sheet, edits)
    return grown, read(coded, grown)


def cross(population: Any, first: int, second: int, rng: np.random.Generator) -> list[Candidate]:
    """Two-point crossover of flattened cells; each child is written as changes of the parent it resembles.

    Children that equal a parent are left out.
    """
    one, other = (population[p].sheet.cells.reshape(-1) for p in (first, second))
    differ = np.flatnonzero(one != other)
    low, high = np.sort(rng.integers(len(one) + 1, size=2))
    inside = (differ >= low) & (differ < high)
    if inside.all() or not inside.any():
        return []
    if 2 * inside.sum() > len(differ):  # exchanging the ends gives the same two children
        inside = ~inside
    places, width = differ[inside], population[first].sheet.cells.shape[1]
    return [
        Candidate(population[first].sheet, first, _exchange(places, other, width)),
        Candidate(population[second].sheet, second, _exchange(places, one, width)),
    ]


def _exchange(places: Labels, giver: Cells, width: int) -> Edits:
    rows, columns = np.divmod(places, width)
    return Edits(rows, columns, giver[places].astype(np.intp))
