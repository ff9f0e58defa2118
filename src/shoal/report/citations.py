"""How to cite: what every method and measure does and the papers it comes from, read off its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Any

from shoal.workflow.recipe import Recipe
from shoal.workflow.registry import INGREDIENTS, MENUS, find_method, method_of, options_of

Facts = dict[str, Any]


def methods_of(recipe: Recipe) -> list[str]:
    """Names of all methods of a recipe, nested and default ones included, each once.

    >>> methods_of(Recipe("r", {}, [{"method": "microaggregate", "k": 3, "partition": "mdav"}]))
    ['microaggregate', 'mdav']
    """
    return list(dict.fromkeys(name for step in recipe.steps for name in _methods_in(step)))


def _methods_in(step: Mapping[str, Any]) -> Iterable[str]:
    yield step["method"]
    for name, parameter in options_of(find_method(step["method"])).items():
        nested = method_of(parameter, step.get(name))
        if nested is not None:
            yield from _methods_in(nested)
        elif name not in step and _is_method(parameter.default):
            yield from _methods_in({"method": parameter.default.__name__})


def _is_method(value: Any) -> bool:
    """Whether it is a function one can find by its name."""
    return any(value in menu for menu in (*MENUS.values(), *INGREDIENTS.values()))


def source_of(name: str) -> Facts:
    """The first sentence of a method's or measure's docstring, and its references.

    >>> source_of("k_anonymity")["references"]
    ['Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998).']
    """
    text = inspect.getdoc(find_method(name)) or ""
    found = re.search(r"^References\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", text, re.DOTALL | re.MULTILINE)
    return {"name": name, "does": _first_sentence(text), "references": _references(found[1] if found else "")}


def _first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split()).replace("`", "")


def _references(text: str) -> list[str]:
    """One per paper: paragraphs, or parts of one separated by a semicolon after the year in brackets."""
    whole = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    parts = [part.strip() for paragraph in whole for part in re.split(r"(?<=\));\s", paragraph)]
    return [part if part.endswith(".") else f"{part}." for part in parts if part]
