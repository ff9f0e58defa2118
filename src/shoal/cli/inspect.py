"""shoal inspect: what the columns of a file are, and which roles they may have."""

from __future__ import annotations

import json
from dataclasses import asdict

from shoal.cli import console
from shoal.cli.arguments import File, Json, Reading, flat
from shoal.table import Table
from shoal.workflow.suggest_roles import Suggestion, suggest_roles

HEADER = ("column", "kind", "role", "suggested", "why", "different", "missing")


@flat
def inspect_file(file: File, reading: Reading, as_json: Json = False) -> None:
    """Show the columns of a file and suggest roles, with reasons; nothing is masked or written."""
    table = reading.table(file)
    found = suggest_roles(table)
    if as_json:
        print(json.dumps([_facts(table, suggestion) for suggestion in found], indent=2))
        return
    rows = [
        (s.name, *_kind_and_role(table, s.name), s.role, s.reason, str(s.distinct), str(s.missing))
        for s in found
    ]
    console.show_table(f"{len(table)} records", HEADER, rows, numbers=2)
    for suggestion in found:
        for note in suggestion.notes:
            console.say(f"{suggestion.name}: {note}.")
        if suggestion.determines:
            console.say(f"{suggestion.name} determines {', '.join(suggestion.determines)}.")
    options = _options(found)
    if options:
        console.say(f"As options, for you to decide: {options}")


def _kind_and_role(table: Table, name: str) -> tuple[str, str]:
    attribute = table.attribute(name)
    return attribute.kind, attribute.role


def _facts(table: Table, suggestion: Suggestion) -> dict[str, object]:
    kind, role = _kind_and_role(table, suggestion.name)
    facts = {name: value for name, value in asdict(suggestion).items() if name not in ("name", "role")}
    return {"name": suggestion.name, "kind": kind, "role": role, "suggested": suggestion.role, **facts}


def _options(found: tuple[Suggestion, ...]) -> str:
    """The suggestions as options of the command line."""
    named: dict[str, list[str]] = {}
    for suggestion in found:
        if suggestion.role != "other":
            named.setdefault(suggestion.role, []).append(suggestion.name)
    return " ".join(f"--{role} {','.join(names)}" for role, names in named.items())
