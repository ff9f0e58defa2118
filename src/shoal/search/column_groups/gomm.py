"""GOMM and D-GOMM: evolve which columns are microaggregated together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from numbers import Integral

import numpy as np

from shoal._check import check_count, check_names, check_number
from shoal._door import takes_frames
from shoal._shared.workers import as_map, pooled
from shoal.errors import InvalidInput
from shoal.evolve import Search, evolve, together
from shoal.partition.mdav import mdav
from shoal.search.column_groups.found_groups import ColumnGroups
from shoal.search.column_groups.grouping_costs import Costs, Intervals, Problem, pose
from shoal.search.column_groups.grouping_genes import Genes, canonical, genes_of, groups_of, random_genes
from shoal.search.column_groups.grouping_operators import MUTATIONS
from shoal.search.column_groups.grouping_population import Breeding, Individual
from shoal.search.column_groups.operator_statistics import monitor
from shoal.table import Table
from shoal.types import Callback, MapLike, Matrix, Partitioner, Progress, RandomState, Workers


@pooled
@takes_frames
def gomm(
    table: Table,
    *,
    k: int,
    partition: Partitioner = mdav,
    population: int = 200,
    crossovers: int = 25,
    mutations: int | Mapping[str, int] = 10,
    generations: int = 100,
    patience: int | None = None,
    seconds: float | None = None,
    initial: Iterable[Sequence[Sequence[str]]] = (),
    intervals: Intervals = "values",
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> ColumnGroups:
    """Find which columns to microaggregate together, by a grouping genetic algorithm.

    Parameters
    ----------
    table
        The table to protect.
    k
        Minimum number of records in a cluster.
    partition
        Any partitioner `f(X, k) -> labels` that always gives the same labels for the same records; use the
        one you will microaggregate with.
    population
        Number of groupings alive.
    crossovers
        Crossovers in a generation; each makes two children.
    mutations
        How often each of the five mutations is applied in a generation, or by name: "group_create",
        "group_eliminate", "group_split", "element_swap", "element_move" (one not named is not applied).
    generations
        At most this many; with 0 the best grouping of the first population is returned.
    patience
        Stop after this many generations without a better grouping.
    seconds
        Stop after this time. The only option that makes two runs with the same `rng` differ.
    initial
        Groupings to start from, next to random ones (`all_together`, `each_alone`, `correlated_together`,
        `correlated_apart` make some); the result is never worse than any of them.
    intervals
        What is close to a value: within 10 % of the "values" as they are, or of their "z-scores", which
        brings the thesis' figures within a few per cent.
    columns
        The columns to group, numeric and without missing values; the quasi-identifiers if not given.
    rng
        Seed or generator; the same one gives the same groups, with any `workers`.
    workers
        A number of new processes, or any map-like callable; groups of columns and groupings are measured
        independently of each other.
    callback
        Called with `Progress` after every generation, `best` being the groups and `value` their score;
        returning True stops with the best so far.

    Returns
    -------
    ColumnGroups
        A sequence of groups of column names, to be given to `microaggregate(groups=...)`. `.cost` has loss
        and risk, `.effort` what was computed, and `.history` one row per generation and operator: `children`,
        those `discarded` at once and those never used as a parent (`unused`), the mean `lifetime` in
        generations, how many `improved`, `worsened` or left `unchanged` their parents' (mean) cost and by how
        many percent (`mean_improvement`, `most_improvement`, `mean_worsening`, `most_worsening`), their best
        cost (`best_child`) and mean number of groups (`child_groups`), and for the whole population the
        `best` cost and the `mean_groups`. `shoal.report.plot_operators` draws it.

    Notes
    -----
    The search minimises (IL + DR) / 2, with IL = 100 SSE / SST on z-scores, DR = (ID + DLD) / 2, ID the
    percent of the values whose masked value is within 10 % of them, and DLD the percent of the records whose
    own masked record is the only nearest one. Columns in several groups are k-anonymous group by group only.
    Columns with missing values are refused. A column that is not numeric is refused too.

    A group of columns is microaggregated once per search, however many groupings share it; `.effort` says how
    often. Memory: 4 bytes per record for every distinct group; from one generation to the next 256 MiB are
    kept, the groups used last. Time: that of the partitioner per distinct group, and O(n^2 d / k) to O(n^2 d)
    per distinct grouping.

    References
    ----------
    Balasch-Masoliver, Muntés-Mulero, Nin: Using genetic algorithms for attribute grouping in multivariate
    microaggregation, Intelligent Data Analysis 18 (2014).
    Falkenauer: Genetic algorithms and grouping problems, Wiley (1998).

    Examples
    --------
    >>> from shoal.datasets import make_scattered
    >>> found = gomm(make_scattered(90, d=4, rng=1), k=15, population=10, generations=5, rng=1)
    >>> print(found)
    2 groups of columns, score 14.21: information loss 18.56, interval risk 13.06, linkage risk 6.67
      x1, x3
      x2, x4
    """
    mapped = as_map(workers)
    rng = np.random.default_rng(rng)
    problem = pose(table, k, partition, columns, intervals)
    first = _first_population(problem, population, initial, rng)
    breeding = Breeding(first, _plan(crossovers, mutations))
    run = partial(evolve, generations=generations, patience=patience, seconds=seconds, rng=rng)
    return _search(problem, first, breeding, run, mapped, callback)


@pooled
@takes_frames
def d_gomm(
    table: Table,
    *,
    k: int,
    partition: Partitioner = mdav,
    population: int = 200,
    crossovers: int = 25,
    mutations: int | Mapping[str, int] = 10,
    generations: int = 100,
    patience: int | None = None,
    seconds: float | None = None,
    idle: int = 5,
    initial: Iterable[Sequence[Sequence[str]]] = (),
    intervals: Intervals = "values",
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> ColumnGroups:
    """Like `gomm`, but drop an operator as soon as it stops helping, which saves time.

    Parameters
    ----------
    table, k, partition, population, crossovers, mutations, generations, patience, seconds
        As in `gomm`.
    idle
        An operator all of whose children are discarded at once this many generations in a row is not applied
        any more. If none is left the search ends.
    initial, intervals, columns, rng, workers, callback
        As in `gomm`.

    Returns
    -------
    ColumnGroups
        As in `gomm`; the history has no rows of an operator after it was dropped.

    Notes
    -----
    Cost and missing values as in `gomm`. Until an operator is dropped both find the same with the same `rng`.

    References
    ----------
    Balasch-Masoliver, Muntés-Mulero, Nin: Using genetic algorithms for attribute grouping in multivariate
    microaggregation, Intelligent Data Analysis 18 (2014).

    Examples
    --------
    >>> from shoal.datasets import make_scattered
    >>> d_gomm(make_scattered(90, d=4, rng=1), k=30, population=10, rng=1).stopped
    'no children'
    """
    mapped = as_map(workers)
    rng = np.random.default_rng(rng)
    problem = pose(table, k, partition, columns, intervals)
    first = _first_population(problem, population, initial, rng)
    breeding = Breeding(first, _plan(crossovers, mutations), check_count("idle", idle))
    run = partial(evolve, generations=generations, patience=patience, seconds=seconds, rng=rng)
    return _search(problem, first, breeding, run, mapped, callback)


def _search(
    problem: Problem,
    first: list[Individual],
    breeding: Breeding,
    run: Callable[..., Search],
    workers: MapLike,
    callback: Callback | None,
) -> ColumnGroups:
    costs = Costs(problem, workers)

    def measure(individuals: Sequence[Individual]) -> Matrix:
        for one, cost in zip(individuals, costs([one.genes for one in individuals]), strict=True):
            one.cost = cost.score
        if not breeding.best:
            breeding.note(individuals)
        return np.array([one.cost for one in individuals])

    def report(progress: Progress) -> bool | None:
        groups = _named(problem, progress.best.genes)
        message = f"{progress.message}, score {progress.best.cost:.2f}, groups of columns: {len(groups)}"
        return None if callback is None else callback(replace(progress, message=message, best=groups))

    found = run(
        first, measure, vary=breeding.vary, survive=breeding.survive, workers=together, callback=report
    )
    genes = found.best.genes
    effort, (cost,) = costs.effort, costs([genes])
    return ColumnGroups(_named(problem, genes), cost, effort, found.stopped, monitor(breeding))


def _named(problem: Problem, genes: Genes) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(problem.names[column] for column in group) for group in groups_of(canonical(genes)))


def _first_population(
    problem: Problem, count: int, initial: Iterable[Sequence[Sequence[str]]], rng: np.random.Generator
) -> list[Individual]:
    """The groupings given, and random ones to the full number."""
    size = int(check_number("population", check_count("population", count), 2))
    given = [genes_of(groups, problem.names) for groups in initial]
    if len(given) > size:
        raise InvalidInput(f"`initial` has {len(given)} groupings, more than the population of {size}.")
    drawn = [random_genes(len(problem.names), rng) for _ in range(size - len(given))]
    return [Individual(genes) for genes in given + drawn]


def _plan(crossovers: int, mutations: int | Mapping[str, int]) -> dict[str, int]:
    """How often every operator is applied in a generation."""
    names = [mutation.__name__ for mutation in MUTATIONS]
    if isinstance(mutations, Mapping):
        check_names(mutations, names, what="mutation")
        each = {name: _times("mutations", mutations.get(name, 0)) for name in names}
    else:
        each = dict.fromkeys(names, _times("mutations", mutations))
    return {"crossover": _times("crossovers", crossovers), **each}


def _times(name: str, value: int) -> int:
    """The value, if it is a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
        raise InvalidInput(f"`{name}` must be a whole number of at least 0, got {value!r}.")
    return int(value)
