"""Hierarchies by similarity: categories whose records are alike in other columns go together first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_count, check_names
from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.hierarchy.builders import TOP
from shoal.hierarchy.tree import Hierarchy, as_text, hierarchy_from_rows
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def hierarchy_by_similarity(
    table: Table, column: str, counts: Sequence[int], *, by: Iterable[str] | str | None = None
) -> Hierarchy:
    """Merge the categories of a column whose records are most alike in other columns.

    Parameters
    ----------
    table
        The table.
    column
        The column that needs a hierarchy, e.g. occupations.
    counts
        How many labels every level has, finer levels first: ``[8, 4, 2]``.
    by
        The columns that say who is alike; all others but identifiers, weights and households if not given.

    Returns
    -------
    Hierarchy
        A label that covers several categories names them, or the most frequent one and how many more.

    Notes
    -----
    Ward's clustering of the categories' profiles: mean of every numeric column in standard deviations, share
    of every category of the others. Which categories go together is learned from the file: look at the labels
    before they are released. Time O(n d + c^2) for c categories.

    References
    ----------
    Ward: Hierarchical grouping to optimize an objective function, Journal of the American Statistical
    Association 58 (1963).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"job": ["nurse", "doctor", "clerk", "nurse"], "pay": [20, 29, 11, 22]})
    >>> hierarchy_by_similarity(table, "job", [2]).paths
    (('nurse', 'doctor, nurse', '*'), ('doctor', 'doctor, nurse', '*'), ('clerk', 'clerk', '*'))
    """
    from scipy.cluster.hierarchy import cut_tree, linkage

    texts = _texts(table, column)
    names, codes = np.unique(texts[texts != ""], return_inverse=True)
    asked = [check_count("counts", count) for count in counts]
    if not asked or any(low >= high for high, low in pairwise([len(names), *asked])):
        raise InvalidInput(f"`counts` must fall from below the {len(names)} categories, e.g. 8, 4, 2.")
    frequent = np.bincount(codes)
    profiles = _profiles(table, column, texts != "", codes, by)
    tree = linkage(profiles, method="ward")
    order = np.argsort(-frequent, kind="stable")
    rows = [[str(name)] for name in names]
    for group in cut_tree(tree, n_clusters=asked).T:  # fcluster of scipy 1.11 cuts two leaves at random
        for row, own in zip(rows, group.tolist(), strict=True):
            row.append(_label([str(names[c]) for c in order if group[c] == own]))
    return hierarchy_from_rows([[*rows[c], TOP] for c in order])


def _label(members: list[str]) -> str:
    """All members in order if they are few, else the most frequent one and how many more."""
    return ", ".join(sorted(members)) if len(members) <= 3 else f"{members[0]} and {len(members) - 1} more"


def _texts(table: Table, column: str) -> NDArray[np.str_]:
    values = table.column(*check_names(column, table.names())).tolist()
    return np.array(["" if value is None or value != value else as_text(value) for value in values])


def _profiles(
    table: Table,
    column: str,
    known: NDArray[np.bool_],
    codes: NDArray[np.intp],
    by: Iterable[str] | str | None,
) -> Matrix:
    """What the records of every category are like, a row per category."""
    apart = {column, *(name for role in ("identifier", "weight", "household") for name in table.names(role))}
    others = [n for n in table.names() if n not in apart] if by is None else check_names(by, table.names())
    others = [name for name in others if name != column]
    if not others:
        raise InvalidInput("Similarity needs another column; say one with `by`.")
    records = np.bincount(codes)
    parts: list[Matrix] = []
    for name in others:
        if table.attribute(name).kind == "numeric":
            values = table.column(name).astype(np.float64)[known]
            values = np.where(np.isnan(values), np.nanmean(values), values)
            means = np.bincount(codes, weights=values) / records
            parts.append((means / (values.std() or 1.0))[:, None])
        else:
            found, own = np.unique(_texts(table, name)[known], return_inverse=True)
            shares = np.zeros((len(records), len(found)))
            np.add.at(shares, (codes, own.reshape(-1)), 1.0)
            parts.append(shares / records[:, None])
    return np.hstack(parts)
