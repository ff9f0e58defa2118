"""shoal warmup: compile everything ahead, so that no later call has to wait for it.

No list of compiled code is kept: the examples of the public functions are run, as they stand in their
docstrings, and the partitioners are called on files that make them compile what small examples do not need.
All processors share the work, in processes: one process compiles one thing at a time.
"""

from __future__ import annotations

import inspect
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import typer

from shoal.cli import console
from shoal.errors import ShoalError
from shoal.measures import distance_linkage_risk, probabilistic_linkage_risk
from shoal.partition import local_search, mdav
from shoal.partition.mdav import mdav_by_scan
from shoal.search import recode_to_k
from shoal.table import as_table
from shoal.types import Callback, Partitioner, Progress
from shoal.workflow.registry import INGREDIENTS, MENUS, find_method

ROOMS = ("shoal.partition", "shoal.masking", "shoal.measures", "shoal.search", "shoal.graph")
QUICK = {
    "generations": 2,
    "population": 6,
    "seconds": 0.2,
    "iterations": 2,
    "block_size": 20,
    "rng": 0,
}  # if it has such
TREE_RECORDS = 10_000  # records

Calls = tuple[str, list[Callable[[], object]]]  # of one method


def warmup(
    methods: Annotated[list[str] | None, typer.Argument(help="only these, e.g. mdav; all if none")] = None,
) -> None:
    """Compile everything ahead, once after installing: later calls need not wait for it."""
    start = time.perf_counter()
    with console.progress_bar("compiling") as callback:
        warm_up(methods or [], callback, processes=os.cpu_count() or 1)
    what = ", ".join(methods) if methods else "Everything"
    console.say(f"{what} compiled and kept on disk, in {time.perf_counter() - start:.1f} seconds.")


def warm_up(names: Sequence[str], callback: Callback, processes: int = 1) -> None:
    """Call the methods of these names, or all, on small files; this process takes a share and tells of it."""
    chosen = {find_method(name).__name__ for name in names}
    steps = [(name, calls) for name, calls in _steps() if not chosen or name in chosen]
    own, *others = [steps[first::processes] for first in range(min(processes, len(steps)) or 1)]
    with TemporaryDirectory() as folder, chdir(folder), _crew(others) as crew:
        for done, step in enumerate(own):
            callback(Progress(done / len(own), step[0]))
            _run([step])
        for member, share in zip(crew, others, strict=True):
            member.join()
            if member.exitcode != 0:  # it was killed
                _run(share)


@contextmanager
def _crew(shares: Sequence[list[Calls]]) -> Iterator[list[BaseProcess]]:
    """A new process for every share, gone at the end in any case."""
    crew: list[BaseProcess] = [get_context("spawn").Process(target=_help, args=(each,)) for each in shares]
    for member in crew:
        member.start()
    try:
        yield crew
    finally:
        for member in crew:
            member.kill()


def _help(steps: Sequence[Calls]) -> None:
    """Make the calls in a new process; Ctrl-C is for the first one, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _run(steps)


def _run(steps: Sequence[Calls]) -> None:
    """Make the calls."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, calls in steps:
            for call in calls:
                with suppress(ShoalError):  # not every file is for every method
                    call()


def _steps() -> Iterator[Calls]:
    """Every method that can compile something, and calls that make it do so."""
    numbers = np.random.default_rng(0).normal(size=(60, 3))
    files = [numbers, numbers[:, :1], numbers.round(), numbers[:9]]  # the last for what tries everything
    for method in MENUS["partitioners"]:
        ways = [partial(method, **options) for options in _ways(method)]
        calls: list[Callable[[], object]] = [partial(way, X, 3) for way in ways for X in files]
        if method in (mdav, local_search):
            calls.insert(0, partial(_on_many, method, 2 if method is mdav else 6))  # for the tree, and halves
        yield method.__name__, calls
    yield mdav.__name__, [partial(_on_many, mdav, 1), partial(mdav_by_scan, numbers, 3)]
    yield "distance_linkage_risk", [partial(_linked, 4000)]  # small files are linked without the kernels
    yield "recode_to_k", [_recoded_locally]  # its example is global
    for room in ROOMS:
        for name, method in inspect.getmembers(import_module(room), inspect.isfunction):
            yield name, [partial(_run_examples, method)]


def _recoded_locally() -> None:
    values = np.random.default_rng(0).integers(0, 20, (60, 2))
    file = as_table({"a": values[:, 0], "b": values[:, 1]}, roles={"quasi": ["a", "b"]})
    recode_to_k(file, k=3, scheme="local", hierarchies={name: {"widths": [5, 10]} for name in "ab"})


def _linked(records: int) -> None:
    numbers = np.random.default_rng(0).normal(size=(records, 2))
    file, other = (
        as_table({"a": numbers[:, 0] + noise, "b": numbers[:, 1]}, roles={"quasi": ["a", "b"]})
        for noise in (0, 0.1)
    )
    distance_linkage_risk(file, other)
    probabilistic_linkage_risk(file, other)


def _on_many(method: Partitioner, columns: int) -> None:
    """Groups of a file that is made here: to hand it to another process would take a second."""
    method(np.random.default_rng(0).normal(size=(TREE_RECORDS, columns)), 3)


def _ways(method: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """Quick options for the method; once more with every other ingredient it can be given."""
    options = inspect.signature(method).parameters
    quick = {name: value for name, value in QUICK.items() if name in options}
    yield quick
    for name, option in options.items():
        for menu in INGREDIENTS.values():
            if option.default in menu:
                yield from (quick | {name: other} for other in menu if other is not option.default)


def _run_examples(method: Callable[..., Any]) -> None:
    """The examples in the docstring; what they print is of no interest."""
    import doctest

    module = inspect.getmodule(method)
    for test in doctest.DocTestFinder(recurse=False).find(method, module=module, globs=dict(vars(module))):
        doctest.DocTestRunner(verbose=False).run(test, out=lambda text: None)
