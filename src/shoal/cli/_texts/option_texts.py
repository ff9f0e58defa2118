"""The texts of options as values: names, pairs, levels, sizes."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal._check import did_you_mean
from shoal.errors import InputWarning, InvalidInput
from shoal.table import Table
from shoal.workflow.describe_options import describe_options
from shoal.workflow.registry import STEPS, find_method

# what the steps people combine most are called for short
SHORT = {"recode": "recode_to_k", "suppress": "suppress_to_k"}


def names_from(texts: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """Column names, comma separated or given one by one; a name that holds a comma is taken whole."""
    names = [[text] if text in known else text.split(",") for text in texts or ()]
    return [name.strip() for group in names for name in group if name.strip()]


def order_from(table: Table, name: str, order: str) -> list[Any]:
    """Categories from lowest to highest: texts, or numbers where the column holds numbers."""
    texts = [text.strip() for text in order.split(",")]
    if not table.is_number(name):
        return texts
    try:
        return [float(text) for text in texts]
    except ValueError as error:
        raise InvalidInput(
            f"Column {name!r} holds numbers, so its order needs numbers, got {order!r}."
        ) from error


def options_from(texts: Sequence[str] | None, option: str = "--set") -> dict[str, Any]:
    """name=value pairs; the value is read as TOML where it is TOML, else as text."""
    options: dict[str, Any] = {}
    for text in texts or ():
        name, value = pair_from(option, text)
        try:
            options[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            options[name] = value
    return options


def steps_from(names: str, texts: Sequence[str] | None) -> list[dict[str, Any]]:
    """Steps by name, comma separated, each with its options: METHOD.NAME=VALUE, or NAME=VALUE for the first.

    >>> steps_from("recode,suppress", ["scheme=local", "suppress.certify=true"])
    [{'method': 'recode_to_k', 'scheme': 'local'}, {'method': 'suppress_to_k', 'certify': True}]
    """
    methods = [SHORT.get(name.strip(), name.strip()) for name in names.split(",") if name.strip()]
    if not methods:
        raise InvalidInput("`--steps` needs the names of maskers, as recode,suppress.")
    steps: list[dict[str, Any]] = [{"method": method} for method in methods]
    for name, value in options_from(texts).items():
        owner, dot, option = name.partition(".")
        owner = SHORT.get(owner, owner)
        if dot and owner not in methods:
            raise InvalidInput(f"`--set {name}` is for a step {owner!r}, which --steps does not name.")
        steps[methods.index(owner) if dot else 0][option if dot else name] = value
    return steps


def with_column_names(steps: Sequence[dict[str, Any]], known: Sequence[str]) -> list[dict[str, Any]]:
    """The steps with their options that name columns as lists, where they were given as a,b.

    >>> with_column_names([{"method": "rank_swap", "percent": 5, "columns": "age,hours"}], ["age", "hours"])
    [{'method': 'rank_swap', 'percent': 5, 'columns': ['age', 'hours']}]
    """
    return [
        step
        | {
            field.name: names_from([step[field.name]], known)
            for field in describe_options(find_method(step["method"], STEPS))
            if field.type == "columns"
            and "," in str(step.get(field.name))
            and isinstance(step[field.name], str)
        }
        for step in steps
    ]


def hierarchies_in(folder: Path | None, table: Table) -> dict[str, Path]:
    """The hierarchy files of a folder by the column they are named after: age.csv, or mu-Argus's AGE.grc."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise InvalidInput(f"The folder of hierarchies {folder.name!r} does not exist.")
    names = {name.lower(): name for name in table.names()}  # mu-Argus writes Age.grc for AGE
    found = {
        names[path.stem.lower()]: path
        for path in sorted(folder.iterdir())
        if path.suffix.lower() == ".grc" and path.stem.lower() in names
    }
    found |= {path.stem: path for path in sorted(folder.glob("*.csv")) if path.stem in table.names()}
    if not found:
        raise InvalidInput(f"No file of the folder {folder.name!r} is named after a column, e.g. age.csv.")
    _warn_of_unused(folder, [name for name in table.names() if name not in found])
    return found


def _warn_of_unused(folder: Path, without: list[str]) -> None:
    """Say which hierarchies were meant for a column, by their name, but are called after none."""
    for path in sorted(folder.glob("*.csv")):
        meant = did_you_mean(path.stem, without)
        if meant and path.stem not in without:
            sentence = (
                f"The hierarchy {path.name!r} is not used, as no column is called {path.stem!r}.{meant}"
            )
            warnings.warn(sentence, InputWarning, stacklevel=2)


def pair_from(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"`{option}` needs NAME=VALUE, got {text!r}.")
    return name, value


def sizes_from(text: str) -> list[int]:
    """Several k, comma separated."""
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError as error:
        raise InvalidInput(f"`--k` needs whole numbers, comma separated, got {text!r}.") from error
