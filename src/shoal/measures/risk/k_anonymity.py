"""k-anonymity: how many records look like any one, as far as the quasi-identifiers tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice
from shoal._door import takes_frames
from shoal._shared.options import renamed
from shoal.encode.look_alikes import class_labels, code_matrix, key_columns, look_alikes
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.compared_columns import compared_columns
from shoal.models.row_classes import row_classes
from shoal.table import Table, with_roles_of
from shoal.types import Labels, Matrix

Gaps = Literal["category", "wildcard"]


@renamed(missing="gaps")
@takes_frames
def k_anonymity(
    original: Table,
    masked: Table,
    *,
    gaps: Gaps = "category",
    columns: Iterable[str] | None = None,
) -> float:
    """100 / k, where k is the size of the smallest class of records that look the same in the masked file.

    Read it as the best chance, in percent, of an intruder who knows the quasi-identifiers to pick the right
    record in the smallest class.

    Parameters
    ----------
    original, masked
        The two files; only the masked one is counted, the original says which columns are quasi-identifiers.
    gaps
        "category": a missing value is a value of its own (the stricter reading); "wildcard": it looks like
        any value.
    columns
        The columns an intruder may know; the quasi-identifiers if not given (all but identifiers if there
        are none). Strata are always part of the key.

    Returns
    -------
    float
        100 / k, from 100/n to 100. Where the masked table has a household role, k counts households.

    Notes
    -----
    Time O(n log n) a column; "wildcard" once for every pair of patterns of missing cells.

    References
    ----------
    Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40, 40, 40]}, roles={"quasi": ["age"]})
    >>> k_anonymity(table, table)
    50.0
    """
    names = compared_columns(original, masked, columns)
    return 100.0 / anonymity_level(with_roles_of(original, masked), gaps=gaps, columns=names)


@renamed(missing="gaps")
@takes_frames
def anonymity_level(table: Table, *, gaps: Gaps = "category", columns: Iterable[str] | None = None) -> int:
    """The k of k-anonymity: the number of records in the smallest class.

    >>> from shoal import as_table
    >>> anonymity_level(as_table({"age": [30, 30, 40, 40, 40]}, roles={"quasi": ["age"]}))
    2
    """
    return int(counted_sizes(table, gaps=gaps, columns=columns).min())


@renamed(missing="gaps")
@takes_frames
def violating_records(
    table: Table, k: int, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> NDArray[np.intp]:
    """Row positions of the records whose class has fewer than k records.

    >>> from shoal import as_table
    >>> violating_records(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}), 2)
    array([2])
    """
    return np.flatnonzero(counted_sizes(table, gaps=gaps, columns=columns) < k)


@renamed(missing="gaps")
@takes_frames
def violating_classes(
    table: Table, k: int, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> Any:
    """The classes with fewer than k records, as a frame: their values and a column `records`, smallest first.

    Give it the masked file: the frame shows that file's values. With gaps="wildcard" a class is one
    combination of values and `records` are those that look like it. The count is the last column, "records_"
    where a column is called "records".

    >>> from shoal import as_table
    >>> violating_classes(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}), 2).to_dicts()
    [{'age': 40, 'records': 1}]
    """
    names = _key_columns(table, columns)
    sizes = counted_sizes(table, gaps=gaps, columns=names)
    _, first = np.unique(row_classes(code_matrix(table, names)), return_index=True)
    first = first[sizes[first] < k]
    first = first[np.argsort(sizes[first], kind="stable")]
    frame = nw.from_native(table.select(names).take(first).frame, eager_only=True)
    name = "records"
    while name in names:
        name += "_"
    count = nw.new_series(name, sizes[first], backend=frame.implementation)
    return frame.with_columns(count).to_native()


def counted_sizes(
    table: Table, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> NDArray[np.intp]:
    """For every record, what k counts: the records that look like it, or their households where known.

    >>> from shoal import as_table
    >>> roles = {"quasi": "age", "household": "home"}
    >>> counted_sizes(as_table({"age": [30, 30, 40], "home": [1, 1, 2]}, roles=roles))
    array([1, 1, 1])
    """
    if not table.names("household"):
        return class_sizes(table, gaps=gaps, columns=columns)
    if gaps == "wildcard":
        raise InvalidInput("Households cannot be counted with gaps as wildcards; count gaps as a category.")
    classes = look_alikes(table, columns=_key_columns(table, columns), confidential=())
    return classes.sizes[classes.labels]


@renamed(missing="gaps")
@takes_frames
def class_sizes(
    table: Table, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> NDArray[np.intp]:
    """For every record, how many records (itself included) look like it.

    >>> from shoal import as_table
    >>> class_sizes(as_table({"age": [30, 30, None]}, roles={"quasi": ["age"]}), gaps="wildcard")
    array([3, 3, 3])
    """
    return class_totals(table, np.ones(len(table)), gaps=gaps, columns=columns).round().astype(np.intp)


@renamed(missing="gaps")
def class_totals(
    table: Table, weights: Matrix, *, gaps: Gaps = "category", columns: Iterable[str] | None = None
) -> Matrix:
    """For every record, the summed weights of the records (itself included) that look like it.

    >>> from shoal import as_table
    >>> class_totals(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}), np.array([10.0, 5.0, 7.0]))
    array([15., 15.,  7.])
    """
    check_choice("gaps", gaps, ("category", "wildcard"))
    names = _key_columns(table, columns)
    if gaps == "category":
        classes = class_labels(table, names)
        return np.bincount(classes, weights=weights).astype(np.float64)[classes]
    return _wildcard_totals(code_matrix(table, names), weights)


@takes_frames
def equivalence_classes(table: Table, *, columns: Iterable[str] | None = None) -> Labels:
    """The class of every record, 0..c-1: records of one class have the same values in these columns.

    >>> from shoal import as_table
    >>> equivalence_classes(as_table({"age": [30, 30, 40]}, roles={"quasi": ["age"]}))
    array([0, 0, 1])
    """
    return class_labels(table, _key_columns(table, columns))


def _key_columns(table: Table, columns: Iterable[str] | None) -> list[str]:
    if not len(table):
        raise NotApplicable("The file has no records.")
    names = key_columns(table, columns)
    if not names:
        raise InvalidInput("`columns` is empty; name at least one column an intruder may know.")
    return names


def _wildcard_totals(codes: NDArray[np.intp], weights: Matrix) -> Matrix:
    """Two records look alike if they agree wherever both have a value: count pattern against pattern."""
    observed, pattern = np.unique(codes >= 0, axis=0, return_inverse=True)
    rows = [np.flatnonzero(pattern.reshape(-1) == p) for p in range(len(observed))]
    totals = np.zeros(len(codes))
    for p, mine in enumerate(rows):
        for q, others in enumerate(rows):
            common = np.flatnonzero(observed[p] & observed[q])
            classes = row_classes(codes[np.ix_(np.concatenate([mine, others]), common)])
            found = np.bincount(classes[len(mine) :], weights=weights[others], minlength=classes.max() + 1)
            totals[mine] += found[classes[: len(mine)]]
    return totals
