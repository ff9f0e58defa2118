"""HAC: hierarchical agglomerative clustering under a size limit."""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal._check import check_choice
from shoal.errors import InvalidInput
from shoal.partition._shared.prepare import prepare, refuse_large_matrix
from shoal.partition.labels import assign_to_nearest, members, relabel, sizes
from shoal.partition.mdav import mdav
from shoal.types import Labels, Matrix

LARGEST = 20_000  # records; their distances take 3.2 GB
Linkage = Literal["single", "complete", "average", "centroid", "ward"]
LINKAGES: tuple[Linkage, ...] = ("single", "complete", "average", "centroid", "ward")
Variant = Literal["plain", "maximal", "completion"]
VARIANTS: tuple[Variant, ...] = ("plain", "maximal", "completion")

Distance = Literal["euclidean", "manhattan", "chebyshev", "mahalanobis", "cosine", "correlation"]
DISTANCES: tuple[Distance, ...] = (
    "euclidean",
    "manhattan",
    "chebyshev",
    "mahalanobis",
    "cosine",
    "correlation",
)
Leftovers = Literal["mdav", "listed"]
LEFTOVERS: tuple[Leftovers, ...] = ("mdav", "listed")
PAIRWISE: tuple[Linkage, ...] = ("single", "complete", "average")  # linkages that make do with any distance


def hac(
    X: Matrix,
    k: int,
    *,
    linkage: Linkage = "ward",
    variant: Variant = "maximal",
    distance: Distance = "euclidean",
    leftovers: Leftovers = "mdav",
) -> Labels:
    """Merge the closest clusters, from single records up to groups of the right size.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`); at most 20,000.
    k
        Minimum group size.
    linkage
        What the distance of two clusters is: that of their closest ("single") or farthest ("complete")
        records, the average over all pairs, that of their means ("centroid"), or the growth of the sum of
        squares if they merge ("ward").
    variant
        "plain" merges up to 2k-1 records. "maximal" merges up to k, for as many groups of exactly k as there
        can be. "completion" does the same and divides each distance by the size of the union, so that groups
        are completed before new ones are begun.
    distance
        How far two records are apart: "euclidean", "manhattan" (sum of the differences), "chebyshev" (the
        largest one), "mahalanobis", or one minus the "cosine" or "correlation" of two records. Other than
        Euclidean ones go with the linkages "single", "complete" and "average".
    leftovers
        What becomes of the records of clusters that stay below k, but for "plain": "mdav" groups them anew,
        "listed" takes them cluster by cluster in the order of the list, k at a time, as the thesis seems to.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    When no two clusters fit together any more, some can still be below k. "plain": only one can; it takes the
    records it lacks from the group with the closest mean. The others: the records of all of them are grouped
    by MDAV; fewer than k records join the groups with the closest means. The thesis does not say how it
    places them; its figures are met or bettered. Which linkage is best depends on that: with "listed" it is
    mostly "single", as in the thesis, since it leaves the fewest records over. Ties are settled by the lowest
    row position. Time near O(n^2 d), memory O(n^2).

    References
    ----------
    Alarte Aleixandre: Application of clustering techniques to privacy protection, master thesis, Universitat
    Oberta de Catalunya (2018). Ward: Hierarchical grouping to optimize an objective function, Journal of the
    American Statistical Association 58 (1963).

    Examples
    --------
    >>> hac([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], 3)
    array([0, 0, 0, 1, 1, 1])
    """
    from shoal._kernels.partitioners.hac import agglomerate

    check_choice("linkage", linkage, LINKAGES)
    check_choice("variant", variant, VARIANTS)
    check_choice("distance", distance, DISTANCES)
    check_choice("leftovers", leftovers, LEFTOVERS)
    if distance != "euclidean" and linkage not in PAIRWISE:
        raise InvalidInput(
            f"The linkage {linkage!r} works on means and takes Euclidean distances only, got {distance!r}; "
            "take single, complete or average linkage."
        )
    X, k = prepare(X, k)
    refuse_large_matrix(len(X), LARGEST, "hac")
    limit = 2 * k - 1 if variant == "plain" else k
    D = _distances(X, distance, squared=linkage != "average")
    clusters = relabel(agglomerate(D, limit, LINKAGES.index(linkage), variant == "completion"))
    if variant == "plain":
        return relabel(_borrow(X, clusters, k))
    return relabel(_regroup(X, clusters, k) if leftovers == "mdav" else _in_order(X, clusters, k))


def _distances(X: Matrix, distance: Distance, *, squared: bool) -> Matrix:
    """All distances, or their squares, which the kernel takes where the order of distances is what counts."""
    from scipy.spatial.distance import cdist

    if distance == "euclidean":
        return np.asarray(cdist(X, X, "sqeuclidean" if squared else "euclidean"))
    if distance == "mahalanobis":
        inverse = np.linalg.pinv(np.atleast_2d(np.cov(X, rowvar=False)))
        D = cdist(X, X, "mahalanobis", VI=inverse)
    else:
        with np.errstate(all="ignore"):
            D = cdist(X, X, "cityblock" if distance == "manhattan" else distance)
    # a record without a direction (all zeros, or all alike) is as far from others as unrelated ones are
    D = np.maximum(np.where(np.isnan(D), 1.0, D), 0.0)
    np.fill_diagonal(D, 0.0)
    return np.asarray(D**2 if squared else D)


def _borrow(X: Matrix, labels: Labels, k: int) -> Labels:
    """The one cluster below k takes records of the closest group, which has enough: together over 2k-1."""
    labels = labels.copy()
    groups = members(labels)
    for small in (g for g, rows in enumerate(groups) if len(rows) < k):
        centres = np.array([X[rows].mean(axis=0) for rows in groups])
        distances = ((centres - centres[small]) ** 2).sum(axis=1)
        distances[small] = np.inf
        lender = groups[int(np.argmin(distances))]
        needed = np.argsort(((X[lender] - centres[small]) ** 2).sum(axis=1), kind="stable")
        labels[lender[needed[: k - len(groups[small])]]] = small
    return labels


def _regroup(X: Matrix, labels: Labels, k: int) -> Labels:
    """The records of clusters below k are grouped anew by MDAV; fewer than k join the closest groups."""
    short = sizes(labels)[labels] < k
    again = mdav(X[short], k) + len(X) if short.sum() >= k else -1
    labels = labels.copy()
    labels[short] = again
    named = labels >= 0
    labels[named] = relabel(labels[named])
    return assign_to_nearest(X, labels)


def _in_order(X: Matrix, labels: Labels, k: int) -> Labels:
    """The records of clusters below k, cluster after cluster, k at a time; the last ones join groups."""
    short = np.flatnonzero(sizes(labels)[labels] < k)
    listed = short[np.argsort(labels[short], kind="stable")]  # clusters are in order of first appearance
    labels = labels.copy()
    labels[short] = -1
    whole = len(listed) - len(listed) % k
    labels[listed[:whole]] = len(X) + np.arange(whole) // k
    named = labels >= 0
    labels[named] = relabel(labels[named])
    return assign_to_nearest(X, labels)
