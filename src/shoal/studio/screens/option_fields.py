"""Options of a method as fields of a form, and what was typed into them as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.screens.screen import Form, first
from shoal.workflow.describe_options import OptionField, describe_options

NESTED = ("whole number", "number", "yes or no", "choice")  # what an option of an option may be
FORMS = ("whole number", "number", "yes or no", "choice", "text", "columns", "method")


def fields_of(
    card: Mapping[str, Any], main: tuple[str, ...], promise: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The fields of a card: those that a form can ask for, with the value they have."""
    return [
        {
            **_facts_of(field, card, promise),
            "main": field.name in main or field.name in unsaid(card, promise),
            "nested": nested_fields(field, card.get(field.name)),
        }
        for field in describe_options(card["method"])
        if field.type in FORMS
    ]


def _facts_of(field: OptionField, card: Mapping[str, Any], promise: Mapping[str, Any]) -> dict[str, Any]:
    value = card.get(field.name)
    by_column = value if isinstance(value, Mapping) and "method" not in value else None
    told = shown(value) if by_column is None else ", ".join(f"{n}: {v}" for n, v in by_column.items())
    return {
        "name": field.name,
        "label": field.name.replace("_", " "),
        "type": field.type,
        "sentence": field.sentence,
        "choices": field.choices,
        "low": field.low,
        "high": field.high,
        "value": told,
        "default": _default(field, promise),
        "plain": by_column is None,
    }


def nested_fields(field: OptionField, value: Any) -> list[dict[str, Any]]:
    """The fields of a method that is itself an option, such as the partition of a microaggregation.

    >>> [one["name"] for one in nested_fields(describe_options("pram")[0], {"method": "frequency_matrix"})]
    ['matrices.p']
    """
    if field.type != "method" or not shown(value):
        return []
    given = value if isinstance(value, Mapping) else {}
    return [
        {**_facts_of(inner, given, {}), "name": f"{field.name}.{inner.name}"}
        for inner in describe_options(str(shown(value)))
        if inner.type in NESTED and (inner.name != "k" or inner.needed)
    ]


def unsaid(card: Mapping[str, Any], promise: Mapping[str, Any]) -> list[str]:
    """The options that a method needs and that nobody has said yet.

    >>> unsaid({"method": "protect_clusters", "clusters": 3}, {})
    ['masker']
    """
    promised = ("k",) if promise.get("k") or promise.get("max_risk") else ()
    missing = []
    for field in describe_options(card["method"]):
        value = card.get(field.name)
        if field.needed and value in (None, "", []) and field.name not in promised:
            missing.append(field.name)
        if field.type == "method" and shown(value):
            given = value if isinstance(value, Mapping) else {}
            inner = [name for name in needed_of(str(shown(value))) if name not in given]
            missing += [f"{field.name}.{name}" for name in inner]
    return missing


def needed_of(method: str) -> list[str]:
    """The options without a default of a method that is an option; the file itself is not one of them.

    >>> needed_of("mondrian"), needed_of("mdav")
    (['k'], [])
    """
    return [field.name for field in describe_options(method) if field.needed and field.type in NESTED]


def shown(value: Any) -> Any:
    """A value as a field shows it; of a nested method its name.

    >>> shown({"method": "mdav", "leftovers": "nearest"}), shown(None), shown(0.99)
    ('mdav', '', '0.99')
    """
    if isinstance(value, Mapping):
        return value.get("method", "")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return [str(one) for one in value]
    return "" if value is None else str(value)


def value_of(field: OptionField, form: Form, before: Any) -> Any:
    """What was typed as a value of the option; None where it was left empty."""
    value = _own_value(field, form, before)
    if field.type != "method" or not isinstance(value, str | Mapping) or not shown(value):
        return value
    given = dict(value) if isinstance(value, Mapping) else {"method": value}
    for inner in describe_options(str(given["method"])):
        name = f"{field.name}.{inner.name}"
        if inner.type in NESTED and name in form:
            typed = _own_value(inner, {inner.name: form[name]}, given.get(inner.name))
            given = {**given, inner.name: typed}
    given = {name: one for name, one in given.items() if one is not None}
    return given["method"] if list(given) == ["method"] and isinstance(value, str) else given


def _own_value(field: OptionField, form: Form, before: Any) -> Any:
    if field.type == "columns":
        typed = [name.strip() for name in first(form, f"names:{field.name}").split(",")]
        return [name for name in form.get(field.name, typed) if name] or None
    text = first(form, field.name)
    if not text:
        return before if isinstance(before, Mapping) and "method" not in before else None
    if field.type == "yes or no":
        return text == "yes"
    if field.type == "method" and isinstance(before, Mapping) and before.get("method") == text:
        return before  # with the options it has
    if field.type in ("whole number", "number"):
        return number(text, field)
    return text


def number(text: str, field: OptionField) -> Any:
    """A number as it is typed, within the limits of its option."""
    if text in field.choices:
        return text
    try:
        value = int(text) if field.type == "whole number" else float(text.replace(",", "."))
    except ValueError:
        raise InvalidInput(f"For {field.name} a {field.type} is needed ({field.limits or 'any'}).") from None
    low, high = field.low, field.high
    if (low is not None and value < low) or (high is not None and value > high) or value != value:
        raise InvalidInput(f"For {field.name} a {field.type} is needed: {field.limits}.")
    return value


def _default(field: OptionField, promise: Mapping[str, Any]) -> str:
    if field.name == "k" and promise:
        return "as promised"
    return shown(field.default) if not isinstance(field.default, list | tuple) else ""
