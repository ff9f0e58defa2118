"""A grid of methods and options as recipes, one for every combination."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.masking import MASKERS, PRAM_MATRICES
from shoal.partition import PARTITIONERS
from shoal.table import ROLES, Table, as_table
from shoal.types import Role
from shoal.workflow.recipe import Recipe
from shoal.workflow.registry import find_method, options_of

Grid = Mapping[str, Mapping[str, Any]]

# What a method without k tries where nothing is said: weak to strong protection, to see where the file bends.
LADDERS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "pram": {"matrices": [{"method": "invariant_matrix", "p": p} for p in (0.9, 0.7, 0.5)]},
    "frequency_matrix": {"p": (0.9, 0.7, 0.5)},
    "inverse_frequency_matrix": {"theta": (0.1, 0.3, 0.5)},
    "invariant_matrix": {"p": (0.9, 0.7, 0.5)},
    "rank_swap": {"percent": (2, 5, 10, 20)},
    "add_noise": {"amount": (0.1, 0.3, 0.5)},
    "top_code": {"quantile": (0.99, 0.95, 0.9)},
    "bottom_code": {"quantile": (0.01, 0.05, 0.1)},
    "mondrian": {"release": ("centres",)},  # regions become text, which no loss compares with numbers
}


def make_recipes(
    grid: Grid | Iterable[str],
    *,
    k: Iterable[int] = (),
    roles: Mapping[Role, Sequence[str]] | None = None,
    kinds: Mapping[str, Any] | None = None,
) -> list[Recipe]:
    """One recipe for every combination of the options of every method.

    Parameters
    ----------
    grid
        Method names, or a mapping from method name to lists of values of its options:
        ``{"mdav": {"k": [3, 5]}, "rank_swap": {"percent": [5, 10]}}``. A partitioner stands for
        `microaggregate` with it, a PRAM matrix for `pram` with it.
    k
        Minimum group sizes for every method that has a `k` and no list of its own.
    roles, kinds
        Roles and kinds of the columns, as in `Recipe`.

    Returns
    -------
    list of Recipe
        Named after the method and the options that were said or vary: ``mdav, k = 3``.

    Notes
    -----
    A method without k that is given no values tries a few from weak to strong (`LADDERS`); a method with k
    needs it said. `mondrian` releases centres unless told otherwise, so that its loss can be compared.

    Examples
    --------
    >>> [recipe.name for recipe in make_recipes(["mdav", "rank_swap"], k=[3])][:3]
    ['mdav, k = 3', 'rank_swap, percent = 2', 'rank_swap, percent = 5']
    """
    if isinstance(grid, str):
        raise InvalidInput(f"The methods must be a list of names or a mapping, got {grid!r}.")
    asked = grid if isinstance(grid, Mapping) else {name: {} for name in grid}
    if not asked:
        raise InvalidInput("There is nothing to explore; name at least one method.")
    sizes = list(k)
    found: list[Recipe] = []
    for name, options in asked.items():
        values = _values(name, options, sizes)
        for chosen in product(*values.values()):
            step = dict(zip(values, chosen, strict=True))
            said = [
                option for option in values if option in options or len(values[option]) > 1 or option == "k"
            ]
            title = _title(name, {option: step[option] for option in said})
            found.append(Recipe(title, dict(roles or {}), [_step(name, step)], dict(kinds or {})))
    return found


@takes_frames
def roles_of(table: Table) -> dict[Role, list[str]]:
    """The roles of a table's columns as a recipe writes them.

    >>> roles_of(as_table({"age": [30], "note": ["x"]}, roles={"quasi": "age"}))
    {'quasi': ['age']}
    """
    return {role: table.names(role) for role in ROLES if role != "other" and table.names(role)}


@takes_frames
def kinds_of(table: Table) -> dict[str, Any]:
    """The kinds of those columns that would be taken for something else, so that a recipe can be run again.

    >>> kinds_of(as_table({"code": [1, 2], "size": ["s", "l"]}, kinds={"code": "nominal"}))
    {'code': 'nominal'}
    """
    plain = as_table(table.frame)
    differing = [a for a in table.attributes if (a.kind, a.order) != _inferred(plain, a.name)]
    return {a.name: list(a.order) if a.order and _writable(a.order) else a.kind for a in differing}


def _inferred(plain: Table, name: str) -> tuple[Any, ...]:
    attribute = plain.attribute(name)
    return attribute.kind, attribute.order


def _writable(order: Sequence[Any]) -> bool:
    return all(isinstance(category, str | int | float) for category in order)


def _values(name: str, options: Mapping[str, Any], sizes: list[int]) -> dict[str, list[Any]]:
    """The list of values of every option: those asked for, then k, then the ladder."""
    known = _known_options(name)
    asked = check_names(options, known, what=f"option of {name}")
    values = {option: _as_list(options[option]) for option in asked}
    if "k" in known and "k" not in values:
        if not sizes:
            raise InvalidInput(f"The method {name} needs k; give one or more, e.g. k=[3, 5, 10].")
        values = {"k": list(sizes), **values}
    ladder = {option: list(steps) for option, steps in LADDERS.get(name, {}).items()}
    return values | {option: steps for option, steps in ladder.items() if option not in values}


def _known_options(name: str) -> list[str]:
    method = find_method(name, (*MASKERS, *PARTITIONERS, *PRAM_MATRICES))
    around = {"microaggregate": PARTITIONERS, "pram": PRAM_MATRICES}
    hosts = [host for host, menu in around.items() if method in menu]
    own = list(options_of(method))
    return [*own, *(o for host in hosts for o in options_of(find_method(host)) if o not in own)]


def _as_list(values: Any) -> list[Any]:
    """A list of values; a single number, text or mapping is a list of one."""
    single = isinstance(values, str | Mapping) or not isinstance(values, Iterable)
    listed = [values] if single else list(values)
    if not listed:
        raise InvalidInput("A list of values in the grid is empty; give at least one value.")
    return listed


def _step(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The step of a recipe: a partitioner or a PRAM matrix goes into the masker that uses it."""
    method = find_method(name)
    if method not in PARTITIONERS and method not in PRAM_MATRICES:
        return {"method": name, **options}
    host, slot = ("microaggregate", "partition") if method in PARTITIONERS else ("pram", "matrices")
    own = {option: value for option, value in options.items() if option in options_of(method)}
    rest = {option: value for option, value in options.items() if option not in own}
    return {"method": host, **rest, slot: {"method": name, **own} if own else name}


def _title(name: str, options: Mapping[str, Any]) -> str:
    """The name and its options, those of a nested method without its braces."""
    parts = []
    for option, value in options.items():
        nested = value if isinstance(value, Mapping) and "method" in value else {option: value}
        parts += [f"{key} = {_text(part)}" for key, part in nested.items() if key != "method"]
    return ", ".join([name, *parts])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)
