"""Methods by name: what recipes, the command line and web forms speak; Python code passes functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from itertools import chain
from typing import Any, NoReturn, TypeAlias

from shoal._check import check_names, did_you_mean
from shoal._shared.options import with_new_names
from shoal.errors import InvalidInput
from shoal.evolve import SELECTIONS
from shoal.masking import MASKERS, PRAM_MATRICES
from shoal.measures import FURTHER_RISK, LOSS, RISK
from shoal.models import MODELS
from shoal.models.promise import Promise
from shoal.partition import CROSSOVERS, PARTITIONERS, TOURS
from shoal.search import GROUPINGS, PRAM_SEARCHES, RECODERS, SEARCHES, SLOW_MASKERS

Method: TypeAlias = Callable[..., Any]

OWN: Mapping[str, Sequence[Method]] = {
    "maskers": MASKERS,
    "slow maskers": SLOW_MASKERS,
    "recoders": RECODERS,
    "partitioners": PARTITIONERS,
    "pram matrices": PRAM_MATRICES,
    "pram searches": PRAM_SEARCHES,
    "searches": SEARCHES,
    "groupings": GROUPINGS,
    "loss": LOSS,
    "risk": RISK,
    "further risk": FURTHER_RISK,
    "models": MODELS,
}


class Menus(Mapping[str, Sequence[Method]]):
    """Methods by menu: those of shoal, and those that other packages add by entry points.

    The group is "shoal." and the menu with an underscore for a blank, such as "shoal.pram_matrices".
    """

    def __getitem__(self, menu: str) -> Sequence[Method]:
        return (*OWN[menu], *added(menu))

    def __iter__(self) -> Iterator[str]:
        return iter(OWN)

    def __len__(self) -> int:
        return len(OWN)


class Steps(Sequence[Method]):
    """What a recipe may apply."""

    def __getitem__(self, place: Any) -> Any:
        return (*MENUS["maskers"], *MENUS["slow maskers"], *MENUS["recoders"])[place]

    def __len__(self) -> int:
        return sum(len(MENUS[menu]) for menu in ("maskers", "slow maskers", "recoders"))


@functools.cache
def added(menu: str) -> tuple[Method, ...]:
    """The methods that other packages add to a menu."""
    return tuple(entry.load() for entry in entry_points(group=f"shoal.{menu.replace(' ', '_')}"))


MENUS = Menus()
STEPS = Steps()
INGREDIENTS: Mapping[str, Sequence[Method]] = {  # parts of methods, chosen by name inside their options
    "selections": SELECTIONS,
    "crossovers": CROSSOVERS,
    "tours": TOURS,
}
INSIDE = {  # where the methods of a menu go, in the words of the command line
    "partitioners": "--method microaggregate --set partition",
    "pram matrices": "--method pram --set matrices",
    "pram searches": "--method pram --set matrices",
}
GIVEN = ("rng", "workers", "callback")  # said when a method is run; a seed is a secret and never written down


def find_method(name: str, menu: Sequence[Method] | None = None) -> Method:
    """The method of that name on a menu, or on any.

    >>> find_method("mdav").__name__
    'mdav'
    """
    known = {method.__name__: method for method in menu or chain(*MENUS.values(), *INGREDIENTS.values())}
    if name not in known:
        _refuse_method(name, menu)
    return known[name]


def _refuse_method(name: str, menu: Sequence[Method] | None) -> NoReturn:
    """Say where a method of that name goes, else which there are."""
    if menu is None:
        near = did_you_mean(name, _all_names())
        raise InvalidInput(f"There is no method {name!r}.{near} `shoal methods` lists them all.")
    for kind, where in INSIDE.items() if MASKERS[0] in menu else ():
        if name in (method.__name__ for method in MENUS[kind]):
            raise InvalidInput(f"{name} is no method by itself but an option of one: {where}={name}.")
    check_names(name, [method.__name__ for method in menu], what="method")
    raise AssertionError("a method that is on the menu was refused")


def options_of(method: Method) -> dict[str, inspect.Parameter]:
    """The options a user may set by name.

    >>> list(options_of(find_method("mdav")))
    ['leftovers']
    """
    parameters = inspect.signature(method).parameters.values()
    return {p.name: p for p in parameters if p.kind is p.KEYWORD_ONLY and p.name not in GIVEN}


def bind_method(step: Mapping[str, Any], menu: Sequence[Method] | None = None) -> Method:
    """The method that a mapping names, with its options frozen, nested methods included.

    >>> bind_method({"method": "mdav", "leftovers": "nearest"}).keywords
    {'leftovers': 'nearest'}
    """
    method = find_method(_named(step), menu)
    options = options_of(method)
    given = check_names([name for name in step if name != "method"], options, f"option of {step['method']}")
    for name, parameter in options.items():
        if parameter.default is parameter.empty and name not in given:
            spelled = ", --k on the command line" if name == "k" else ""
            raise InvalidInput(
                f"The method {step['method']} needs the option `{name}`{spelled}; add it "
                f"(`shoal methods {step['method']}` says what it is)."
            )
    return partial(method, **{name: _bound(options[name], step[name]) for name in given})


def renewed(step: Any) -> Any:
    """A step, and the steps inside it, with the names its options have now; old ones are said.

    >>> renewed({"method": "suppress_to_k", "k": 3})
    {'method': 'suppress_to_k', 'k': 3}
    """
    if not isinstance(step, Mapping) or not isinstance(step.get("method"), str):
        return step
    inside = {name: renewed(value) for name, value in step.items()}
    return with_new_names(find_method(step["method"]), inside, stacklevel=5)


def with_promise(step: Mapping[str, Any], promise: Promise) -> dict[str, Any]:
    """The step with what its method takes of a promise and it does not say itself.

    >>> with_promise({"method": "microaggregate"}, Promise(k=5))
    {'method': 'microaggregate', 'k': 5}
    """
    method = _named(step)
    given: dict[str, Any] = {}
    if promise.k is not None or promise.max_risk is not None:
        given["k"] = promise.class_size
    if promise.known_keys is not None:
        given["known_keys"] = promise.known_keys
    if promise.l:
        given["l_diversity"] = max(promise.l.values())
    if promise.t:
        given["t_closeness"] = min(promise.t.values())
    if promise.l or promise.t:
        given["confidential"] = list(dict.fromkeys([*promise.l, *promise.t]))
    known = options_of(find_method(method, STEPS))
    rest = {
        name: value
        for name, value in promise.to_dict().items()
        if name not in ("k", "known_keys", "whole_households", "max_risk")
    }
    several = (
        len({*promise.l.values()}) > 1 or len({*promise.t.values()}) > 1 or set(promise.l) ^ set(promise.t)
    )
    if "promise" in known and rest and (promise.others or several or "l_diversity" not in known):
        given = {name: value for name, value in given.items() if name in ("k", "known_keys")} | {
            "promise": rest
        }
    return dict(step) | {name: value for name, value in given.items() if name in known and name not in step}


def method_of(parameter: inspect.Parameter, value: Any) -> Mapping[str, Any] | None:
    """The nested method an option's value names, as a mapping, or None if it is a plain value.

    A mapping with "method" always is one; a text is one where the option's default is a method, or where it
    has no default and a method has that name.
    """
    if isinstance(value, Mapping) and "method" in value:
        return value
    if not isinstance(value, str):
        return None
    known = value in _all_names() if parameter.default is parameter.empty else callable(parameter.default)
    return {"method": value} if known else None


def _named(step: Any) -> str:
    """The name of the method of a step."""
    if not isinstance(step, Mapping) or not isinstance(step.get("method"), str):
        raise InvalidInput('Every step needs the name of a method, e.g. method = "microaggregate".')
    return str(step["method"])


def _all_names() -> list[str]:
    return [method.__name__ for method in chain(*MENUS.values(), *INGREDIENTS.values())]


def _bound(parameter: inspect.Parameter, value: Any) -> Any:
    if isinstance(parameter.default, bool) and not isinstance(value, bool):
        raise InvalidInput(
            f"`{parameter.name}` must be true or false, got {value!r}."
        )  # "no" is true in Python
    nested = method_of(parameter, value)
    if nested is None:
        return value
    menus = (*MENUS.values(), *INGREDIENTS.values())
    menu = next((menu for menu in menus if parameter.default in menu), None)
    bound = bind_method(nested, menu)
    return bound if len(nested) > 1 else find_method(nested["method"])
