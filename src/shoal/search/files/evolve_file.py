"""Evolving a protected file: from many masked files to a better one."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, overload

import numpy as np

from shoal._check import check_choice, check_count, check_number
from shoal._door import takes_frames
from shoal._shared.workers import as_map, pooled
from shoal.errors import InvalidInput, PrivacyWarning
from shoal.evolve import Search, evolve, together
from shoal.masking.protected_columns import protected_columns
from shoal.measures.risk.k_anonymity import anonymity_level
from shoal.search.files.coded_file import CodedFile, check_codes, code_file, misfit
from shoal.search.files.file_fitness import Figures, Fitness, count_sheet, read
from shoal.search.files.file_population import Candidate, FilePopulation
from shoal.search.files.first_files import distinct, first_files
from shoal.search.risk_warnings import warn_of_risk
from shoal.table import Table
from shoal.types import Callback, Masker, Progress, RandomState, Workers

FITNESSES: tuple[Fitness, ...] = ("mean", "max")


@dataclass(frozen=True)
class EvolvedFile:
    """The best file of an evolution so far: its figures, and on demand itself and all that are alive."""

    figures: Figures
    score: float
    _coded: CodedFile = field(repr=False)
    _best: Candidate = field(repr=False)
    _alive: Sequence[Candidate] = field(repr=False)

    def table(self) -> Table:
        """The best file."""
        return self._coded.decode(self._best.sheet.cells)

    def files(self) -> list[Table]:
        """All files that are alive; `evolve_file(population=...)` goes on from them."""
        return [self._coded.decode(one.sheet.cells) for one in self._alive]

    def file_figures(self) -> list[Figures]:
        """Loss and risk of all files that are alive."""
        return [one.figures for one in self._alive if one.figures is not None]


@overload
def evolve_file(
    table: Table,
    *,
    maskers: Iterable[Masker] | None = ...,
    fitness: Fitness = ...,
    generations: int = ...,
    population: Iterable[Table] | None = ...,
    children: int = ...,
    crossover: float = ...,
    patience: int | None = ...,
    seconds: float | None = ...,
    details: Literal[False] = ...,
    columns: Iterable[str] | None = ...,
    rng: RandomState = ...,
    workers: Workers = ...,
    callback: Callback | None = ...,
) -> Table: ...


@overload
def evolve_file(
    table: Table,
    *,
    maskers: Iterable[Masker] | None = ...,
    fitness: Fitness = ...,
    generations: int = ...,
    population: Iterable[Table] | None = ...,
    children: int = ...,
    crossover: float = ...,
    patience: int | None = ...,
    seconds: float | None = ...,
    details: Literal[True],
    columns: Iterable[str] | None = ...,
    rng: RandomState = ...,
    workers: Workers = ...,
    callback: Callback | None = ...,
) -> Search: ...


@pooled
@takes_frames
def evolve_file(
    table: Table,
    *,
    maskers: Iterable[Masker] | None = None,
    fitness: Fitness = "max",
    generations: int = 1_000,
    population: Iterable[Table] | None = None,
    children: int = 100,
    crossover: float = 0.01,
    patience: int | None = None,
    seconds: float | None = None,
    details: bool = False,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> Table | Search:
    """Mask a table in many ways, let the files evolve and take the best: slow, and better than them all.

    Parameters
    ----------
    table
        The table to protect.
    maskers
        What makes the first files: maskers with their options frozen by `functools.partial`. All of
        shoal's in many settings if not given (`first_files`).
    fitness
        What is minimised: the "max" or the "mean" of information loss and disclosure risk. The mean may be
        smallest where hardly anything is masked.
    generations
        At most this many; with 0 the best of the first files is released.
    population
        Masked files to start from, instead of masking; next to the files of `maskers` if both are given. Rows
        correspond to those of the table, and categories are those of the table.
    children
        New files tried in a generation.
    crossover
        The share of the children that come from two parents; the others are mutants.
    patience
        Stop after this many generations without a better file.
    seconds
        Stop after this time. The only option that makes two runs with the same `rng` differ.
    details
        Return the whole `shoal.evolve.Search` instead: `best` holds the file, `population` all that are
        alive, `history` the best, mean and worst score of every generation.
    columns
        The columns to change; the quasi-identifiers if not given.
    rng
        Seed or generator; the same one gives the same file, with any `workers`. A seed is a secret.
    workers
        A number of new processes, or any map-like callable that counts the children; threads run in
        parallel, processes have to be sent whole files and seldom pay.
    callback
        Called with `Progress` after every generation; `best` has `.figures`, `.score`, `.table()` and
        `.files()`, all that are alive, `value` is the score. Returning True stops with the best so far.

    Returns
    -------
    Table or Search
        Same rows in the same order; the other columns exactly as they were.

    Warns
    -----
    PrivacyWarning
        If the file is less k-anonymous than the table or one of the first files: evolution lowers loss and
        linkage, it does not keep k. Follow it by `suppress_to_k` where k is promised. Also if the disclosure
        risk is above 50 %.

    Notes
    -----
    A file is a string of cells. A mutant has one cell with another valid value (any category, a number not
    far away); crossover exchanges the cells between two points. A child that is not worse takes the place of
    the parent it resembles (elitist crowding), so more generations never give a worse file. Loss: mean of
    `dbil`, `ctbil` and `ebil`, and `sse_loss` for numbers, by the number of columns; risk: two thirds
    `interval_risk`, a third `distance_linkage_risk`, as `evaluate` weighs them. `probabilistic_linkage_risk`
    takes no part, since it has to be estimated anew for every file.

    Nothing is measured twice: a changed cell corrects the counts behind the measures, in O(n d + c) for n
    records, d columns and c codes of a column; crossover of many cells counts anew, in O(n^2 d). Memory: the
    contingency tables of two columns for every file, at most 8 MB each. Cells missing in the table stay so
    unless a first file filled them.

    References
    ----------
    Marés Soler: Categorical data protection on statistical datasets and social networks, thesis, Universitat
    Autònoma de Barcelona (2013), chapter 3; Jiménez, Marés, Torra: An evolutionary approach to enhance data
    privacy, Soft Computing 15 (2011).

    Examples
    --------
    >>> from shoal.datasets import make_census
    >>> from shoal.masking import shuffle
    >>> table = make_census(100, rng=1)
    >>> start = [shuffle(table, columns=["age", "education"], rng=seed) for seed in (1, 2)]
    >>> masked = evolve_file(table, population=start, generations=20, columns=["age", "education"], rng=1)
    >>> before = file_figures(table, start[0], columns=["age", "education"]).score("max")
    >>> file_figures(table, masked, columns=["age", "education"]).score("max") < before
    True
    """
    mapped = as_map(workers)
    rng = np.random.default_rng(rng)
    check_choice("fitness", fitness, FITNESSES)
    check_number("crossover", crossover, 0, 1)
    names = protected_columns(table, columns)
    if not len(table):
        raise InvalidInput("The table has no records, so there is nothing to protect.")
    check_codes(table, names)
    files = _starting_files(table, None if columns is None else names, maskers, population, rng)
    coded = code_file(table, names, files)
    evolving = FilePopulation(
        coded,
        fitness=fitness,
        children=check_count("children", children),
        crossover=crossover,
        workers=mapped,
    )
    found: Search = evolve(
        evolving.first([coded.encode(file) for file in files]),
        evolving.measure,
        vary=evolving.vary,
        survive=evolving.survive,
        generations=generations,
        patience=patience,
        seconds=seconds,
        rng=rng,
        workers=together,
        callback=_reporter(coded, evolving, fitness, callback),
    )
    masked = coded.decode(found.best.sheet.cells)
    warn_of_risk(found.best.figures)
    _warn_of_k(masked, [table, *files], names)
    if not details:
        return masked
    alive = [coded.decode(one.sheet.cells) for one in found.population]
    return replace(found, best=masked, population=alive)


@takes_frames
def file_figures(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> Figures:
    """What `evolve_file` sees in a masked file: six measures, information loss and disclosure risk.

    >>> from shoal import as_table
    >>> table = as_table({"town": ["a", "b", "c"]}, roles={"quasi": ["town"]})
    >>> file_figures(table, table).disclosure_risk
    100.0
    """
    names = protected_columns(original, columns)
    if len(original) != len(masked):
        raise InvalidInput(
            f"The files have {len(original)} and {len(masked)} records; they must correspond row by row."
        )
    wrong = misfit(original, masked, names)
    if wrong:
        raise InvalidInput(
            f"Column {wrong!r} has values in the masked file that the original could not have."
        )
    coded = code_file(original, names, [masked])
    return read(coded, count_sheet(coded, coded.encode(masked)))


def _starting_files(
    table: Table,
    columns: Iterable[str] | None,
    maskers: Iterable[Masker] | None,
    population: Iterable[Table] | None,
    rng: np.random.Generator,
) -> list[Table]:
    names = protected_columns(table, columns)
    given = [] if population is None else list(population)
    for position, file in enumerate(given):
        if len(file) != len(table):
            raise InvalidInput(
                f"File {position} of `population` has {len(file)} records, the table has {len(table)}; "
                "rows must correspond."
            )
        wrong = misfit(table, file, names)
        if wrong:
            raise InvalidInput(
                f"File {position} of `population` has values in column {wrong!r} that are not the table's."
            )
    if population is None or maskers is not None:
        given += first_files(table, maskers=maskers, columns=columns, rng=rng)
    files = distinct(given, names)
    if not files:
        raise InvalidInput("There is no file to start from; give some by `maskers` or `population`.")
    return files


def _reporter(
    coded: CodedFile, evolving: FilePopulation, fitness: Fitness, callback: Callback | None
) -> Callback | None:
    if callback is None:
        return None

    def report(progress: Progress) -> bool | None:
        best: Candidate = progress.best
        assert best.figures is not None
        score = best.figures.score(fitness)
        message = (
            f"{progress.message}, loss {best.figures.information_loss:.2f}, "
            f"risk {best.figures.disclosure_risk:.2f}, score {score:.2f}"
        )
        evolved = EvolvedFile(best.figures, score, coded, best, evolving.alive)
        return callback(replace(progress, message=message, best=evolved))

    return report


def _warn_of_k(masked: Table, before: Sequence[Table], names: list[str]) -> None:
    reached = anonymity_level(masked, columns=names)
    promised = max(anonymity_level(file, columns=names) for file in before)
    if reached < promised:
        warnings.warn(
            f"The evolved file is {reached}-anonymous, although it started from files that are up to "
            f"{promised}-anonymous: evolution does not keep k; apply suppress_to_k where k is promised "
            "(shoal mask --steps evolve_file,suppress_to_k).",
            PrivacyWarning,
            stacklevel=3,
        )
