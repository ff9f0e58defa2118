"""What a promise is told on the command line: numbers by column, other models by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.cli._texts.option_texts import names_from, options_from
from shoal.errors import InvalidInput
from shoal.types import Role


def levels_from(sign: str, texts: Sequence[str] | None, confidential: Sequence[str]) -> dict[str, float]:
    """COLUMN=NUMBER pairs; a bare number is meant for every confidential column."""
    levels: dict[str, float] = {}
    for text in (part for given in texts or () for part in given.split(",")):
        name, equals, number = text.strip().rpartition("=")
        if not equals and not confidential:
            raise InvalidInput(f"`--{sign}` needs a confidential column; add --confidential COLUMN.")
        try:
            value = float(number)
        except ValueError as error:
            raise InvalidInput(f"`--{sign}` needs COLUMN=NUMBER, got {text!r}.") from error
        whole = int(value) if sign == "l" and value.is_integer() else value
        levels |= dict.fromkeys([name.strip()] if equals else confidential, whole)
    return levels


def models_from(texts: Sequence[str] | None) -> dict[str, dict[str, Any]]:
    """Models of a promise by name with their options; MODEL.COLUMN.OPTION is for one column.

    >>> models_from(["alpha_k.alpha=0.5", "k_map.people=20"])
    {'alpha_k': {'alpha': 0.5}, 'k_map': {'people': 20}}
    >>> models_from(["beta_like.ill.beta=2"])
    {'beta_like': {'beta': {'ill': 2}}}
    """
    models: dict[str, dict[str, Any]] = {}
    for path, value in options_from(texts, "--model").items():
        model, *column, option = path.split(".", 1)[0], *path.split(".")[1:-1], path.rsplit(".", 1)[-1]
        if "." not in path:
            raise InvalidInput(f"`--model` needs MODEL.OPTION=VALUE, e.g. alpha_k.alpha=0.5, got {path!r}.")
        options = models.setdefault(model, {})
        if column:
            options.setdefault(option, {})[".".join(column)] = value
        else:
            options[option] = value
    return models


def named_confidential(*given: Sequence[str] | None) -> list[str]:
    """The columns that --l, --l-on, --t and --t-on name, in this order.

    >>> named_confidential(["salary=2", "3"], ["occupation"], None, None)
    ['salary', 'occupation']
    """
    l, l_on, t, t_on = given
    pairs = [part.rpartition("=")[0].strip() for text in (*(l or ()), *(t or ())) for part in text.split(",")]
    return list(
        dict.fromkeys(name for name in (*pairs, *names_from([*(l_on or ()), *(t_on or ())], ())) if name)
    )


def also_confidential(roles: Mapping[Role, Sequence[str]], names: Sequence[str]) -> dict[Role, list[str]]:
    """The roles, with columns that no role names made confidential; no roles stay no roles.

    >>> also_confidential({"quasi": ["age"]}, ["ill"])
    {'quasi': ['age'], 'confidential': ['ill']}
    """
    for name in names:
        if name in roles.get("quasi", ()):
            raise InvalidInput(
                f"Column {name!r} is something an intruder may know, so look-alikes share one value; "
                "name a confidential column."
            )
    known = {name for members in roles.values() for name in members}
    more = [name for name in names if name not in known]
    if not more or not roles:
        return {role: list(members) for role, members in roles.items()}
    hidden: list[str] = [*roles.get("confidential", []), *more]
    return {**{role: list(members) for role, members in roles.items()}, "confidential": hidden}
