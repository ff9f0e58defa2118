"""Maskers on files of households: the household's columns once per household, its members' afterwards."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, TypeAlias, TypeVar, cast

import narwhals as nw
import numpy as np

from shoal._check import check_names
from shoal._shared.options import sub_progress
from shoal.encode.sampling_weights import check_household_weights
from shoal.errors import InvalidInput, NotApplicable
from shoal.masking.households.household_variables import (
    check_households,
    first_difference,
    household_of,
    household_variables,
)
from shoal.masking.households.keep_household_k import keep_household_k
from shoal.masking.microaggregation.strata import check_strata, strata_of
from shoal.table import Attribute, Table
from shoal.types import Labels

F = TypeVar("F", bound=Callable[..., Table])
Columns: TypeAlias = Iterable[str] | str | None
CLASSES = "household class (shoal)"  # a column of strata while members are masked; never released
KEYED = ("matrices", "threshold", "quantile", "centres")  # options that name the columns by their keys


def by_household(masker: F) -> F:
    """The masker with one more option, `household_variables`, for tables with the role household.

    Columns that are the same for all members (or those named in `household_variables`) are masked on a table
    with one record per household and given to all members. The other columns are masked after that, person by
    person, inside classes of look-alike households where the masker knows strata. If the masker takes k,
    classes of fewer than k different households lose their members' columns, `keep_household_k`.
    """

    @wraps(masker)
    def masked(table: Table, *, household_variables: Columns = None, **options: Any) -> Table:
        if isinstance(table, Table) and table.names(role="household"):
            return _masked(masker, table, household_variables, options)
        if household_variables is not None:
            raise InvalidInput(
                "`household_variables` needs a column with the role household; say which one it is."
            )
        return masker(table, **options)

    signature = inspect.signature(masker)
    parameters = list(signature.parameters.values())
    option = inspect.Parameter("household_variables", inspect.Parameter.KEYWORD_ONLY, default=None)
    place = next((i for i, p in enumerate(parameters) if p.name in LAST), len(parameters))
    parameters.insert(place, option.replace(annotation="Iterable[str] | str | None"))
    masked.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return cast(F, masked)


LAST = ("columns", "rng", "workers", "callback")


def _masked(masker: Callable[..., Table], table: Table, given: Any, options: dict[str, Any]) -> Table:
    homes = household_of(table)
    check_household_weights(table)
    k = options.get("k")
    if isinstance(k, int):
        check_households(homes, k)
    wanted = _wanted(table, options)
    strata = _strata(table, options)
    if isinstance(k, int) and strata:
        check_strata(strata_of(table, strata), k, homes)
    shared = _shared(table, homes, wanted, given)
    own = [name for name in wanted if name not in shared]
    refusals: list[NotApplicable] = []
    result = table
    if shared:
        first = _half(options, 0) if own else options
        result = _once_per_household(masker, result, homes, shared, wanted, first, refusals)
    if own:
        then = _half(options, 1) if shared else options
        result = _members(masker, result, homes, shared, own, wanted, then, refusals)
    if len(refusals) == bool(shared) + bool(own):
        raise refusals[0]
    if isinstance(k, int):
        result = keep_household_k(result, homes, k, shared, own, strata)
    roles = {a.name: a.role for a in table.attributes}
    return Table(result.frame, tuple(replace(a, role=roles[a.name]) for a in result.attributes))


def _strata(table: Table, options: Mapping[str, Any]) -> list[str]:
    given = options.get("strata")
    return [] if given is None else check_names(given, table.names())


def _half(options: dict[str, Any], part: int) -> dict[str, Any]:
    """The options for the first or second half of the work."""
    return (
        {**options, "callback": sub_progress(options.get("callback"), part, 2)}
        if "callback" in options
        else options
    )


def _wanted(table: Table, options: Mapping[str, Any]) -> list[str]:
    """The columns to mask: those named, or keys of an option by column, or the quasi-identifiers."""
    columns = options.get("columns")
    if columns is None:
        columns = next((list(options[o]) for o in KEYED if isinstance(options.get(o), Mapping)), None)
    return table.names(role="quasi") if columns is None else check_names(columns, table.names())


def _shared(table: Table, homes: Labels, wanted: list[str], given: Any) -> list[str]:
    if given is None:
        return household_variables(table, columns=wanted)
    names = check_names(given, table.names())
    for name in names:
        row = first_difference(table, name, homes)
        if row >= 0:
            raise InvalidInput(
                f"Column {name!r} is not the same for the whole household of row {row}, so it cannot be one "
                "of `household_variables`; leave it out."
            )
    return [name for name in wanted if name in names]


def _once_per_household(
    masker: Callable[..., Table],
    table: Table,
    homes: Labels,
    shared: list[str],
    wanted: list[str],
    options: Mapping[str, Any],
    refusals: list[NotApplicable],
) -> Table:
    first = np.unique(homes, return_index=True)[1]
    try:
        done = masker(_only(table, shared, wanted).take(first), **_options_for(shared, wanted, options))
    except NotApplicable as reason:
        refusals.append(reason)
        return table
    frame: nw.DataFrame[Any] = nw.from_native(table.frame, eager_only=True)
    masked: nw.DataFrame[Any] = nw.from_native(done.frame, eager_only=True)
    spread = [masked[name][homes.tolist()].alias(name) for name in shared]
    attributes = [done.attribute(a.name) if a.name in shared else a for a in table.attributes]
    return Table(frame.with_columns(*spread).to_native(), tuple(attributes))


def _members(
    masker: Callable[..., Table],
    table: Table,
    homes: Labels,
    shared: list[str],
    own: list[str],
    wanted: list[str],
    options: Mapping[str, Any],
    refusals: list[NotApplicable],
) -> Table:
    before = table
    given = _options_for(own, wanted, options)
    nested = bool(shared) and "k" in given and "strata" in inspect.signature(masker).parameters
    if nested:
        frame: nw.DataFrame[Any] = nw.from_native(table.frame, eager_only=True)
        classes = nw.new_series(CLASSES, strata_of(table, shared), backend=frame.implementation)
        strata = given.get("strata") or []
        given["strata"] = [*([strata] if isinstance(strata, str) else strata), CLASSES]
        attributes = (*table.attributes, Attribute(CLASSES, "nominal"))
        table = Table(frame.with_columns(classes).to_native(), attributes)
    try:
        done = masker(_only(table, own, wanted), **given)
    except NotApplicable as reason:
        refusals.append(reason)
        return before
    return done.select(before.names()) if nested else done


def _only(table: Table, mine: list[str], wanted: list[str]) -> Table:
    """The table in which, of the columns to mask, only mine are quasi-identifiers."""
    attributes = [
        replace(a, role="other") if a.role == "quasi" and a.name in wanted and a.name not in mine else a
        for a in table.attributes
    ]
    return Table(table.frame, tuple(attributes))


def _options_for(mine: list[str], wanted: list[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with what they say by column left to these columns."""
    others = {name for name in wanted if name not in mine}
    found = {}
    for option, value in options.items():
        if isinstance(value, Mapping) and others & set(value):
            value = {name: said for name, said in value.items() if name not in others}
        elif option == "columns" and value is not None:
            value = mine
        elif option == "zeros" and value is not None:
            value = [name for name in ([value] if isinstance(value, str) else value) if name in mine]
        elif option == "groups" and isinstance(value, list | tuple):
            value = [left for group in value if (left := [name for name in group if name in mine])]
        found[option] = value
    return found
