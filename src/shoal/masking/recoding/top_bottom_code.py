"""Top and bottom coding: values beyond a threshold are released as the threshold or as their mean."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names, check_number
from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, NotApplicable, PrivacyWarning
from shoal.masking.cells import cells_of
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.strata import strata_of
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members
from shoal.table import Table
from shoal.types import Callback

Replacement = Literal["threshold", "mean"]
LEAST_VALUES = 3  # a mean of fewer values than this says too much about each


@takes_where
@by_household
@takes_frames
def top_code(
    table: Table,
    *,
    threshold: Any = None,
    quantile: float | Mapping[str, float] | None = None,
    replacement: Replacement | Mapping[str, float] = "threshold",
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Release no value above a threshold.

    Parameters
    ----------
    table
        The table to protect.
    threshold
        The highest value (or category) to release; a mapping gives one per column.
    quantile
        Instead, the share of records that keep their value, e.g. 0.95: the threshold is the smallest value of
        the file that this share of the values does not exceed; a mapping gives one per column.
    replacement
        What higher values become: the "threshold", or their "mean" (numeric columns), which keeps totals; a
        mapping gives the value per column, as a fitted recipe does.
    strata
        Column(s) whose classes have their own quantiles and means.
    columns
        The columns to code; the keys of a mapping, or else the numeric and ordinal quasi-identifiers.
    callback
        Called with `Progress` before every column;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; values up to the threshold exactly as they were.

    Notes
    -----
    Missing cells stay missing. A mean of one or two values nearly gives them away, and a `PrivacyWarning`
    says so. Time O(n log n) a column.

    References
    ----------
    Hundepool et al.: Statistical disclosure control, Wiley (2012), chapter 3.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 30, 90, 101]}, roles={"quasi": ["age"]})
    >>> top_code(table, threshold=85).frame["age"].to_list()
    [20, 30, 85, 85]
    >>> top_code(table, quantile=0.5).frame["age"].to_list()
    [20, 30, 30, 30]
    """
    return _code(table, threshold, quantile, replacement, strata, columns, callback, top=True)


@takes_where
@by_household
@takes_frames
def bottom_code(
    table: Table,
    *,
    threshold: Any = None,
    quantile: float | Mapping[str, float] | None = None,
    replacement: Replacement | Mapping[str, float] = "threshold",
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Release no value below a threshold.

    Parameters
    ----------
    table, strata, columns, callback
        As in `top_code`.
    threshold
        The lowest value (or category) to release; a mapping gives one per column.
    quantile
        Instead, the share of records that lose their value, e.g. 0.05: the threshold is the smallest value of
        the file that more than this share of the values does not exceed; a mapping gives one per column.
    replacement
        What lower values become: the "threshold" or their "mean", as in `top_code`.

    Returns
    -------
    Table
        Same rows, same order; values from the threshold on exactly as they were.

    Notes
    -----
    Missing cells stay missing. A mean of one or two values nearly gives them away, and a `PrivacyWarning`
    says so. Time O(n log n) a column.

    References
    ----------
    Hundepool et al.: Statistical disclosure control, Wiley (2012), chapter 3.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [3, 30, 50, 70]}, roles={"quasi": ["age"]})
    >>> bottom_code(table, threshold=18).frame["age"].to_list()
    [18, 30, 50, 70]
    """
    return _code(table, threshold, quantile, replacement, strata, columns, callback, top=False)


def _code(
    table: Table,
    threshold: Any,
    quantile: Any,
    replacement: Replacement | Mapping[str, float],
    strata: Iterable[str] | str | None,
    columns: Iterable[str] | None,
    callback: Callback | None,
    *,
    top: bool,
) -> Table:
    if isinstance(replacement, str):
        check_choice("replacement", replacement, ("threshold", "mean"))
    if (threshold is None) == (quantile is None):
        raise InvalidInput("Give either `threshold` or `quantile`.")
    given = quantile if threshold is None else threshold
    keys = check_names(given, table.names()) if isinstance(given, Mapping) else None
    names = protected_columns(
        table, keys if columns is None else columns, strata=strata, kinds=("numeric", "ordinal")
    )
    if keys is not None:
        check_names(names, keys, "threshold for column" if quantile is None else "quantile for column")
    strata_rows = members(strata_of(table, strata)) if len(table) else []
    coded, few = {}, []
    for name in reported(names, callback):
        wanted = given[name] if isinstance(given, Mapping) else given
        instead = replacement if isinstance(replacement, str) else _value_instead(replacement, name)
        coded[name], smallest = _coded(table, name, wanted, quantile is not None, instead, strata_rows, top)
        few += [name] if smallest < LEAST_VALUES else []
    if few:
        warnings.warn(
            f"In {', '.join(few)} a mean of fewer than {LEAST_VALUES} values is released and nearly gives "
            "them away.",
            PrivacyWarning,
            stacklevel=4,
        )
    return table.assign(**coded)


def _value_instead(replacement: Mapping[str, float], name: str) -> float:
    check_names([name], replacement, "replacement for column")
    return check_number(f"replacement of {name}", replacement[name], -np.inf)


def _coded(
    table: Table,
    name: str,
    wanted: Any,
    is_quantile: bool,
    replacement: Replacement | float,
    strata_rows: list[NDArray[np.intp]],
    top: bool,
) -> tuple[NDArray[Any], float]:
    """The cells of a column, coded, and the smallest number of values that a released mean stands for."""
    kind = table.attribute(name).kind
    if kind == "ordinal" and replacement != "threshold":
        raise NotApplicable(f"Column {name!r} is ordinal and has no mean; use replacement='threshold'.")
    codes, categories = categorise(table, name)
    cells = cells_of(table, name)
    smallest = np.inf
    for rows in strata_rows:
        present = rows[codes[rows] >= 0]
        if not len(present):
            continue
        if is_quantile:
            limit = _quantile(codes[present], check_number(f"quantile of {name}", wanted, 0, 1), top)
            border = _released(table, name, categories[limit])
        else:
            limit, border = _position(table, name, wanted, categories, top)
        beyond = present[codes[present] > limit if top else codes[present] < limit]
        if len(beyond) and replacement == "mean":
            border = float(table.column(name)[beyond].mean())
            smallest = min(smallest, len(beyond))
        elif not isinstance(replacement, str):
            border = _released(table, name, replacement)
        cells[beyond] = border
    return cells, smallest


def _quantile(codes: NDArray[np.intp], share: float, top: bool) -> int:
    """The code of an existing value, so that integers stay integers."""
    ordered = np.sort(codes)
    count = round(share * len(codes), 9)  # 0.29 * 100 is a little less than 29 in floats
    place = np.ceil(count) - 1 if top else np.floor(count)
    return int(ordered[int(np.clip(place, 0, len(codes) - 1))])


def _position(
    table: Table, name: str, wanted: Any, categories: tuple[Any, ...], top: bool
) -> tuple[int, Any]:
    """Where a threshold lies among the codes, and what it is released as."""
    if table.is_number(name) and not table.attribute(name).order:
        number = check_number(f"threshold of {name}", wanted, -np.inf)
        # codes up to the threshold are not above it, codes from it on are not below it
        place = np.searchsorted(categories, number, side="right" if top else "left") - (1 if top else 0)
        return int(place), _released(table, name, number)
    if wanted not in categories:
        raise InvalidInput(f"The threshold of column {name!r} is none of its categories; name one of them.")
    return categories.index(wanted), wanted


def _released(table: Table, name: str, value: Any) -> Any:
    """The value, in the column's own type where a number fits it."""
    whole = table.is_integer(name) and float(value).is_integer()
    return int(value) if whole else value
