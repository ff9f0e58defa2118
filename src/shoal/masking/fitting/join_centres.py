"""Records of a new file take the nearest centre of an earlier one, each centre shared by at least k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_k, check_names
from shoal._door import takes_frames
from shoal._shared.options import report
from shoal.encode import encode_pair
from shoal.encode.fill_missing import fill_missing
from shoal.errors import InvalidInput, NotApplicable
from shoal.masking.cells import cells_of
from shoal.masking.households.household_variables import household_variables
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.table import Attribute, Table, as_table
from shoal.types import Callback, Labels, Matrix


@takes_where
@takes_frames
def join_centres(
    table: Table,
    *,
    k: int,
    centres: Mapping[str, Sequence[Any]],
    callback: Callback | None = None,
) -> Table:
    """Give every record the nearest centre of an earlier file, so that two years are grouped alike.

    Parameters
    ----------
    table
        The new file.
    k
        Fewest records to share a centre; it has no default because it is the promise you make.
    centres
        By column, the values of the centres, one per centre: what a fitted recipe keeps.
    callback
        Called with `Progress` as records join;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; the columns have the values of centres only. Where a record that joins a centre
        has a gap, the column becomes missing for all who join it.

    Notes
    -----
    Distances are those of `encode` with scales of the new file. Centres with fewer than k records are given
    up one by one, the smallest first, and their records go to the nearest centre that is left. Time
    O(n log g), and O(n g) at worst for records that must move.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002), for the centres.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [19, 24, 60, 64]}, roles={"quasi": "age"})
    >>> join_centres(table, k=2, centres={"age": [21.0, 62.0, 88.0]}).frame["age"].to_list()
    [21.0, 21.0, 62.0, 62.0]
    """
    names = protected_columns(table, check_names(centres, table.names()))
    check_k(k, len(table))
    shared = household_variables(table, columns=names) if table.names("household") else []
    if shared:
        raise NotApplicable(
            f"Column {shared[0]!r} is the same for all members of a household, who may join different "
            "centres; leave it out of the centres, or run microaggregate anew."
        )
    lengths = {len(centres[name]) for name in names}
    if len(lengths) > 1 or 0 in lengths:
        raise InvalidInput("`centres` needs equally many values, at least one, for every column.")
    points = _as_points(table, centres, names)
    X, C = encode_pair(table.select(names), points, names)
    report(callback, 0.0, "joining")
    labels = joined(fill_missing(X), C, k)
    released = {name: _released(table, name, list(centres[name]), labels) for name in names}
    report(callback, 1.0, "joining")
    return table.assign(**released)


def joined(X: Matrix, C: Matrix, k: int) -> Labels:
    """The centre of every record: the nearest, and each of those that are left has at least k.

    >>> joined(np.array([[0.0], [1.0], [5.0], [9.0]]), np.array([[0.0], [6.0], [9.0]]), 2)
    array([0, 0, 2, 2])
    """
    from scipy.spatial import cKDTree  # here, so that `import shoal` stays light

    labels = np.asarray(cKDTree(C).query(X)[1], dtype=np.intp)
    alive = np.ones(len(C), dtype=bool)
    counts = np.bincount(labels, minlength=len(C))
    alive[counts == 0] = False
    while (counts[alive] < k).any():
        smallest = int(np.argmin(np.where(alive, counts, len(X) + 1)))
        alive[smallest] = False
        left, rows = np.flatnonzero(alive), np.flatnonzero(labels == smallest)
        labels[rows] = left[np.argmin(((X[rows, None] - C[left]) ** 2).sum(axis=2), axis=1)]
        counts = np.bincount(labels, minlength=len(C))
    return labels


def _as_points(table: Table, centres: Mapping[str, Sequence[Any]], names: list[str]) -> Table:
    """The centres as a table with the kinds and hierarchies of the new file."""
    found = as_table({name: list(centres[name]) for name in names})
    attributes = [table.attribute(name) for name in names]
    for name, attribute in zip(names, attributes, strict=True):
        if attribute.kind == "numeric" and found.attribute(name).kind != "numeric":
            raise InvalidInput(f"Column {name!r} is numeric, but its centres are not numbers.")
    return Table(
        found.frame, tuple(Attribute(a.name, a.kind, a.role, a.order, a.hierarchy) for a in attributes)
    )


def _released(table: Table, name: str, values: list[Any], labels: Labels) -> NDArray[Any]:
    gone = np.array([cell is None for cell in cells_of(table, name)], dtype=bool)
    mixed = np.bincount(labels, weights=gone, minlength=len(values)) > 0
    known = np.empty(len(values), dtype=object)
    known[:] = values
    released = known[labels]
    released[mixed[labels]] = None
    return released
