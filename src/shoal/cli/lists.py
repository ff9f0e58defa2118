"""shoal methods, shoal datasets, shoal version: what there is."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import asdict
from typing import Annotated, Any

import typer

from shoal import __version__
from shoal.cli import console
from shoal.cli.arguments import Json
from shoal.workflow.describe_options import OptionField, describe_options
from shoal.workflow.registry import MENUS, find_method, options_of


def methods(
    name: Annotated[str | None, typer.Argument(help="one method, in full")] = None, as_json: Json = False
) -> None:
    """Show what there is: maskers, partitioners and measures, with their options."""
    if name is not None:
        _show_method(name, as_json)
        return
    rows = [
        (
            menu,
            method.__name__,
            _summary(method),
            ", ".join(_option_text(p) for p in options_of(method).values()),
        )
        for menu, entries in MENUS.items()
        for method in entries
    ]
    header = ("menu", "method", "what it does", "options")
    if as_json:
        print(json.dumps([dict(zip(header, row, strict=True)) for row in rows], indent=2))
    else:
        console.show_table("methods", header, rows)


def _show_method(name: str, as_json: bool) -> None:
    """What one method does, its options as a table, and what its docstring says after the parameters."""
    fields = describe_options(name)
    if as_json:
        print(json.dumps([asdict(field) for field in fields], indent=2, default=str))
        return
    text = inspect.getdoc(find_method(name)) or ""
    head, _, rest = text.partition("\nParameters\n")
    print(head)
    rows = [(f.name, _kind_text(f), "needed" if f.needed else _plain(f.default), f.sentence) for f in fields]
    if rows:
        console.show_table("options", ("option", "what it is", "default", "what it says"), rows)
    found = re.search(r"^(?:Returns|Yields)\n-", rest, re.M)
    print(f"\n{rest[found.start() :]}" if found else "")


def _kind_text(field: OptionField) -> str:
    """The type, the choices and the limits of a field."""
    choices = ", ".join(map(str, field.choices)) if field.type != "method" or len(field.choices) < 7 else ""
    by_column = "by column" if field.by_column else ""
    return "; ".join(part for part in (field.type, choices, field.limits, by_column) if part)


def _plain(value: Any) -> str:
    if value in (None, (), ""):
        return "not set"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def datasets(as_json: Json = False) -> None:
    """Show the files to try things on."""
    from shoal.datasets import list_datasets

    if as_json:
        print(json.dumps([asdict(info) for info in list_datasets()], indent=2))
        return
    rows = [
        (
            i.name,
            i.source,
            str(i.records or "any"),
            str(i.columns or "any"),
            i.what,
            "yes" if i.found else "no",
        )
        for i in list_datasets()
    ]
    console.show_table("datasets", ("name", "source", "records", "columns", "what it is", "here"), rows)


def _summary(method: Any) -> str:
    return (method.__doc__ or "").strip().splitlines()[0]


def _option_text(parameter: Any) -> str:
    if parameter.default is parameter.empty:
        return str(parameter.name)
    default = getattr(parameter.default, "__name__", None) or repr(parameter.default)
    return f"{parameter.name}={default}"


def version() -> None:
    """Show the version."""
    print(__version__)
