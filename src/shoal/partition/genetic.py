"""Genetic algorithm: chromosomes name the group of every record and evolve towards a small sum of squares."""

from __future__ import annotations

from dataclasses import replace as replaced
from functools import partial
from typing import Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_number
from shoal.errors import InvalidInput
from shoal.evolve import Generation, Search, Selection, evolve, replace, roulette, together
from shoal.partition._genetic.chromosome_codings import CODINGS, Chromosomes, Coding, chromosomes_of
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import relabel, sizes
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Matrix, Progress, RandomState


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


def uniform(count: int, n: int, rng: np.random.Generator, *, share: float = 0.5) -> NDArray[np.bool_]:
    """Every gene by itself: a child keeps this share of its own parent's genes.

    >>> uniform(2, 6, np.random.default_rng(1)).astype(int)
    array([[0, 0, 1, 0, 1, 1],
           [0, 1, 0, 1, 0, 0]])
    """
    return np.asarray(rng.random((count, n)) < share)


CROSSOVERS: tuple[Crossover, ...] = (one_point, multi_point, uniform)


@overload
def genetic(
    X: Matrix,
    k: int,
    *,
    population: int = ...,
    generations: int = ...,
    patience: int | None = ...,
    selection: Selection = ...,
    crossover: Crossover = ...,
    crossover_rate: float = ...,
    mutation_rate: float = ...,
    inversion_rate: float = ...,
    elite: int = ...,
    coding: Coding = ...,
    penalty: float = ...,
    initial: Labels | None = ...,
    details: Literal[False] = ...,
    rng: RandomState = ...,
    callback: Callback | None = ...,
) -> Labels: ...


@overload
def genetic(
    X: Matrix,
    k: int,
    *,
    population: int = ...,
    generations: int = ...,
    patience: int | None = ...,
    selection: Selection = ...,
    crossover: Crossover = ...,
    crossover_rate: float = ...,
    mutation_rate: float = ...,
    inversion_rate: float = ...,
    elite: int = ...,
    coding: Coding = ...,
    penalty: float = ...,
    initial: Labels | None = ...,
    details: Literal[True],
    rng: RandomState = ...,
    callback: Callback | None = ...,
) -> Search: ...


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
    coding: Coding = "n-ary",
    penalty: float = 1000.0,
    initial: Labels | None = None,
    details: bool = False,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Labels | Search:
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
        Which genes two parents exchange: `one_point`, `multi_point`, `uniform` (menu `CROSSOVERS`).
    crossover_rate
        Chance that two parents exchange genes.
    mutation_rate
        Chance of every gene to be drawn anew. With more than 30 records, 2 / n finds better partitions.
    inversion_rate
        Chance of every child to have a random stretch of its genes reversed.
    elite
        How many of the best chromosomes live on unchanged; 0 is the plain algorithm.
    coding
        How a partition is written down. "n-ary": the group of every record, out of floor(n / k) names.
        "binary": a bit per record, 1 where a group begins in the sorted column, or in the order of the first
        principal component of several columns, which only finds groups that are stretches of it. "gray": the
        name of every group in Gray-coded bits.
    penalty
        What a chromosome with a group of a wrong size is punished with, in total sums of squares; at least 1.
    initial
        A partition to start from, with at least k records in every group; the result is never worse.
    details
        Return the whole `shoal.evolve.Search` instead: `best` holds the labels, and `fitness`, `scores` and
        `history` are losses in percent, punished chromosomes included (`shoal.report.plot_convergence`).
    rng
        Seed or generator; the same one gives the same groups.
    callback
        Called with `Progress` after every generation, `value` being the loss in percent; returning True stops
        with the best groups so far.

    Returns
    -------
    Labels or Search
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
    check_choice("coding", coding, CODINGS)
    penalty = check_number("penalty", penalty, 1)
    rng = np.random.default_rng(rng)
    start = None if initial is None else _as_partition(X, k, initial)
    if n < 2 * k:
        labels = np.zeros(n, dtype=np.intp)
        return _one_group(X, labels) if details else labels
    unit, codes = _unit_variance(X), chromosomes_of(coding, X, k)
    vary = partial(
        _vary, letters=codes.letters, count=size - elite, select=selection, exchange=crossover, rates=rates
    )
    found = evolve(
        _first_population(size, codes, start, rng),
        partial(_cost, unit, codes, k, penalty),
        vary=vary,
        survive=partial(replace, elite=elite),
        generations=generations if unit.any() else 0,  # records are all equal: any partition will do
        patience=patience,
        rng=rng,
        workers=together,
        callback=None if callback is None else partial(_report, callback, codes, unit.size),
    )
    return _in_percent(found, codes, unit.size) if details else _partition(codes, found.best)


