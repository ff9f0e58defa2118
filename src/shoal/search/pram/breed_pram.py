"""Breeding equations for PRAM matrices: genetic programming, and equations applied to any file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from shoal._check import check_choice, check_count, check_number
from shoal._door import takes_frames
from shoal._shared.workers import as_map, pooled
from shoal.encode.categories import categorise
from shoal.evolve import Population, evolve, replace, tournament
from shoal.masking.pram.pram import CATEGORICAL
from shoal.masking.protected_columns import protected_columns
from shoal.search.files.file_fitness import Figures, Fitness
from shoal.search.pram.equation_operators import half_and_half, offspring
from shoal.search.pram.equations import Equation, Tree, simplified, value_of
from shoal.search.pram.evolve_pram import FITNESSES, told, whole_matrix
from shoal.search.pram.pram_fitness import PramProblem, expected_figures, pose_pram
from shoal.search.pram.pram_genes import check_diagonal, made_invariant, within_limits
from shoal.search.pram.pram_result import PramMatrices
from shoal.search.pram.steady_state import RIVALS, SteadyState
from shoal.search.risk_warnings import warn_of_backwards, warn_of_risk
from shoal.table import Table
from shoal.types import Callback, Matrix, RandomState, Workers

Mode = Literal["generational", "steady"]
MODES: tuple[Mode, ...] = ("generational", "steady")


@pooled
@takes_frames
def breed_pram(
    table: Table,
    *,
    fitness: Fitness = "max",
    invariant: bool = True,
    diagonal: tuple[float, float] = (0.5, 1.0),
    mode: Mode = "generational",
    generations: int = 30,
    population: int = 60,
    deepest: int = 5,
    patience: int | None = None,
    seconds: float | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> PramMatrices:
    """Breed an equation for PRAM matrices: one formula for all columns, that can be read and used again.

    Parameters
    ----------
    table, fitness, patience, seconds, columns, workers, callback
        As in `evolve_pram`.
    invariant
        Keep the expected frequencies of every column (t P = t): the matrix of the equation is followed by the
        one that brings them back.
    diagonal
        The lowest and the highest probability to stay; see `evolve_pram`.
    mode
        "generational": children take the place of all but the best equation; "steady": the two winners of a
        tournament of four have children, which take the place of its losers.
    generations
        At most this many; with 0 the best of the first equations is returned. A steady generation is as many
        children as there are equations, too.
    population
        Equations alive; the first are drawn half and half, full and grown trees of all depths.
    deepest
        Levels of operators an equation may have.
    rng
        Seed or generator; the same one gives the same equation, with any `workers`.

    Returns
    -------
    PramMatrices
        A mapping from column names to matrices, to be given to `pram(matrices=...)`; `.equation` prints as
        text, `.equation.latex()` and `.equation.save("equation.json")`; `equation_matrices` applies it to
        another file.

    Warns
    -----
    PrivacyWarning
        As `evolve_pram` does.

    Notes
    -----
    The equation gives the probability that category k becomes another category l, from the shares f_k and f_l
    of the records that have them and the number n of categories. Its sign is ignored; what is no number is
    0; a row that adds up to more than 1 is scaled down; the rest stays. Variation: subtree crossover, and
    subtree, point, hoist, collapse and expansion mutation, each as often; a child that is too deep is its
    parent again. Fitness as in `evolve_pram`, and so is its cost; missing cells stay missing.

    References
    ----------
    Marés Soler: Categorical data protection on statistical datasets and social networks, thesis, Universitat
    Autònoma de Barcelona (2013), section 4.2; Koza: Genetic programming, MIT Press (1992).

    Examples
    --------
    >>> from shoal.datasets import make_census
    >>> table = make_census(200, rng=1)
    >>> found = breed_pram(table, columns=["sex", "education"], population=8, generations=2, rng=1)
    >>> again = equation_matrices(table, equation=str(found.equation), columns=["sex", "education"])
    >>> bool(np.allclose(again["sex"], found["sex"]))
    True
    """
    mapped = as_map(workers)
    rng = np.random.default_rng(rng)
    check_choice("fitness", fitness, FITNESSES)
    check_choice("mode", mode, MODES)
    limits = check_diagonal(diagonal, invariant)
    count = int(check_number("population", check_count("population", population), 2))
    levels = check_count("deepest", deepest)
    problem = pose_pram(table, protected_columns(table, columns, kinds=CATEGORICAL))
    sought = SoughtEquation(problem, limits, fitness, invariant)
    steady, tournament_of_four = mode == "steady", SteadyState(levels)
    turns = max(count // 2, 1) if steady else 1  # of the loop in a generation
    found = evolve(
        half_and_half(count, min(levels, 4), rng),
        sought.score,
        vary=tournament_of_four.vary if steady else partial(vary_trees, count=count - 1, deepest=levels),
        survive=tournament_of_four.survive if steady else partial(replace, elite=1),
        generations=int(check_number("generations", generations, 0)) * turns,
        patience=None if patience is None else check_count("patience", patience) * turns,
        seconds=seconds,
        rng=rng,
        workers=mapped,
        callback=told(sought, callback),
    )
    equation = Equation(simplified(found.best))
    matrices = sought.express(equation.tree)
    figures = expected_figures(problem, matrices)
    warn_of_risk(figures)
    warn_of_backwards(matrices, [counts[:-1] for counts in problem.counts])
    return PramMatrices(matrices, figures, found.fitness, found.history, found.stopped, equation)


@takes_frames
def equation_matrices(
    table: Table,
    *,
    equation: Equation | str,
    invariant: bool = True,
    diagonal: tuple[float, float] = (0.5, 1.0),
    columns: Iterable[str] | None = None,
) -> dict[str, Matrix]:
    """PRAM matrices of a table by an equation, one of `breed_pram` or of your own.

    Parameters
    ----------
    table
        The table to protect.
    equation
        The equation, or its text: made of f_k, f_l, n, numbers, + - * / and brackets.
    invariant
        Keep the expected frequencies, as `breed_pram` does unless told otherwise.
    diagonal
        The lowest and the highest probability to stay.
    columns
        The columns PRAM will change; the nominal and ordinal quasi-identifiers if not given.

    Returns
    -------
    dict
        Matrices by column name, to be given to `pram(matrices=...)`.

    Notes
    -----
    As in `breed_pram`. A category that nobody has stays, and is never drawn; missing cells take no part.
    Time O(n) a column.

    References
    ----------
    Marés Soler: Categorical data protection on statistical datasets and social networks, thesis, Universitat
    Autònoma de Barcelona (2013), section 4.2.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "m", "m", "m"]}, roles={"quasi": ["sex"]})
    >>> equation_matrices(table, equation="0.4 * f_l", invariant=False)["sex"].round(3).tolist()
    [[0.7, 0.3], [0.1, 0.9]]
    """
    limits = check_diagonal(diagonal, invariant)
    tree = (equation if isinstance(equation, Equation) else Equation.from_text(equation)).tree
    matrices = {}
    for name in protected_columns(table, columns, kinds=CATEGORICAL):
        codes, categories = categorise(table, name)
        counts = np.bincount(codes[codes >= 0], minlength=len(categories) + 1).astype(np.float64)
        matrices[name] = tree_matrix(tree, counts, limits, invariant)
    return matrices


def tree_matrix(tree: Tree, counts: Matrix, limits: tuple[float, float], invariant: bool = False) -> Matrix:
    """The matrix of all categories by an equation for those that someone has (`counts` has missing last)."""
    seen = counts[:-1][counts[:-1] > 0]
    if not len(seen):
        return np.eye(len(counts) - 1)
    rest = np.abs(value_of(tree, seen))
    rest = np.where(np.isfinite(rest), np.minimum(rest, 1e6), 0.0)
    np.fill_diagonal(rest, 0.0)
    total = rest.sum(axis=1)
    rest /= np.maximum(total, 1.0)[:, None]
    P = rest + np.diag(1 - rest.sum(axis=1))
    P = np.clip(P, 0.0, 1.0)
    kept = made_invariant(P, seen, limits[0]) if invariant else within_limits(P, *limits)
    return whole_matrix(kept, counts)


@dataclass(frozen=True)
class SoughtEquation:
    """What an equation is for: the matrices it stands for, and how good they are expected to be."""

    problem: PramProblem
    limits: tuple[float, float]
    fitness: Fitness
    invariant: bool = False

    def express(self, tree: Tree) -> dict[str, Matrix]:
        """The matrices by column name."""
        named = zip(self.problem.coded.names, self.problem.counts, strict=True)
        return {name: tree_matrix(tree, counts, self.limits, self.invariant) for name, counts in named}

    def figures(self, tree: Tree) -> Figures:
        """Expected loss and risk."""
        return expected_figures(self.problem, self.express(tree))

    def score(self, tree: Tree) -> float:
        """What is minimised."""
        return self.figures(tree).score(self.fitness)


def vary_trees(
    population: Population, scores: Matrix, rng: np.random.Generator, *, count: int, deepest: int
) -> list[Tree]:
    """Children by subtree crossover or one of five mutations; one that is too deep is its parent again."""
    children: list[Tree] = []
    while len(children) < count:
        one, other = (population[int(p)] for p in tournament(scores, 2, rng, size=RIVALS))
        children += offspring(one, other, rng, deepest=deepest)
    return children[:count]
