"""explore: many maskings of one file, loss against risk, and which of them to take."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from shoal._door import takes_frames
from shoal._shared.options import sub_progress, with_known_options
from shoal._shared.workers import as_map, pooled
from shoal.encode.fingerprint import fingerprint
from shoal.errors import InvalidInput, ShoalError
from shoal.measures.check import check
from shoal.measures.column_covers import column_covers
from shoal.measures.evaluate import Evaluation, evaluate
from shoal.models.promise import Promise
from shoal.table import Table
from shoal.types import Callback, Progress, RandomState, Workers
from shoal.workflow.explore.cache import describe, entry_name, evaluation_from, load, open_folder, store
from shoal.workflow.explore.grid import Grid, kinds_of, make_recipes, roles_of
from shoal.workflow.explore.result import Candidate, Exploration, arrange
from shoal.workflow.recipe import Recipe

Evaluator: TypeAlias = Callable[[Table, Table], Evaluation]
Task: TypeAlias = tuple[Table, Recipe, Promise, Evaluator, RandomState, Path | None, Callback | None]


@pooled
@takes_frames
def explore(
    table: Table,
    recipes: Iterable[Recipe] | Grid,
    *,
    evaluation: Evaluator = evaluate,
    folder: str | Path | None = None,
    rng: RandomState = None,
    workers: Workers = map,
    callback: Callback | None = None,
) -> Exploration:
    """Run many maskings of one file, evaluate them all and find those that no other beats.

    Parameters
    ----------
    table
        The file to protect.
    recipes
        Recipes, or a grid: method names with lists of values of their options, as in `make_recipes`,
        ``{"mdav": {"k": [3, 5, 10]}, "rank_swap": {"percent": [5, 10]}}``.
    evaluation
        How a masked file is judged: `evaluate`, its options frozen by `functools.partial`.
    folder
        Where figures are kept, so that a second run goes on where the first stopped; nothing is kept
        without it. It never holds records of the file, masked or not, nor a seed (see Notes).
    rng
        Seed or generator for methods that draw; `recipe.run(table, rng=seed)` makes the file of a candidate
        again where `rng` is a whole number. A seed is a secret.
    workers
        A number of new processes, or any map-like callable; recipes are independent. With processes the
        table travels once per recipe.
    callback
        Called with `Progress` during and after every recipe (only after it where `workers` is not `map`);
        `best` is the exploration so far. Returning True stops and keeps the finished recipes.

    Returns
    -------
    Exploration
        One candidate per recipe: `.frame`, `.front`, `.recommend(risk=20)`; prints as a table.

    Notes
    -----
    A recipe that fails is a candidate with its reason. Candidates are only compared where the same measures
    of the same columns speak about them; the others say so. Figures are kept under a keyed hash of the table,
    the recipe without its name, the measures and shoal's version; the key lies in the folder. Whoever has the
    folder can test whether a table is the one explored, and exact figures are almost as telling: keep it
    where the original is kept. Kept figures of a method that draws are those of one draw, whatever the seed
    now. Missing values are treated as every recipe says. Cost: that of the recipes and of the evaluations.

    References
    ----------
    Duncan, Keller-McNulty, Stokes: Disclosure risk vs. data utility: the R-U confidentiality map, Technical
    Report LA-UR-01-6428, Los Alamos National Laboratory (2001).

    Examples
    --------
    >>> from shoal.datasets import load_sme
    >>> found = explore(load_sme(), {"mdav": {"k": [3, 5]}, "rank_swap": {"percent": [10]}}, rng=1)
    >>> [candidate.name for candidate in found.candidates]
    ['mdav, k = 3', 'mdav, k = 5', 'rank_swap, percent = 10']
    >>> found.recommend().name in [candidate.name for candidate in found.front]
    True
    """
    mapped = as_map(workers)
    plan = _plan(table, recipes)
    promises = _promises(plan)
    places = _places(table, plan, evaluation, folder)
    kept = {
        at: found
        for at, place in enumerate(places)
        if (found := _kept(plan[at], promises[at], place)) is not None
    }
    missing = [at for at in range(len(plan)) if at not in kept]
    latest, stopped = _so_far(table, plan, kept), False

    def listen(progress: Progress) -> bool:
        nonlocal stopped
        share = 1 - len(missing) / len(plan) * (1 - progress.fraction)
        now = replace(progress, fraction=share, best=latest)
        stopped |= callback is not None and bool(callback(now))
        return stopped

    if kept and listen(Progress(0.0, f"{len(kept)} of {len(plan)} were kept")):
        return latest
    within = mapped is map and callback is not None  # a callback cannot travel to other processes
    streams = _streams(rng, len(plan))
    tasks = [
        (table, plan[at], promises[at], evaluation, streams[at], None if mapped is map else places[at], step)
        for position, at in enumerate(missing)
        for step in [sub_progress(listen, position, len(missing)) if within else None]
    ]
    for position, (at, found) in enumerate(zip(missing, mapped(_attempt, tasks), strict=False), 1):
        if stopped:  # its recipe was interrupted
            break
        kept[at] = found
        _keep(places[at], found)
        latest = _so_far(table, plan, kept)
        if listen(Progress(position / len(missing), found.name)):
            break
    return latest


def _so_far(table: Table, plan: list[Recipe], found: Mapping[int, Candidate]) -> Exploration:
    return arrange(len(table), len(plan), [found[at] for at in sorted(found)])


def _plan(table: Table, recipes: Iterable[Recipe] | Grid) -> list[Recipe]:
    if isinstance(recipes, Mapping):
        return make_recipes(recipes, roles=roles_of(table), kinds=kinds_of(table))
    plan = list(recipes)
    if not plan or not all(isinstance(recipe, Recipe) for recipe in plan):
        raise InvalidInput("There is nothing to explore; give a list of recipes, or a grid of methods.")
    return with_own_names(plan)


def with_own_names(recipes: Iterable[Recipe]) -> list[Recipe]:
    """The recipes, the second of one name called "name (2)".

    >>> step = {"method": "shuffle"}
    >>> [recipe.name for recipe in with_own_names([Recipe("a", {}, [step]), Recipe("a", {}, [step])])]
    ['a', 'a (2)']
    """
    named: dict[str, Recipe] = {}
    for recipe in recipes:
        names = chain([recipe.name], (f"{recipe.name} ({count})" for count in itertools.count(2)))
        name = next(name for name in names if name not in named)
        named[name] = recipe if name == recipe.name else replace(recipe, name=name)
    return list(named.values())


def _promises(plan: list[Recipe]) -> list[Promise]:
    """What every recipe promises; one that says no k is held to the smallest k of the others."""
    asked = [recipe.promised for recipe in plan]
    sized = [promise.k is not None or promise.max_risk is not None for promise in asked]
    sizes = [promise.class_size for promise, size in zip(asked, sized, strict=True) if size]
    least = min(sizes, default=None)
    return [
        promise if size or least is None else replace(promise, k=least)
        for promise, size in zip(asked, sized, strict=True)
    ]


def _places(
    table: Table, plan: list[Recipe], evaluation: Evaluator, folder: str | Path | None
) -> list[Path | None]:
    """Where the figures of every recipe are kept, if anywhere."""
    if folder is None:
        return [None] * len(plan)
    described = describe(evaluation)
    folder = Path(folder)
    key = open_folder(folder)
    mark = fingerprint(table, key)
    return [folder / entry_name(mark, recipe, described, version("shoal"), key) for recipe in plan]


def _streams(rng: RandomState, count: int) -> list[RandomState]:
    """A whole number is every recipe's seed, so that each can be run again alone; else one stream each."""
    if isinstance(rng, int | np.integer):
        return [int(rng)] * count
    return list(np.random.default_rng(rng).spawn(count))