def _first_population(
    count: int, codes: Chromosomes, start: Labels | None, rng: np.random.Generator
) -> Labels:
    drawn = codes.draw(count, rng)
    if start is not None:
        drawn[0] = codes.encode(start[None])[0]
    return drawn


def _cost(X: Matrix, codes: Chromosomes, k: int, penalty: float, chromosomes: Labels) -> Matrix:
    """Sum of squares of every chromosome, with a penalty where a group has a wrong size."""
    from shoal._kernels.partitioners.genetic import measure_chromosomes

    total, valid = measure_chromosomes(X, codes.decode(chromosomes), codes.groups, k)
    return np.asarray(np.where(valid, total, total + penalty * (X.size + 1)))


def _partition(codes: Chromosomes, chromosome: Labels) -> Labels:
    return relabel(codes.decode(chromosome[None])[0])


def _in_percent(found: Search, codes: Chromosomes, squares: int) -> Search:
    """The search with labels for the best and losses in percent of the total sum of squares."""
    share = 100 / squares
    return replaced(
        found,
        best=_partition(codes, found.best),
        fitness=share * found.fitness,
        population=codes.decode(np.asarray(found.population)),
        scores=share * found.scores,
        history=tuple(Generation(*(share * np.array(g)).tolist()) for g in found.history),
    )


def _one_group(X: Matrix, labels: Labels) -> Search:
    """What a search among one partition finds."""
    loss = 100.0 if np.ptp(X, axis=0).any() else 0.0
    return Search(
        labels, loss, labels[None], np.array([loss]), (Generation(loss, loss, loss),), "generations"
    )


def _vary(
    chromosomes: Labels,
    scores: Matrix,
    rng: np.random.Generator,
    *,
    letters: int,
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
        children[mutated] = rng.integers(letters, size=len(mutated[0]))
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


def _as_partition(X: Matrix, k: int, initial: Labels) -> Labels:
    """The given partition, checked; groups of 2k or more are split, which lowers the loss."""
    labels = np.asarray(initial)
    if labels.shape != (len(X),) or not np.issubdtype(labels.dtype, np.integer):
        raise InvalidInput(f"`initial` must have one integer for each of the {len(X)} records.")
    labels = relabel(labels)
    if sizes(labels).min() < k:
        raise InvalidInput(f"`initial` has a group of fewer than k = {k} records; every group needs k.")
    return relabel(split_large(X, labels, k, mdav))


def _report(callback: Callback, codes: Chromosomes, squares: int, progress: Progress) -> bool | None:
    loss = 100 * (progress.value or 0.0) / squares
    message = f"{progress.message}, loss {loss:.2f} %"
    return callback(Progress(progress.fraction, message, _partition(codes, progress.best), loss))


def _check_counts(elite: int, population: int) -> tuple[int, int]:
    size = int(check_number("population", population, 2))
    return int(check_number("elite", elite, 0, size - 1)), size


def _check_rates(crossover: float, mutation: float, inversion: float) -> tuple[float, float, float]:
    return (
        check_number("crossover_rate", crossover, 0, 1),
        check_number("mutation_rate", mutation, 0, 1),
        check_number("inversion_rate", inversion, 0, 1),
    )
