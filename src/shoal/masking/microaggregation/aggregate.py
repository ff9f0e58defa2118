"""Replace every value by the centre of its group: mean, median, mode or common ancestor, by kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.encode.sampling_weights import sampling_weights
from shoal.errors import InvalidInput
from shoal.hierarchy.tree import common_ancestors, nodes_of
from shoal.partition.labels import sizes
from shoal.table import Table, as_table
from shoal.types import Labels, Matrix

Centre = Literal["typical", "ancestor"]
Missing = Literal["together", "fill", "suppress", "keep"]
DIGITS = 15  # decimal digits that float64 holds whatever the number
# powers of ten up to this one are exact in float64, so that the quotient is the nearest number
EXACT_TENS = 22
MISSING: tuple[Missing, ...] = ("together", "fill", "suppress", "keep")


@takes_frames
def aggregate(
    table: Table,
    labels: Labels,
    *,
    centre: Centre = "typical",
    round: bool = False,
    missing: Missing = "together",
    weighted: bool = False,
    columns: Iterable[str],
) -> Table:
    """Give every record the centre of its group: the mean, the median (ordinal) or the mode (nominal).

    Parameters
    ----------
    table
        The table.
    labels
        The group of every record, 0..g-1.
    centre
        "typical": as above, and for a nominal column with a hierarchy the value of the group that is closest
        to the others; "ancestor": columns with a hierarchy become text, the lowest label that covers the
        group.
    round
        Integer columns get whole numbers (means rounded half to even) instead of fractions.
    missing
        What a missing cell becomes. "together" and "suppress": the column becomes missing in the whole group,
        so that its records look the same; "fill": it takes the centre of its group, a value nobody gave;
        "keep": it stays missing, and can tell its record apart from its group.
    weighted
        Every record counts as many times in means, medians and modes as the column with the role weight says.
    columns
        The columns to replace; the others stay exactly as they are.

    Returns
    -------
    Table
        Same rows, same order.

    Notes
    -----
    Missing cells take no part in centres. The median of an even number is the lower one, so that it is a
    category that exists; among equally frequent categories the first in order wins. Time O(n log n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 30, 70, 81], "town": ["a", "a", "b", "a"]})
    >>> aggregate(table, np.array([0, 0, 1, 1]), columns=["age", "town"]).frame["age"].to_list()
    [25.0, 25.0, 75.5, 75.5]
    """
    check_choice("missing", missing, MISSING)
    names = check_names(columns, table.names())
    if len(labels) != len(table):
        raise InvalidInput(f"`labels` needs one group per record ({len(table)}), got {len(labels)}.")
    check_choice("centre", centre, ("typical", "ancestor"))
    weights = _weights(table) if weighted else None
    above = [name for name in names if centre == "ancestor" and table.attribute(name).hierarchy is not None]
    released = {name: _centred(table, name, labels, name in above, round, missing, weights) for name in names}
    return as_table(table.assign(**released), kinds=dict.fromkeys(above, "nominal"))


def _centred(
    table: Table,
    name: str,
    labels: Labels,
    above: bool,
    round: bool,
    missing: Missing,
    weights: Matrix | None,
) -> NDArray[Any]:
    if table.attribute(name).kind == "numeric" and not above:
        values = table.column(name)
        gone = np.isnan(values)
        centres: NDArray[Any] = group_means(name, values, labels, weights)
        if round and table.is_integer(name):
            centres = np.array([None if np.isnan(c) else int(np.round(c)) for c in centres], dtype=object)
    else:
        codes, categories = categorise(table, name)
        gone = codes < 0
        centres = _category_centres(table, name, codes, categories, labels, above, weights)
    released = centres[labels]
    if missing in ("together", "suppress"):
        gone = np.bincount(labels, weights=gone)[labels] > 0
    if missing != "fill" and gone.any():
        released[gone] = np.nan if released.dtype != object else None
    return released


def _category_centres(
    table: Table,
    name: str,
    codes: NDArray[np.intp],
    categories: tuple[Any, ...],
    labels: Labels,
    above: bool,
    weights: Matrix | None,
) -> NDArray[Any]:
    """The category every group is released as, None where nothing was observed."""
    attribute, hierarchy = table.attribute(name), table.attribute(name).hierarchy
    found: NDArray[np.intp]
    if above:
        categories, nodes, seen = hierarchy.labels, nodes_of(hierarchy, categories), codes >= 0
        found = np.full(len(sizes(labels)), -1, dtype=np.intp)
        met = common_ancestors(hierarchy, nodes[codes[seen]], labels[seen]) if seen.any() else found[:0]
        found[: len(met)] = met
    elif attribute.kind == "ordinal":
        found = group_medians(codes, labels, weights)
    elif hierarchy is None:
        found = group_modes(codes, labels, weights)
    else:
        found = group_medoids(codes, labels, hierarchy.ancestors[nodes_of(hierarchy, categories)], weights)
    known = np.empty(len(categories) + 1, dtype=object)  # the last one is for groups without a value
    known[:-1] = categories
    return known[found]


def _weights(table: Table) -> Matrix:
    weights = sampling_weights(table)
    if weights is None:
        raise InvalidInput("`weighted` needs a column with the role weight; say which one it is.")
    return weights


def group_means(name: str, values: Matrix, labels: Labels, weights: Matrix | None = None) -> Matrix:
    """Means of the observed values, as differences to one of them, so that equal values stay exact.

    >>> group_means("height", np.array([177.7, 177.9, 177.8]), np.zeros(3, dtype=np.intp)).tolist()
    [177.8]
    """
    seen = ~np.isnan(values)
    share = np.ones(len(values)) if weights is None else weights
    count = np.bincount(labels[seen], weights=share[seen], minlength=len(sizes(labels)))
    base = np.zeros(len(count))
    base[labels[seen]] = values[seen]
    away = share[seen] * (values[seen] - base[labels[seen]])
    total = np.bincount(labels[seen], weights=away, minlength=len(count))
    with np.errstate(invalid="ignore"):
        means: Matrix = base + total / np.where(count > 0, count, np.nan)
    if not np.isfinite(means[count > 0]).all():
        raise InvalidInput(f"Column {name!r} has values too large to average; divide it by a constant.")
    return np.where(total == 0, means, without_noise(means, np.abs(base)))


def without_noise(values: Matrix, size: Matrix | float = 0.0) -> Matrix:
    """Results to the 15 digits of what they were made of, so that a file says 177.8, not 177.79999999999998.

    >>> without_noise(np.array([177.79999999999998, 1e300, np.nan])).tolist()
    [177.8, 1e+300, nan]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        places = DIGITS - 1 - np.floor(np.log10(np.maximum(np.abs(values), size)))
        shift = 10.0 ** np.where((places > 0) & (places <= EXACT_TENS), places, 0)
        return np.where(shift > 1, np.rint(values * shift) / shift, values)


