"""Genetic algorithm: chromosomes name the group of every record and evolve towards a small sum of squares."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.evolve import Selection, evolve, replace, roulette, together
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import relabel, sizes, sse
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Matrix, Progress, RandomState

PENALTY = 1000.0  # times the total sum of squares: a chromosome with a wrong size hardly reproduces


class Crossover(Protocol):
    """One row per pair of parents: True where a child keeps its own parent's gene, False for the other's."""

    def __call__(self, count: int, n: int, rng: np.random.Generator) -> NDArray[np.bool_]: ...


def one_point(count: int, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Parents exchange everything from a random gene on.

    >>> one_point(2, 6, np.random.default_rng(1)).astype(int)
    array([[1, 1, 1, 0, 0, 0],
           [1, 1, 1, 0, 0, 0]])
    """
    return np.asarray(np.arange(n) < rng.integers(1, n, size=(count, 1)))


def multi_point(count: int, n: int, rng: np.random.Generator, *, points: int = 2) -> NDArray[np.bool_]:
    """Parents exchange every second stretch between random genes.

    >>> multi_point(2, 6, np.random.default_rng(3)).astype(int)
    array([[1, 0, 0, 0, 0, 1],
           [1, 0, 1, 1, 1, 1]])
    """
    cuts = rng.integers(1, n, size=(count, points, 1))
    own: NDArray[np.bool_] = (np.arange(n) >= cuts).sum(axis=1) % 2 == 0
    return own


CROSSOVERS: tuple[Crossover, ...] = (one_point, multi_point)


