"""compare: partitioners side by side on one file, as a table of loss, groups and seconds."""

from __future__ import annotations

import csv
import inspect
import io
import json
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import partial
from html import escape
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from shoal._check import check_k, check_matrix, check_number
from shoal._door import takes_frames
from shoal._shared.options import sub_progress, with_known_options
from shoal._shared.workers import as_map, pooled
from shoal.encode import Scale, encode, fill_missing
from shoal.errors import InvalidInput, ShoalError, TimeWarning
from shoal.partition import PARTITIONERS, best, local_search, relabel, sizes, sse
from shoal.table import Table
from shoal.types import Callback, Labels, Matrix, Partitioner, Progress, RandomState, Workers
from shoal.workflow.registry import GIVEN
from shoal.workflow.timing import foresee

TWICE = 1.0  # seconds below which a method is run twice: loading what is compiled takes some tenths
COMPARED = tuple(method for method in PARTITIONERS if method is not best)  # that takes as long as it may
HEADER = ("k", "method", "loss %", "after search %", "groups", "smallest", "largest", "seconds", "best")


@dataclass(frozen=True)
class Trial:
    """One partitioner with one k: what it lost and made, or why it was skipped; `best` is the least loss.

    `improved` is the loss after `local_search` from the groups of the method.
    """

    k: int
    method: str
    loss: float | None = None
    improved: float | None = None
    groups: int | None = None
    smallest: int | None = None
    largest: int | None = None
    seconds: float | None = None
    best: bool = False
    skipped: str = ""