def group_medians(codes: NDArray[np.intp], labels: Labels, weights: Matrix | None = None) -> NDArray[np.intp]:
    """The lower median code of every group (by weight, if given), -1 where nothing was observed."""
    seen = np.flatnonzero(codes >= 0)
    groups = len(sizes(labels))
    order = seen[np.lexsort((codes[seen], labels[seen]))]
    count = np.bincount(labels[order], minlength=groups)
    start = np.cumsum(count) - count
    medians = np.full(groups, -1, dtype=np.intp)
    some = count > 0
    if weights is None:
        medians[some] = codes[order][(start + (count - 1) // 2)[some]]
        return medians
    share = (
        weights[order] / np.bincount(labels[order], weights=weights[order], minlength=groups)[labels[order]]
    )
    below = np.cumsum(share)
    below -= (below - share)[start[labels[order]]]  # from the first of the group on
    half = np.flatnonzero(below >= 0.5 - 1e-9)[::-1]  # written last wins: the lowest that reaches half
    medians[labels[order[half]]] = codes[order[half]]
    return medians


def group_modes(codes: NDArray[np.intp], labels: Labels, weights: Matrix | None = None) -> NDArray[np.intp]:
    """The most frequent code of every group, the lowest among equals, -1 where nothing was observed."""
    seen = codes >= 0
    width = int(codes.max(initial=0)) + 1
    pairs, which = np.unique(labels[seen] * width + codes[seen], return_inverse=True)
    count = np.bincount(which.reshape(-1), weights=None if weights is None else weights[seen])
    best = pairs[np.lexsort((-pairs, count))]  # by count; written last wins: most frequent, then lowest code
    modes = np.full(len(sizes(labels)), -1, dtype=np.intp)
    modes[best // width] = best % width
    return modes


def group_medoids(
    codes: NDArray[np.intp], labels: Labels, ancestors: NDArray[np.intp], weights: Matrix | None = None
) -> NDArray[np.intp]:
    """The code of every group with the least sum of semantic distances, the lowest among equals.

    Two values are as many levels apart as they have different ancestors, so that the closest value is the one
    that shares most ancestors with the group.
    """
    seen = np.flatnonzero(codes >= 0)
    shared = np.zeros(len(seen))
    for level in ancestors.T:
        _, pair = np.unique(
            labels[seen] * (ancestors.max(initial=0) + 1) + level[codes[seen]], return_inverse=True
        )
        pair = pair.reshape(-1)
        shared += np.bincount(pair, weights=None if weights is None else weights[seen])[pair]
    best = np.lexsort((-codes[seen], shared))  # written last wins: most ancestors in common, then lowest code
    medoids = np.full(len(sizes(labels)), -1, dtype=np.intp)
    medoids[labels[seen[best]]] = codes[seen[best]]
    return medoids
