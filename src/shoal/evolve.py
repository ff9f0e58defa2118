"""The one generational loop behind every evolutionary method, with its ways to select and to survive."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal._shared.display import Shown
from shoal._shared.workers import as_map, pooled
from shoal.errors import InvalidInput
from shoal.types import Callback, Labels, MapLike, Matrix, Progress, RandomState, Workers

Population: TypeAlias = Sequence[Any] | NDArray[Any]  # a list of anything, or an array with one row each
Vary: TypeAlias = Callable[[Any, Matrix, np.random.Generator], Population]
Survive: TypeAlias = Callable[[Any, Matrix, Any, Matrix], tuple[Population, Matrix]]
Reason: TypeAlias = Literal["generations", "patience", "seconds", "callback", "no children"]


class Selection(Protocol):
    """Positions of `count` parents, drawn so that the fitter ones come more often."""

    def __call__(self, scores: Matrix, count: int, rng: np.random.Generator) -> Labels: ...


class Generation(NamedTuple):
    """Fitness after a generation: the best so far, and mean and worst of those alive; less is better."""

    best: float
    mean: float
    worst: float


@dataclass(frozen=True, repr=False, eq=False)
class Search(Shown):
    """What an evolution found: the best individual ever seen, and how it came about.

    `fitness` is that of the best (less is better), `population` and `scores` are the survivors and their
    fitness, `history` has one `Generation` for the first population and one for every generation after it,
    and `stopped` says what ended the search. Two searches are equal if the same was found in the same way.
    """

    best: Any
    fitness: float
    population: Population
    scores: Matrix
    history: tuple[Generation, ...]
    stopped: Reason

    def __repr__(self) -> str:
        return (
            f"Search: fitness {self.fitness:.4g} (at first {self.history[0].best:.4g}) after "
            f"{len(self.history) - 1} generations of {len(self.scores)}, ended by {self.stopped}"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Search):
            return NotImplemented
        facts = [(s.fitness, s.history, s.stopped, len(s.population)) for s in (self, other)]
        return facts[0] == facts[1] and np.array_equal(self.scores, other.scores)

    __hash__ = None  # type: ignore[assignment]


def keep_best(
    population: Population, scores: Matrix, children: Population, child_scores: Matrix
) -> tuple[Population, Matrix]:
    """Parents and children compete; as many as there were before survive, the fittest first.

    >>> keep_best(["a", "b"], np.array([3.0, 1.0]), ["c"], np.array([2.0]))
    (['b', 'c'], array([1., 2.]))
    """
    merged = np.concatenate([scores, child_scores])
    fittest = np.argsort(merged, kind="stable")[: len(scores)]
    return _take(_join(population, children), fittest), merged[fittest]


def replace(
    population: Population, scores: Matrix, children: Population, child_scores: Matrix, *, elite: int = 0
) -> tuple[Population, Matrix]:
    """Children take the place of their parents, but for the `elite` fittest parents, who follow them.

    >>> replace(["a", "b"], np.array([3.0, 1.0]), ["c", "d"], np.array([2.0, 4.0]), elite=1)
    (['c', 'd', 'b'], array([2., 4., 1.]))
    """
    if elite == 0:
        return children, child_scores
    fittest = np.argsort(scores, kind="stable")[:elite]
    return _join(children, _take(population, fittest)), np.concatenate([child_scores, scores[fittest]])


def roulette(scores: Matrix, count: int, rng: np.random.Generator) -> Labels:
    """Draw parents with a chance proportional to 1 / (score + 1): the wheel of Holland's genetic algorithm.

    >>> roulette(np.array([0.0, np.inf]), 3, np.random.default_rng(1))
    array([0, 0, 0])
    """
    if scores.min() < 0:
        raise InvalidInput(
            "Roulette selection needs a fitness of at least 0, got a negative one; use tournament."
        )
    wheel = np.cumsum(1 / (scores + 1))
    if wheel[-1] == 0:  # every score is infinite: nobody is fitter than the others
        return rng.integers(len(scores), size=count)
    drawn: Labels = np.searchsorted(wheel, rng.random(count) * wheel[-1], side="right")
    return np.minimum(drawn, len(scores) - 1, dtype=np.intp)  # rounding may reach the end of the wheel


def tournament(scores: Matrix, count: int, rng: np.random.Generator, *, size: int = 2) -> Labels:
    """Every parent is the fittest of `size` individuals drawn at random.

    >>> tournament(np.array([5.0, 1.0]), 3, np.random.default_rng(1), size=20)
    array([1, 1, 1])
    """
    drawn = rng.integers(len(scores), size=(count, size))
    return np.asarray(drawn[np.arange(count), np.argmin(scores[drawn], axis=1)])


SELECTIONS: tuple[Selection, ...] = (roulette, tournament)


def together(fitness: Callable[..., Any], population: Any) -> Any:
    """A `workers` for a fitness that takes a whole population at once: it calls it once, with everybody.

    >>> together(np.sum, [1, 2, 3]).item()
    6
    """
    return fitness(population)


@pooled
def evolve(
    population: Population,
    fitness: Callable[[Any], Any],
    *,
    vary: Vary,
    survive: Survive = keep_best,
    generations: int,
    patience: int | None = None,
    seconds: float | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> Search:
    """Let a population vary and survive, generation after generation, and keep the best ever seen.

    Parameters
    ----------
    population
        The first individuals: a list of anything, or an array with one row each.
    fitness
        A number for an individual; less is better, infinity is allowed.
    vary
        `vary(population, scores, rng) -> children`: any number of new individuals; none
        end the search.
    survive
        `survive(population, scores, children, child_scores) -> (population, scores)`: who lives on.
        `keep_best` merges and keeps the fittest; `replace` is the classical exchange of generations.
    generations
        At most this many; with 0 the best of the first population is returned.
    patience
        Stop after this many generations without a better individual.
    seconds
        Stop after this time. The only option that makes two runs with the same `rng` differ.
    rng
        Seed or generator; handed to `vary`.
    workers
        A number of new processes, or any map-like callable that measures the children, one by one (`map`,
        the `map` of a pool) or all in one call (`together`).
    callback
        Called with `Progress` after every generation; `best` is the best individual and `value` its fitness.
        Returning True stops.

    Returns
    -------
    Search

    Notes
    -----
    The best individual is kept even if it does not survive, so more generations never give a worse result.
    Among equals the one seen first stays. Cost: that of `fitness` for every child, and of `vary`.

    References
    ----------
    Holland: Adaptation in natural and artificial systems, University of Michigan Press (1975).

    Examples
    --------
    >>> def step(population, scores, rng):
    ...     return population + rng.integers(-1, 2, len(population))
    >>> found = evolve(np.array([40, 50]), lambda x: abs(x - 7), vary=step, generations=200, rng=1)
    >>> int(found.best), found.fitness
    (7, 0.0)
    """
    mapped = as_map(workers)
    _check(population, generations, patience, seconds)
    rng = np.random.default_rng(rng)
    over = _limits(generations, patience, seconds)
    scores = _measure(fitness, population, mapped)
    best, score = _fittest(population, scores)
    history = [Generation(score, float(scores.mean()), float(scores.max()))]
    waited = 0  # generations without a better individual
    reason = _report(callback, 0, generations, best, score) or over(0, waited)
    while reason is None:
        children = vary(population, scores, rng)
        if len(children) == 0:
            reason = "no children"
            break
        child_scores = _measure(fitness, children, mapped)
        population, scores = survive(population, scores, children, child_scores)
        waited += 1
        if child_scores.min() < score:
            best, score = _fittest(children, child_scores)
            waited = 0
        history.append(Generation(score, float(scores.mean()), float(scores.max())))
        done = len(history) - 1
        reason = _report(callback, done, generations, best, score) or over(done, waited)
    return Search(best, score, population, scores, tuple(history), reason)


def _report(
    callback: Callback | None, done: int, generations: int, best: Any, score: float
) -> Literal["callback"] | None:
    """Tell the callback how far we are; it may ask to stop."""
    if callback is None:
        return None
    fraction = done / generations if generations else 1.0
    message = f"generation {done} of {generations}"
    return "callback" if callback(Progress(fraction, message, best, score)) else None


def _limits(
    generations: int, patience: int | None, seconds: float | None
) -> Callable[[int, int], Reason | None]:
    """What says, after `done` generations and `waited` ones without success, why the search is over."""
    deadline = None if seconds is None else time.monotonic() + seconds

    def over(done: int, waited: int) -> Reason | None:
        if done >= generations:
            return "generations"
        if patience is not None and waited >= patience:
            return "patience"
        return "seconds" if deadline is not None and time.monotonic() >= deadline else None

    return over


def _check(population: Population, generations: int, patience: int | None, seconds: float | None) -> None:
    if len(population) == 0:
        raise InvalidInput("`population` is empty; evolution needs at least one individual to start from.")
    check_number("generations", generations, 0)
    if patience is not None:
        check_number("patience", patience, 1)
    if seconds is not None:
        check_number("seconds", seconds, 0)


def _measure(fitness: Callable[[Any], Any], population: Population, workers: MapLike) -> Matrix:
    measured = workers(fitness, population)
    if not isinstance(measured, np.ndarray):
        measured = np.array(list(measured), dtype=np.float64)
    scores: Matrix = measured.astype(np.float64, copy=False)
    if scores.shape != (len(population),):
        raise InvalidInput(
            f"`fitness` must give one number per individual, got shape {scores.shape} for {len(population)}."
        )
    if np.isnan(scores.min()):
        position = int(np.argmax(np.isnan(scores)))
        raise InvalidInput(
            f"`fitness` is not a number for individual {position}; give inf to what must not survive."
        )
    return scores


def _fittest(population: Population, scores: Matrix) -> tuple[Any, float]:
    position = int(np.argmin(scores))
    best = population[position]
    if isinstance(best, np.ndarray):
        best = best.copy()
        best.flags.writeable = False  # it is shown to the callback, which must not change the result
    return best, float(scores[position])


def _take(population: Population, positions: Labels) -> Population:
    if isinstance(population, np.ndarray):
        taken: NDArray[Any] = population[positions]
        return taken
    return [population[position] for position in positions]


def _join(first: Population, second: Population) -> Population:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.concatenate([first, second])
    return [*first, *second]