@dataclass(frozen=True)
class Comparison:
    """Trials for every k, those with the least loss first; prints as a table."""

    records: int
    trials: tuple[Trial, ...]

    def best(self, k: int) -> str | None:
        """Name of the method with the least loss for k, or None if none ran."""
        return next((trial.method for trial in self.trials if trial.k == k and trial.best), None)

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of a table as text, in the order of `HEADER`, for whoever draws one; only what ran."""
        return [_cells(trial) for trial in self.trials if not trial.skipped]

    def skipped(self) -> list[str]:
        """A sentence for every method that was skipped."""
        return [f"{t.method}, k = {t.k}: {t.skipped}" for t in self.trials if t.skipped]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        return {"records": self.records, "trials": [asdict(trial) for trial in self.trials]}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_csv(self) -> str:
        """The trials as csv text, one line each."""
        text = io.StringIO()
        writer = csv.DictWriter(text, list(Trial.__dataclass_fields__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(trial) for trial in self.trials)
        return text.getvalue()

    def __str__(self) -> str:
        table = [HEADER, *self.rows()]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEADER))]
        lines = [_line(row, widths) for row in table]
        skipped = [f"skipped {sentence}" for sentence in self.skipped()]
        return "\n".join([f"{self.records} records", *lines, *skipped])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in HEADER)
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows())
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        notes = "".join(f"<p>skipped {escape(sentence)}</p>" for sentence in self.skipped())
        return f"<p>{self.records} records</p><table><tr>{head}</tr>{body}</table>{notes}"


@pooled
@takes_frames
def compare(
    table: Table | Matrix,
    ks: int | Iterable[int],
    *,
    partitioners: Iterable[Partitioner] = COMPARED,
    seconds: float = 60.0,
    scale: Scale = "zscore",
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> Comparison:
    """Run several partitioners on the same file and put their loss and time side by side.

    Parameters
    ----------
    table
        A table, or a matrix of records by columns that is used as it is.
    ks
        One or more minimum group sizes.
    partitioners
        Which methods; all of the menu but `best` if not given. Freeze options with `functools.partial`.
    seconds
        A method expected to need more than this is skipped, and the result says so. A method that searches as
        long as it is told (`best`) is told this.
    scale
        How the numeric columns of a table are made comparable, as in `microaggregate`.
    columns
        The columns of a table to group by; the quasi-identifiers if not given.
    rng
        Seed or generator for methods that draw; the same one gives the same groups.
    workers
        A number of new processes, or any map-like callable; trials are independent, but several at once get
        in each other's way, and the seconds say so.
    callback
        Called with `Progress` during and after every trial (only after it where `workers` is not `map`);
        `best` is the comparison so far. Returning True stops and keeps the finished trials.

    Returns
    -------
    Comparison
        Prints as a table in a terminal and in a notebook; `.to_dict()`, `.to_json()`, `.to_csv()`.

    Notes
    -----
    Loss is 100 SSE / SST of the encoded columns, 0 to 100, less is better; missing cells are first filled for
    geometry only (`shoal.encode.fill_missing`). Time is foreseen by running a method on evenly spaced samples
    of 32, 64, 128 ... records until it is clear whether the whole file fits; for a method that is skipped
    this takes about `seconds` at most. Loading and compiling do not count: every method runs on a few
    records first, and one that takes less than a second runs twice, of which the faster counts.
    A method that has nothing to say about the file is listed as skipped with its reason. After every method
    its groups are improved by `local_search`, whose time does not count. Cost: that of the methods, and of
    `local_search` for each.

    Examples
    --------
    >>> from shoal.datasets import load_sme
    >>> from shoal.partition import mdav
    >>> found = compare(load_sme(), 3, partitioners=[mdav])
    >>> found.best(3), round(found.trials[0].loss, 2)
    ('mdav', 41.57)
    """
    mapped = as_map(workers)
    X = fill_missing(encode(table, columns, scale=scale)) if isinstance(table, Table) else check_matrix(table)
    check_number("seconds", seconds, 0)
    plan = list(product(_group_sizes(ks, len(X)), partitioners))
    if not plan:
        raise InvalidInput("There is nothing to compare; name at least one k and one partitioner.")
    streams = np.random.default_rng(rng).spawn(len(plan))
    trials: list[Trial] = []
    stopped = False

    def listen(progress: Progress) -> bool:
        nonlocal stopped
        best = _comparison(len(X), trials)
        stopped |= callback is not None and bool(callback(replace(progress, best=best)))
        return stopped

    within = callback is not None and mapped is map  # a callback cannot travel to other processes
    tasks = [
        (X, k, partition, seconds, stream, sub_progress(listen, position, len(plan)) if within else None)
        for position, ((k, partition), stream) in enumerate(zip(plan, streams, strict=True))
    ]
    for trial in mapped(_try, tasks):
        if not stopped:  # else its method was interrupted
            trials.append(trial)
        if stopped or listen(Progress(len(trials) / len(plan), f"{trial.method}, k = {trial.k}")):
            break
    return _comparison(len(X), trials)


def _group_sizes(ks: int | Iterable[int], n: int) -> list[int]:
    several = isinstance(ks, Iterable) and not isinstance(ks, str)
    return list(dict.fromkeys(check_k(k, n) for k in (ks if several else [ks])))  # type: ignore[union-attr,arg-type]


Task: TypeAlias = tuple[Matrix, int, Partitioner, float, np.random.Generator, Callback | None]


def _try(task: Task) -> Trial:
    """Run one partitioner with one k, unless it would take too long."""
    X, k, partition, seconds, rng, callback = task
    trial = Trial(k, name_of(partition))
    expected = foresee(partition, X, k, seconds)
    if expected > seconds:
        about = "longer than" if np.isinf(expected) else f"about {_duration(expected)}, more than"
        return replace(trial, skipped=f"It would take {about} the limit of {_duration(seconds)}.")
    step = None if callback is None else partial(_relay, callback, f"{trial.method}, k = {k}")
    try:
        labels, took = _timed(partition, X, k, seconds=seconds, rng=rng, callback=step)
    except (ShoalError, MemoryError) as error:
        return replace(trial, skipped=str(error) or "There is not enough memory.")
    if len(labels) != len(X) or sizes(labels).min() < k:
        return replace(trial, skipped=f"It returned a group of fewer than k = {k} records; do not use it.")
    total = sse(X, np.zeros(len(X), dtype=np.intp))
    share = 100 / total if total > 0 else 0.0
    counts = sizes(labels)
    return replace(
        trial,
        loss=share * sse(X, labels),
        improved=share * sse(X, local_search(X, k, start=labels)),
        groups=len(counts),
        smallest=int(counts.min()),
        largest=int(counts.max()),
        seconds=took,
    )


def _timed(
    partition: Partitioner,
    X: Matrix,
    k: int,
    *,
    seconds: float,
    rng: np.random.Generator,
    callback: Callback | None,
) -> tuple[Labels, float]:
    """The groups, and the seconds without what a first call loads: a short one is made twice."""
    options = inspect.signature(partition).parameters
    if {"seconds", "callback"} <= set(options):  # what is compiled depends on the file and on the seconds
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TimeWarning)
            stopped = {"seconds": seconds, "rng": deepcopy(rng), "callback": lambda progress: True}
            with_known_options(partition, **stopped)(X, k)
    elif "seconds" not in options:
        with suppress(ShoalError, MemoryError):
            with_known_options(partition, rng=deepcopy(rng))(X[: 2 * k], k)
    run = with_known_options(partition, seconds=seconds, rng=deepcopy(rng), callback=callback)
    start = time.perf_counter()
    labels = relabel(run(X, k))
    took = time.perf_counter() - start
    if took < TWICE and "seconds" not in options:
        again = with_known_options(partition, rng=deepcopy(rng))
        start = time.perf_counter()
        again(X, k)
        took = min(took, time.perf_counter() - start)
    return labels, took


def _relay(callback: Callback, what: str, progress: Progress) -> bool | None:
    return callback(replace(progress, message=f"{what}: {progress.message}"))


def _comparison(records: int, trials: Iterable[Trial]) -> Comparison:
    """Mark the best of every k (all of them if several are equal) and put it first."""
    trials = list(trials)
    least = {trial.k: np.inf for trial in trials}
    for trial in trials:
        least[trial.k] = min(least[trial.k], np.inf if trial.loss is None else trial.loss)
    marked = [replace(trial, best=_is_least(trial.loss, least[trial.k])) for trial in trials]
    order = list(least)
    marked.sort(key=lambda trial: (order.index(trial.k), np.inf if trial.loss is None else trial.loss))
    return Comparison(records, tuple(marked))


def _is_least(loss: float | None, least: float) -> bool:
    return loss is not None and loss <= least * (1 + 1e-9) + 1e-12


def name_of(method: Callable[..., Any]) -> str:
    """The name of a function, with its frozen options but for a seed, which is a secret.

    >>> name_of(partial(round, ndigits=2, rng=7))
    'round(ndigits=2)'
    """
    if isinstance(method, partial):
        shown = {name: value for name, value in method.keywords.items() if name not in GIVEN}
        options = ", ".join(f"{name}={_text(value)}" for name, value in shown.items())
        return f"{name_of(method.func)}({options})" if options else name_of(method.func)
    return str(getattr(method, "__name__", type(method).__name__))


def _text(value: Any) -> str:
    return name_of(value) if callable(value) else repr(value)


def _duration(seconds: float) -> str:
    """
    >>> _duration(200)
    '3 min'
    """
    for unit, length in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.3g} s"


def _cells(trial: Trial) -> tuple[str, ...]:
    counts = (str(value) for value in (trial.groups, trial.smallest, trial.largest))
    mark = "*" if trial.best else ""
    losses = f"{trial.loss:.4f}", f"{trial.improved:.4f}"
    return (str(trial.k), trial.method, *losses, *counts, f"{trial.seconds:.3f}", mark)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    """Text to the left, numbers to the right."""
    cells = [
        cell.ljust(width) if name == "method" else cell.rjust(width)
        for cell, width, name in zip(row, widths, HEADER, strict=True)
    ]
    return "  ".join(cells).rstrip()
