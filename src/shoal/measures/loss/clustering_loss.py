"""Clustering loss: cluster the original and the masked file alike, and compare who is with whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shoal._door import takes_frames
from shoal._shared.options import with_known_options
from shoal.errors import InvalidInput
from shoal.measures.compared_columns import compared_columns
from shoal.measures.description.partition_similarity import adjusted_rand_index
from shoal.table import Table
from shoal.types import Labels, RandomState


@takes_frames
def clustering_loss(
    original: Table,
    masked: Table,
    *,
    cluster: Callable[..., Labels],
    index: Callable[[Any, Any], float] = adjusted_rand_index,
    rng: RandomState = None,
) -> float:
    """How much of a cluster analysis is lost: clusters of the masked file against the original's, in %.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    cluster
        Any function of a table that gives the cluster of every record, e.g. ``partial(c_median, c=5)``. It is
        called once for each file, with the same random numbers.
    index
        How alike two partitions are, 1 if the same: `adjusted_rand_index` (the default), `rand_index`,
        `jaccard_index`, `fowlkes_mallows_index`, `wallace_index`.
    rng
        Seed or generator for a clustering that draws.

    Returns
    -------
    float
        100 (1 - index): 0 (the same clusters) to 100 (nothing left; also where an index is below 0, which
        says less alike than by chance).

    Notes
    -----
    On no menu, as it asks how to cluster. What the clustering does with missing values holds here. Cost: that
    of two clusterings.

    References
    ----------
    Hubert, Arabie: Comparing partitions, Journal of Classification 2 (1985), for the index.

    Examples
    --------
    >>> from functools import partial
    >>> from shoal import as_table
    >>> from shoal.masking import c_median
    >>> table = as_table({"age": [20, 22, 61, 63]}, roles={"quasi": ["age"]})
    >>> clustering_loss(table, table, cluster=partial(c_median, c=2), rng=1)
    0.0
    """
    rng = np.random.default_rng(rng)
    compared_columns(original, masked)
    seed = int(rng.integers(2**63))
    before, after = (with_known_options(cluster, rng=seed)(table) for table in (original, masked))
    if len(before) != len(original) or len(after) != len(masked):
        raise InvalidInput("`cluster` must give one label per record of its table.")
    return 100.0 * min(max(1.0 - index(before, after), 0.0), 1.0)
