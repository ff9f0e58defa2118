"""DBIL: how far, on average, a masked category lies from its original."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import NotApplicable
from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import ColumnCovers, column_covers
from shoal.measures.compared_columns import became_text, compared_columns
from shoal.measures.hierarchy_distances import hierarchy_distances, named_by_hierarchy
from shoal.table import Table
from shoal.types import Kind, Matrix


@takes_frames
def dbil(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean distance between original and masked categories, in percent.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
        Only ordinal and nominal ones count, and numbers that became labels, intervals or sets.

    Returns
    -------
    float
        0 (no category changed) to 100 (all changed or suppressed).

    Notes
    -----
    Distance of two nominal categories: 0 if equal, else 1; with a hierarchy that names them all, levels up to
    their common ancestor / height. Ordinal: difference of ranks / number of categories. An interval, a set or
    a label that no such hierarchy names counts the share of the column's values it may stand for (NCP, see
    `gcp`). A suppressed cell counts 1, as does one that cannot be read; cells missing in the original do not
    count. Time O(n d).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> dbil(as_table({"town": ["a", "b", "c", "c"]}), as_table({"town": ["a", "a", "c", "c"]}))
    25.0
    """
    names = [n for n in compared_columns(original, masked, columns) if _counts(original, masked, n)]
    if not names:
        raise NotApplicable("No compared column is ordinal or nominal.")
    distances = np.concatenate([_distances(original, masked, name) for name in names])
    if not len(distances):
        raise NotApplicable("No categorical column has a value in the original.")
    return 100.0 * float(distances.mean())


def _counts(original: Table, masked: Table, name: str) -> bool:
    return original.attribute(name).kind != "numeric" or became_text(original, masked, name)


def _distances(original: Table, masked: Table, name: str) -> Matrix:
    """Distance of every cell that the original has."""
    before, after, categories = code_pair(original, masked, name)
    known, kind = len(categorise(original, name)[1]), original.attribute(name).kind
    if named_by_hierarchy(original, masked, name):
        distance = hierarchy_distances(original, masked, name)
    elif len(categories) > known or kind == "numeric":
        distance = _by_covers(column_covers(original, masked, name), kind)
    elif kind == "ordinal":
        distance = np.where(after < 0, 1.0, np.abs(before - after) / max(known, 1))
    else:
        distance = (before != after).astype(np.float64)
    return distance[before >= 0]


def _by_covers(column: ColumnCovers, kind: Kind) -> Matrix:
    """Ranks or names apart where the cell is a value, else what share of the values it may stand for."""
    covers = column.covers
    places = np.full(len(covers.ways), -1)
    places[covers.owner[::-1]] = covers.first[::-1]
    released, size = places[column.cells], max(len(covers.domain.values), 1)
    apart = np.abs(released - column.before) / size if kind == "ordinal" else released != column.before
    apart = np.where(released < 0, 1.0, apart)
    return np.where(column.wide, column.ncp, np.where(column.unreadable | column.suppressed, 1.0, apart))
