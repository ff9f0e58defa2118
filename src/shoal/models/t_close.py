"""t-closeness: in every class of look-alikes confidential values are spread almost as in the whole file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, thresholds
from shoal.types import Labels, Matrix

Distance = Literal["equal", "ordered"]
ROUNDING = 1e-12  # a distance of exactly t is kept


def t_close(classes: Classes, *, t: float | Mapping[str, float]) -> NDArray[np.bool_]:
    """Whether the values of every confidential column are at most t from those of the whole file.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    t
        The greatest distance, from 0 to 1, for all confidential columns or by column.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Earth mover's distance: over ranks for numeric and ordinal columns (neighbouring values that occur are
    1/(m-1) apart; missing ones are left out), half the sum of absolute differences for nominal ones (missing
    is a category). Time O(n log n) a column.

    References
    ----------
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE (2007).

    Examples
    --------
    >>> from shoal.models import hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0]), "nominal")
    >>> t_close(Classes(np.array([0, 0, 1, 1]), {"ill": ill}), t=0.25)
    array([ True,  True])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, most in thresholds(classes, "t", t).items():
        kept &= class_distances(classes, name) <= check_number(f"t of {name}", most, 0, 1) + ROUNDING
    return kept


def class_distances(classes: Classes, name: str, distance: Distance | None = None) -> Matrix:
    """The distance of every class from the whole file, for one confidential column.

    >>> from shoal.models import hidden_column
    >>> pay = hidden_column(np.array([0, 1, 2, 3]), "numeric")
    >>> class_distances(Classes(np.array([0, 0, 1, 1]), {"pay": pay}), "pay").round(3)
    array([0.333, 0.333])
    """
    hidden = classes.hidden[name]
    equal = hidden.kind == "nominal" if distance is None else distance == "equal"
    missing = len(hidden.shares) - 1
    if equal:
        codes = np.where(hidden.codes < 0, missing, hidden.codes)
        return _share_distance(codes, classes.labels, hidden.shares)
    found = np.zeros(classes.count)
    seen = hidden.codes >= 0
    if missing > 1 and seen.any():
        shares = hidden.shares[:-1] / hidden.shares[:-1].sum()
        part = _spread_distance(hidden.codes[seen], classes.labels[seen], shares)
        found[: len(part)] = part
    return found


def _share_distance(codes: NDArray[np.intp], labels: Labels, shares: Matrix) -> Matrix:
    """Half the absolute differences of shares: the sum of what a class has too much of."""
    pairs, counts = np.unique(labels * len(shares) + codes, return_counts=True)
    groups, values = np.divmod(pairs, len(shares))
    excess = counts / np.bincount(labels)[groups] - shares[values]
    result: Matrix = np.bincount(groups, weights=np.maximum(excess, 0.0)).astype(np.float64)
    return result


def _spread_distance(codes: NDArray[np.intp], labels: Labels, shares: Matrix) -> Matrix:
    """Earth mover's distance over ranks: the area between the two distribution functions / (values - 1).

    Between two neighbouring values of a class its distribution function is constant, so that the area there
    comes from prefix sums of the file's function, cut where that one crosses the constant.
    """
    last = len(shares) - 1
    F = np.cumsum(shares)[:last]
    S = np.concatenate([[0.0], np.cumsum(F)])
    order = np.lexsort((codes, labels))
    codes, labels = codes[order], labels[order]
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    share = (np.arange(len(codes)) - starts[labels] + 1) / sizes[labels]
    end = np.append(codes[1:], last)
    end[starts[1:][sizes[1:] > 0] - 1] = last
    crossing = np.clip(np.searchsorted(F, share), codes, end)
    below = share * (crossing - codes) - (S[crossing] - S[codes])
    above = (S[end] - S[crossing]) - share * (end - crossing)
    area = np.bincount(labels, weights=below + above)
    area[sizes > 0] += S[codes[starts[sizes > 0]]]
    result: Matrix = area / last
    return result
