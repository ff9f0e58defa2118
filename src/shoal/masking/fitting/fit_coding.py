"""What top and bottom coding learn: the thresholds, and the means released beyond them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from shoal._door import takes_frames
from shoal.masking.cells import cells_of
from shoal.masking.recoding.top_bottom_code import bottom_code, top_code
from shoal.table import Table


@takes_frames
def fit_top_code(table: Table, **options: Any) -> dict[str, Any]:
    """The thresholds that `top_code` takes from this file, as values for the next one.

    >>> from shoal import as_table
    >>> fit_top_code(as_table({"age": [20, 30, 90]}, roles={"quasi": "age"}), quantile=0.5)
    {'threshold': {'age': 30}, 'quantile': None}
    """
    return _fitted(top_code, table, options, highest=True)


@takes_frames
def fit_bottom_code(table: Table, **options: Any) -> dict[str, Any]:
    """The thresholds that `bottom_code` takes from this file, as values for the next one.

    >>> from shoal import as_table
    >>> fit_bottom_code(as_table({"age": [20, 30, 90]}, roles={"quasi": "age"}), quantile=0.5)
    {'threshold': {'age': 30}, 'quantile': None}
    """
    return _fitted(bottom_code, table, options, highest=False)


def _fitted(
    masker: Callable[..., Table], table: Table, options: Mapping[str, Any], *, highest: bool
) -> dict[str, Any]:
    """Thresholds are the most extreme values that are left when the file is coded at the threshold."""
    learned: dict[str, Any] = {}
    plain = {name: value for name, value in options.items() if name != "replacement"}
    if options.get("quantile") is not None:
        coded = masker(table, **plain)
        names = _coded_columns(table, options)
        learned = {"threshold": {n: _extreme(coded, n, highest) for n in names}, "quantile": None}
    if options.get("replacement") == "mean":
        given = {**plain, **learned} if learned else plain
        means = masker(table, **{k: v for k, v in given.items() if v is not None}, replacement="mean")
        learned["replacement"] = _means(
            table, means, given["threshold"], _coded_columns(table, options), highest
        )
    return learned


def _coded_columns(table: Table, options: Mapping[str, Any]) -> list[str]:
    columns: Iterable[str] | str | None = options.get("columns")
    given = options.get("quantile") if options.get("threshold") is None else options["threshold"]
    if columns is None and isinstance(given, Mapping):
        columns = list(given)
    if columns is None:
        return [n for n in table.names(role="quasi") if table.attribute(n).kind != "nominal"]
    return [columns] if isinstance(columns, str) else list(columns)


def _extreme(coded: Table, name: str, highest: bool) -> Any:
    """The highest (lowest) value of a column in its order, as a plain number or text."""
    cells = [value for value in cells_of(coded, name) if value is not None]
    order = coded.attribute(name).order
    place = {value: position for position, value in enumerate(order)}
    best = (max if highest else min)(cells, key=lambda value: place.get(value, value) if order else value)
    return best.item() if isinstance(best, np.generic) else best


def _means(table: Table, coded: Table, threshold: Any, names: list[str], highest: bool) -> dict[str, float]:
    """The mean that was released beyond the threshold; the threshold itself where nobody lies beyond."""
    found = {}
    for name in names:
        limit = float(threshold[name] if isinstance(threshold, Mapping) else threshold)
        before, after = table.column(name), coded.column(name)
        beyond = before > limit if highest else before < limit
        found[name] = float(after[beyond][0]) if beyond.any() else limit
    return found
