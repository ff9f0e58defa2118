"""Evolving PRAM matrices: rows change until loss and risk are small in expectation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from shoal._check import check_choice, check_count, check_number
from shoal._door import takes_frames
from shoal._shared.workers import as_map, pooled
from shoal.evolve import Population, evolve, tournament
from shoal.masking.pram.pram import CATEGORICAL
from shoal.masking.protected_columns import protected_columns
from shoal.search.files.file_fitness import Figures, Fitness
from shoal.search.pram.pram_fitness import PramProblem, expected_figures, pose_pram
from shoal.search.pram.pram_genes import (
    Genes,
    check_diagonal,
    cross_rows,
    made_invariant,
    mutate_row,
    random_genes,
    standard_genes,
    within_limits,
)
from shoal.search.pram.pram_result import PramMatrices
from shoal.search.risk_warnings import warn_of_backwards, warn_of_risk
from shoal.table import Table
from shoal.types import Callback, Matrix, Progress, RandomState, Workers

FITNESSES: tuple[Fitness, ...] = ("mean", "max")
CROSSINGS = 0.3  # share of the children by crossover; no measurement on record


@pooled
@takes_frames
def evolve_pram(
    table: Table,
    *,
    fitness: Fitness = "max",
    invariant: bool = True,
    diagonal: tuple[float, float] = (0.5, 1.0),
    generations: int = 100,
    population: int = 40,
    patience: int | None = None,
    seconds: float | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> PramMatrices:
    """Find transition matrices for PRAM whose files lose little and hide much, by evolution.

    Parameters
    ----------
    table
        The table to protect.
    fitness
        What is minimised: the "max" or the "mean" of expected information loss and disclosure risk. The mean
        may be smallest where hardly anything is masked.
    invariant
        Keep the expected frequencies of every column (t P = t), so that analysts may count the released file;
        without it less may be lost, but every table must be corrected by the matrices.
    diagonal
        The lowest and the highest probability to stay; only a lowest one for invariant matrices. Below one
        half the measures alone are fooled: a matrix that exchanges two categories loses little by them and
        hides nothing from who knows it.
    generations
        At most this many; with 0 the best of the first matrices is returned.
    population
        Sets of matrices alive; the first are those of the three builders in ten settings each, and random
        ones.
    patience
        Stop after this many generations without better matrices.
    seconds
        Stop after this time. The only option that makes two runs with the same `rng` differ.
    columns
        The columns PRAM will change; the nominal and ordinal quasi-identifiers if not given.
    rng
        Seed or generator; the same one gives the same matrices, with any `workers`.
    workers
        A number of new processes, or any map-like callable that measures the children.
    callback
        Called with `Progress` after every generation; `best` are the matrices so far. Returning True stops.

    Returns
    -------
    PramMatrices
        A mapping from column names to matrices, rows in the order of the categories, to be given to
        `pram(matrices=...)`; or give `pram` the search itself, `partial(evolve_pram, generations=50)`.

    Warns
    -----
    PrivacyWarning
        If the disclosure risk is above 50 %, or if a masked category nearly tells which other one it was.

    Notes
    -----
    A mutant has entries of one row drawn anew and the row normalised; crossover exchanges a block of rows;
    parents and children compete. Fitness is expected over PRAM's draws, not measured on a drawn file: `dbil`,
    `interval_risk` of names and the `ebil` of the matrices exactly, `ctbil` by the distribution of the
    records that leave and arrive, `interval_risk` of ranks at the expected frequencies,
    `distance_linkage_risk` for at most 100 records with squared distances in sixteenths. Loss and risk
    are weighted as in `evolve_file`. Categories that nobody has stay, and are never drawn; missing cells
    stay missing. Time a child: O(d^2 c^2 + r d c) for c categories and r distinct records.

    The matrices are computed from the original file: publish them with as much care as any table of it.

    References
    ----------
    Marés, Torra: PRAM optimization using an evolutionary algorithm, Privacy in Statistical Databases,
    LNCS 6344 (2010); Marés, Shlomo: Data privacy using an evolutionary algorithm for invariant PRAM
    matrices, Computational Statistics and Data Analysis 79 (2014).

    Examples
    --------
    >>> from shoal.datasets import make_census
    >>> table = make_census(200, rng=1)
    >>> found = evolve_pram(table, columns=["sex", "education"], population=6, generations=3, rng=1)
    >>> sorted(found), found["sex"].sum(axis=1).round(9).tolist()
    (['education', 'sex'], [1.0, 1.0])
    """
    mapped = as_map(workers)
    rng = np.random.default_rng(rng)
    check_choice("fitness", fitness, FITNESSES)
    limits = check_diagonal(diagonal, invariant)
    count = int(check_number("population", check_count("population", population), 2))
    problem = pose_pram(table, protected_columns(table, columns, kinds=CATEGORICAL))
    frequencies = tuple(counts[:-1][counts[:-1] > 0] for counts in problem.counts)
    sought = Sought(problem, frequencies, limits, invariant, fitness)
    found = evolve(
        _first_genes(frequencies, count, rng),
        sought.score,
        vary=partial(_vary, count=max(count // 2, 1)),
        generations=generations,
        patience=patience,
        seconds=seconds,
        rng=rng,
        workers=mapped,
        callback=told(sought, callback),
    )
    matrices = sought.express(found.best)
    figures = expected_figures(problem, matrices)
    warn_of_risk(figures)
    warn_of_backwards(matrices, [counts[:-1] for counts in problem.counts])
    return PramMatrices(matrices, figures, found.fitness, found.history, found.stopped)


@dataclass(frozen=True)
class Sought:
    """What the matrices are for: what genes stand for, and how good that is expected to be."""

    problem: PramProblem
    frequencies: tuple[Matrix, ...]
    limits: tuple[float, float]
    invariant: bool
    fitness: Fitness

    def express(self, genes: Genes) -> dict[str, Matrix]:
        """The matrices: within the limits, invariant if asked for, for all categories."""
        low, high = self.limits
        matrices = {}
        for c, P in enumerate(genes):
            kept = (
                made_invariant(P, self.frequencies[c], low) if self.invariant else within_limits(P, low, high)
            )
            matrices[self.problem.coded.names[c]] = whole_matrix(kept, self.problem.counts[c])
        return matrices

    def figures(self, genes: Genes) -> Figures:
        """Expected loss and risk."""
        return expected_figures(self.problem, self.express(genes))

    def score(self, genes: Genes) -> float:
        """What is minimised."""
        return self.figures(genes).score(self.fitness)


def told(sought: Any, callback: Callback | None) -> Callback | None:
    """A callback that gets the best matrices, and their loss and risk in words."""
    if callback is None:
        return None

    def report(progress: Progress) -> bool | None:
        message = f"{progress.message}, {spoken(sought.figures(progress.best), sought.fitness)}"
        return callback(replace(progress, message=message, best=sought.express(progress.best)))

    return report


def spoken(figures: Figures, fitness: Fitness) -> str:
    """Loss, risk and score in words.

    >>> spoken(Figures(0, 0, 0, 0, 0, 0, 12.5, 40.0), "max")
    'loss 12.50, risk 40.00, score 40.00'
    """
    return (
        f"loss {figures.information_loss:.2f}, risk {figures.disclosure_risk:.2f}, "
        f"score {figures.score(fitness):.2f}"
    )


def whole_matrix(P: Matrix, counts: Matrix) -> Matrix:
    """The matrix of all categories: one that nobody has stays, and nobody comes to it."""
    seen = np.flatnonzero(counts[:-1] > 0)
    whole = np.eye(len(counts) - 1)
    whole[np.ix_(seen, seen)] = P
    return whole


def _first_genes(frequencies: Sequence[Matrix], count: int, rng: np.random.Generator) -> list[Genes]:
    """The builders' matrices, evenly spread if there is no room for all, and random ones."""
    standard = standard_genes(frequencies)
    if len(standard) > count:
        return [standard[place] for place in np.linspace(0, len(standard) - 1, count).astype(int)]
    return standard + [random_genes(frequencies, rng) for _ in range(count - len(standard))]


def _vary(population: Population, scores: Matrix, rng: np.random.Generator, *, count: int) -> list[Genes]:
    if not any(len(P) > 1 for P in population[0]):
        return []
    children: list[Genes] = []
    while len(children) < count:
        one, other = (population[int(p)] for p in tournament(scores, 2, rng))
        if rng.random() < CROSSINGS:
            children += cross_rows(one, other, rng)
        else:
            children.append(mutate_row(one, rng))
    return children[:count]
