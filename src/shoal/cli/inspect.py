"""shoal inspect: what the columns of a file are, and which roles they may have."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from shoal.cli import console
from shoal.cli.arguments import File, Json, Reading, flat
from shoal.measures import RiskFacts, describe_columns, risk_facts
from shoal.table import Table
from shoal.workflow.suggest_roles import Suggestion, suggest_roles

HEADER = ("column", "kind", "role", "suggested", "why", "different", "missing")

Values = Annotated[bool, typer.Option("--values", help="show lowest, highest and most frequent values")]


@flat
def inspect_file(file: File, reading: Reading, values: Values = False, as_json: Json = False) -> None:
    """Show the columns of a file and suggest roles, with reasons; nothing is masked or written."""
    table = reading.table(file)
    if values:
        _show_values(table, as_json)
        return
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

    if table.names("quasi"):
        _say_risk(risk_facts(table))


def _say_risk(facts: RiskFacts) -> None:
    """Who stands out in the file as it is."""
    console.say(facts.sentence)
    telling = facts.most_telling
    if telling is not None:
        console.say(f"Without {telling.name} it would be {telling.alone_without:,}.")


def _show_values(table: Table, as_json: bool) -> None:
    """What every column holds, in values of the file."""
    found = describe_columns(table)
    if as_json:
        print(json.dumps([asdict(facts) for facts in found], indent=2, default=str))
        return
    header = ("column", "type", "lowest", "highest", "most frequent", "different", "missing")
    rows = [
        (
            facts.name,
            facts.type,
            _shown(facts.lowest),
            _shown(facts.highest),
            ", ".join(f"{_shown(value)} ({count:,})" for value, count in facts.top),
            str(facts.distinct),
            str(facts.missing),
        )
        for facts in found
    ]
    console.show_table(f"{len(table)} records", header, rows, numbers=2)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _kind_and_role(table: Table, name: str) -> tuple[str, str]:
    attribute = table.attribute(name)
    return attribute.kind, attribute.role


def _facts(table: Table, suggestion: Suggestion) -> dict[str, object]:
    kind, role = _kind_and_role(table, suggestion.name)
    facts = {
        name: value for name, value in asdict(suggestion).items() if name not in ("name", "role", "kind")
    }
    proposed = {"suggested": suggestion.role, "proposed_kind": suggestion.kind}
    return {"name": suggestion.name, "kind": kind, "role": role, **proposed, **facts}


def _options(found: tuple[Suggestion, ...]) -> str:
    """The suggestions as options of the command line."""
    named: dict[str, list[str]] = {}
    for suggestion in found:
        single = suggestion.role in ("weight", "household") and suggestion.role in named
        if suggestion.role != "other" and not single:  # of these a file has one
            named.setdefault(suggestion.role, []).append(suggestion.name)
    named["nominal"] = [suggestion.name for suggestion in found if suggestion.kind == "nominal"]
    return " ".join(f"--{option} {','.join(names)}" for option, names in named.items() if names)