def _attempt(task: Task) -> Candidate:
    """Run and evaluate one recipe; whatever goes wrong is its reason, without a value of the file."""
    table, recipe, promise, evaluation, rng, place, callback = task
    step = partial(sub_progress, callback and partial(_relay, callback, recipe.name))
    start = time.perf_counter()
    try:
        masked = recipe.run(table, rng=rng, callback=step(0, 2))
        seconds = time.perf_counter() - start
        original = recipe.describe(table)
        judged = with_known_options(evaluation, callback=step(1, 2))(original, masked)
    except ShoalError as error:
        return Candidate(recipe, failed=str(error))
    except MemoryError:
        return Candidate(recipe, failed="There is not enough memory.")
    except Exception as error:  # its message could show a value of the file
        return Candidate(recipe, failed=f"It stopped on an unexpected {type(error).__name__}.")
    kept = not promise or check(masked, promise, columns=judged.keys or None).kept
    found = Candidate(
        recipe, judged, seconds, _left_out(original, masked, judged), promised=promise, kept=kept
    )
    _keep(place, found)
    return found


def _relay(callback: Callback, name: str, progress: Progress) -> bool | None:
    return callback(replace(progress, message=name))


def _left_out(original: Table, masked: Table, judged: Evaluation) -> tuple[str, ...]:
    """Columns with cells that are no value, interval, set or label, so that no loss is sure of them."""
    return tuple(name for name in judged.keys if column_covers(original, masked, name).unread)


def _keep(place: Path | None, found: Candidate) -> None:
    """Figures only; a recipe that failed is tried again next time."""
    if place is None or found.evaluation is None or place.exists():
        return
    facts: dict[str, Any] = {"evaluation": found.evaluation.to_dict(), "seconds": found.seconds}
    said = {"promise": found.promised.to_dict(), "kept": found.kept}
    store(place, facts | said | {"left_out": list(found.left_out)})


def _kept(recipe: Recipe, promise: Promise, place: Path | None) -> Candidate | None:
    """What was kept of a recipe; run anew if what the others promise has changed what it is held to."""
    facts = None if place is None else load(place)
    if facts is None:
        return None
    judged, kept = evaluation_from(facts["evaluation"]), facts.get("kept")
    if facts.get("promise") != promise.to_dict():
        if list(promise.to_dict()) not in ([], ["k"]):
            return None
        kept = (judged.k or 0) >= promise.class_size
    left_out = tuple(facts.get("left_out", ()))
    return Candidate(recipe, judged, float(facts["seconds"]), left_out, promised=promise, kept=bool(kept))
