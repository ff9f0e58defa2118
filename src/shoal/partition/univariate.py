"""Optimal microaggregation of a single column."""

from __future__ import annotations

from shoal.errors import NotApplicable
from shoal.partition._shared.optimal_cut import ascending, optimal_cut
from shoal.partition._shared.prepare import prepare
from shoal.types import Labels, Matrix


def univariate(X: Matrix, k: int) -> Labels:
    """Group the values of one column with the least possible sum of squares.

    Parameters
    ----------
    X
        Records by one column.
    k
        Minimum group size.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Raises
    ------
    NotApplicable
        If there are several columns; no fast exact method is known for them.

    Notes
    -----
    Sorts the values and finds the cheapest cuts as a shortest path. Equal values are taken in file order.
    Time O(n log n + k n), memory O(n).

    References
    ----------
    Hansen, Mukherjee: A polynomial algorithm for optimal univariate microaggregation, IEEE Transactions on
    Knowledge and Data Engineering 15 (2003).

    Examples
    --------
    >>> univariate([[5.0], [0.0], [0.1], [5.1], [0.2], [5.2], [5.3]], 3)
    array([0, 1, 1, 0, 1, 0, 0])
    """
    X, k = prepare(X, k)
    if X.shape[1] > 1:
        raise NotApplicable(
            f"univariate groups one column, got {X.shape[1]}; use projection or path for several, or "
            "individual_ranking to treat each column alone."
        )
    return optimal_cut(X, k, ascending(X[:, 0]))
