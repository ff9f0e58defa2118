"""A project of one table as TOML text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.workflow.recipe_texts import toml_key, toml_value


def project_text(name: str, table: Mapping[str, Any], steps: Sequence[Mapping[str, Any]] = ()) -> str:
    """A project of one table as `Project.from_toml` reads it.

    Parameters
    ----------
    name
        What to call the project.
    table
        The entries of the table, as in a project file; empty ones are left out.
    steps
        What is done to it.

    Returns
    -------
    str
        TOML text.

    Examples
    --------
    >>> print(project_text("ages", {"name": "a", "source": "a.csv"}, [{"method": "shuffle"}]))
    name = "ages"
    <BLANKLINE>
    [[tables]]
    name = "a"
    source = "a.csv"
    <BLANKLINE>
    [[tables.steps]]
    method = "shuffle"
    <BLANKLINE>
    """
    lines = [f"name = {toml_value(name)}", "", "[[tables]]"]
    lines += [
        f"{toml_key(key)} = {toml_value(value)}" for key, value in table.items() if value not in ("", {}, [])
    ]
    for step in steps:
        lines += [
            "",
            "[[tables.steps]]",
            *(f"{toml_key(key)} = {toml_value(value)}" for key, value in step.items()),
        ]
    return "\n".join(lines) + "\n"