def genetic(
    X: Matrix,
    k: int,
    *,
    population: int = 100,
    generations: int = 5_000,
    patience: int | None = 1_000,
    selection: Selection = roulette,
    crossover: Crossover = one_point,
    crossover_rate: float = 0.4,
    mutation_rate: float = 0.1,
    inversion_rate: float = 0.0,
    elite: int = 1,
    initial: Labels | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Labels:
    """Evolve a population of random partitions; meant for fewer than 100 records (`two_step` for more).

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    population
        Number of chromosomes.
    generations, patience
        At most this many generations, and this many without a better partition (None: no such limit).
    selection
        How parents are drawn: `roulette`, `tournament` (menu `shoal.evolve.SELECTIONS`).
    crossover
        Which genes two parents exchange: `one_point`, `multi_point` (menu `CROSSOVERS`).
    crossover_rate
        Chance that two parents exchange genes.
    mutation_rate
        Chance of every gene to be drawn anew. With more than 30 records, 2 / n finds better partitions.
    inversion_rate
        Chance of every child to have a random stretch of its genes reversed.
    elite
        How many of the best chromosomes live on unchanged; 0 is the plain algorithm.
    initial
        A partition to start from, with at least k records in every group; the result is never worse.
    rng
        Seed or generator; the same one gives the same groups.
    callback
        Called with `Progress` after every generation; returning True stops with the best groups so far.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    Fitness is 1 / (SSE + 1) as published, with `X` brought to unit variance as a whole. Chromosomes with a
    group outside k..2k-1 records stay in the population but hardly reproduce, and are never the result.
    Time O(generations * population * n d), memory O(population * n). Beyond a hundred records it ends in
    reasonable time (seconds for a thousand), but with more loss than `mdav`.

    References
    ----------
    Solanas: Privacy protection with genetic algorithms, Success in Evolutionary Computation, Springer (2008).

    Examples
    --------
    >>> genetic([[0.0], [5.1], [0.2], [5.0], [0.1], [5.2], [5.3]], 3, generations=100, rng=1)
    array([0, 1, 0, 1, 0, 1, 1])
    """
    X, k = prepare(X, k)
    n = len(X)
    elite, size = _check_counts(elite, population)
    rates = _check_rates(crossover_rate, mutation_rate, inversion_rate)
    rng = np.random.default_rng(rng)
    start = None if initial is None else _as_chromosome(X, k, initial)
    if n < 2 * k:
        return np.zeros(n, dtype=np.intp)
    unit = _unit_variance(X)
    vary = partial(
        _vary, groups=n // k, count=size - elite, select=selection, exchange=crossover, rates=rates
    )
    found = evolve(
        _first_population(size, n, k, start, rng),
        partial(_cost, unit, n // k, k),
        vary=vary,
        survive=partial(replace, elite=elite),
        generations=generations if unit.any() else 0,  # records are all equal: any partition will do
        patience=patience,
        rng=rng,
        workers=together,
        callback=None if callback is None else partial(_report, callback, unit),
    )
    return relabel(found.best)


def _first_population(count: int, n: int, k: int, start: Labels | None, rng: np.random.Generator) -> Labels:
    from shoal._kernels.partitioners.genetic import random_chromosomes

    drawn: Labels = random_chromosomes(count, n, n // k, k, rng)
    if start is not None:
        drawn[0] = start
    return drawn


def _cost(X: Matrix, groups: int, k: int, chromosomes: Labels) -> Matrix:
    """Sum of squares of every chromosome, with a penalty where a group has a wrong size."""
    from shoal._kernels.partitioners.genetic import measure_chromosomes

    total, valid = measure_chromosomes(X, chromosomes, groups, k)
    return np.asarray(np.where(valid, total, total + PENALTY * (X.size + 1)))


def _vary(
    chromosomes: Labels,
    scores: Matrix,
    rng: np.random.Generator,
    *,
    groups: int,
    count: int,
    select: Selection,
    exchange: Crossover,
    rates: tuple[float, float, float],
) -> Labels:
    """The next generation: selected, crossed in pairs, mutated gene by gene, inverted."""
    crossing, mutation, inversion = rates
    children = chromosomes[select(scores, count, rng)]
    half, n = count // 2, chromosomes.shape[1]
    if crossing:
        own = exchange(half, n, rng) | (rng.random((half, 1)) >= crossing)
        first, second = children[:half], children[half : 2 * half]
        crossed = np.where(own, first, second), np.where(own, second, first)
        children = np.concatenate([*crossed, children[2 * half :]])
    if mutation:
        mutated = np.nonzero(rng.random(children.shape) < mutation)
        children[mutated] = rng.integers(groups, size=len(mutated[0]))
    return _invert(children, inversion, rng) if inversion else children


def _invert(chromosomes: Labels, rate: float, rng: np.random.Generator) -> Labels:
    """Some chromosomes with the genes between two random places in reverse order."""
    count, n = chromosomes.shape
    first, last = np.sort(rng.integers(n, size=(2, count, 1)), axis=0)
    gene = np.arange(n)
    inside = (first <= gene) & (gene <= last) & (rng.random((count, 1)) < rate)
    return np.take_along_axis(chromosomes, np.where(inside, first + last - gene, gene), axis=1)


def _unit_variance(X: Matrix) -> Matrix:
    """One factor for all columns: the best partition stays the same, 1 / (SSE + 1) gets its scale."""
    spread = float(np.sqrt((X**2).mean()))
    return X / spread if spread > 0 else X


def _as_chromosome(X: Matrix, k: int, initial: Labels) -> Labels:
    """The given partition as a chromosome; groups of 2k or more are split, which lowers the loss."""
    labels = np.asarray(initial)
    if labels.shape != (len(X),) or not np.issubdtype(labels.dtype, np.integer):
        raise InvalidInput(f"`initial` must have one integer for each of the {len(X)} records.")
    labels = relabel(labels)
    if sizes(labels).min() < k:
        raise InvalidInput(f"`initial` has a group of fewer than k = {k} records; every group needs k.")
    return relabel(split_large(X, labels, k, mdav))


def _report(callback: Callback, X: Matrix, progress: Progress) -> bool | None:
    labels = relabel(progress.best)
    loss = 100 * sse(X, labels) / max(X.size, 1)
    return callback(Progress(progress.fraction, f"{progress.message}, loss {loss:.2f} %", labels))


def _check_counts(elite: int, population: int) -> tuple[int, int]:
    size = int(check_number("population", population, 2))
    return int(check_number("elite", elite, 0, size - 1)), size


def _check_rates(crossover: float, mutation: float, inversion: float) -> tuple[float, float, float]:
    return (
        check_number("crossover_rate", crossover, 0, 1),
        check_number("mutation_rate", mutation, 0, 1),
        check_number("inversion_rate", inversion, 0, 1),
    )
