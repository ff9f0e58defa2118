"""Edit rules of a recipe: zeros kept by the steps that can, totals summed anew, the rest counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal.edits import check_edits, read_edit
from shoal.errors import InvalidInput
from shoal.masking import keep_edits
from shoal.masking.takes_where import put_back
from shoal.table import Table


def with_zeros(
    step: Mapping[str, Any],
    edits: Sequence[str],
    known: Mapping[str, Any],
    quasi: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The step with the columns whose zeros must stay, where its method can keep them and says none itself.

    `known` are the options of the method, `quasi` the columns it masks if it names none.

    >>> with_zeros({"method": "m", "columns": ["pay"]}, ["zeros of pay stay zero"], {"zeros": None})["zeros"]
    ['pay']
    """
    named = [rule.zeros for rule in map(read_edit, edits) if rule.zeros is not None]
    columns = step.get("columns", quasi)
    if columns is not None:
        columns = [columns] if isinstance(columns, str) else columns
        named = [name for name in named if name in columns]
    if not named or "zeros" not in known or "zeros" in step:
        return dict(step)
    return {**step, "zeros": named}


def with_totals(original: Table, masked: Table, edits: Sequence[str]) -> Table:
    """The masked table with totals summed anew in the records where a column of their rule changed.

    >>> from shoal import as_table
    >>> before = as_table({"total": [3, 4], "wages": [1, 2], "other": [2, 2]})
    >>> with_totals(before, before.assign(wages=[1, 5]), ["total = wages + other"]).frame["total"].to_list()
    [3, 7]
    """
    for rule in map(read_edit, edits):
        if rule.total is None or any(masked.attribute(name).kind != "numeric" for name in rule.columns):
            continue
        changed = [original.cells(name) != masked.cells(name) for name in rule.columns]
        rows = np.flatnonzero(np.any(changed, axis=0))
        if len(rows):
            part = masked.take(rows)
            masked = put_back(masked, part, keep_edits(part, rules=[rule]), rows)
    return masked


def edits_in_words(original: Table, masked: Table, edits: Sequence[str]) -> list[str]:
    """A sentence for every rule: holds, or broken by so many records; or why that cannot be counted.

    >>> from shoal import as_table
    >>> edits_in_words(as_table({"age": [3, 4]}), as_table({"age": ["3", "4"]}), ["age >= 3"])
    ['`age >= 3` cannot be checked: what was released of age is text.']
    """
    said = []
    for rule in map(read_edit, edits):
        text = [n for n in rule.columns if _became_text(original, masked, n)]
        if text:
            said.append(f"`{rule.text}` cannot be checked: what was released of {text[0]} is text.")
        else:
            said += [str(check) for check in check_edits(original, masked, [rule])]
    return said


def check_rules(edits: Any) -> list[str]:
    """The rules as a list, each readable.

    >>> check_rules("age >= 15")
    ['age >= 15']
    """
    listed = [edits] if isinstance(edits, str) else list(edits)
    if not all(isinstance(rule, str) for rule in listed):
        raise InvalidInput("The edits of a recipe are a list of rules, such as `total = wages + other`.")
    for rule in listed:
        read_edit(rule)
    return listed


def _became_text(original: Table, masked: Table, name: str) -> bool:
    return original.attribute(name).kind == "numeric" != masked.attribute(name).kind
