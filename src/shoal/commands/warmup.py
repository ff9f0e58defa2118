"""shoal warmup: compile everything ahead, so that no later call has to wait for it.

No list of compiled code is kept: the examples of the public functions are run, as they stand in their
docstrings, and the partitioners are called on files that make them compile what small examples do not need.
"""

from __future__ import annotations

import inspect
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, suppress
from functools import partial
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import typer

from shoal import console
from shoal.errors import ShoalError
from shoal.methods import INGREDIENTS, MENUS, find_method
from shoal.partition import local_search, mdav
from shoal.types import Callback, Matrix, Progress

ROOMS = ("shoal.partition", "shoal.masking", "shoal.measures", "shoal.search", "shoal.graph")
QUICK = {
    "generations": 2,
    "population": 6,
    "seconds": 0.2,
    "iterations": 2,
    "block_size": 20,
    "rng": 0,
}  # if it has such
WIDE, LONG = (2000, 100), (10_000, 2)

Call = Callable[[], object]


def warmup(
    methods: Annotated[list[str] | None, typer.Argument(help="only these, e.g. mdav; all if none")] = None,
) -> None:
    """Compile everything ahead, once after installing: later calls need not wait for it."""
    start = time.perf_counter()
    with console.progress_bar("compiling") as callback:
        warm_up(methods or [], callback)
    what = ", ".join(methods) if methods else "Everything"
    console.say(f"{what} compiled and kept on disk, in {time.perf_counter() - start:.1f} seconds.")


def warm_up(names: Sequence[str], callback: Callback) -> None:
    """Call the methods of these names, or all, on small files."""
    steps: dict[str, list[Call]] = {}
    for name, calls in _steps():
        steps.setdefault(name, []).extend(calls)
    chosen = [find_method(name).__name__ for name in names] or list(steps)
    with TemporaryDirectory() as folder, chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for done, name in enumerate(chosen):
            callback(Progress(done / len(chosen), name))
            for call in steps.get(name, ()):
                with suppress(ShoalError):  # not every file is for every method
                    call()


def _steps() -> Iterator[tuple[str, list[Call]]]:
    """Every method that can compile something, and calls that make it do so."""
    numbers = np.random.default_rng(0).normal(size=(60, 3))
    files = [numbers, numbers[:, :1], numbers.round(), numbers[:9]]  # the last for what tries everything
    for method in MENUS["partitioners"]:
        ways = [partial(method, **options) for options in _ways(method)]
        yield method.__name__, [partial(way, X, 3) for way in ways for X in (*files, *_large(method))]
    for room in ROOMS:
        for name, method in inspect.getmembers(import_module(room), inspect.isfunction):
            yield name, [partial(_run_examples, method)]


def _large(method: Callable[..., Any]) -> list[Matrix]:
    """Files that make MDAV load its tree, give up and read everything, and local search work in halves."""
    shape = {mdav: WIDE, local_search: LONG}.get(method)
    return [] if shape is None else [np.random.default_rng(0).normal(size=shape)]


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
