"""Pre-clustering: protect every cluster of similar records by itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.cell_values import equal_cells
from shoal._shared.options import sub_progress, with_known_options
from shoal.errors import Infeasible, InvalidInput
from shoal.hierarchy.tree import as_text
from shoal.masking.clusters.c_median import c_median
from shoal.masking.clusters.global_median import observed
from shoal.masking.households.by_household import by_household
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members, relabel, sizes
from shoal.table import Table, as_table
from shoal.types import Callback, Labels, Masker, RandomState

Clusters = int | Labels | Callable[..., Labels]


@takes_where
@by_household
@takes_frames
def protect_clusters(
    table: Table,
    *,
    clusters: Clusters,
    masker: Masker,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Part the records into clusters and mask every cluster by itself, with any masker.

    Parameters
    ----------
    table
        The table to protect.
    clusters
        How many clusters `c_median` shall find; or the cluster of every record; or a function of the table
        that gives it, e.g. ``partial(c_median, c=5, columns=[...])``.
    masker
        Any masker with its options frozen, e.g. ``partial(microaggregate, k=3)``; in a recipe
        ``{method = "microaggregate", k = 3}``.
    columns
        The columns to cluster by and to protect; the quasi-identifiers if not given. A masker (or function
        of clusters) that names its own columns keeps them.
    rng
        Seed or generator, for the clustering and for maskers that draw; the same one gives the same file.
    callback
        Called with `Progress` as clusters are done.

    Returns
    -------
    Table
        Same rows in the same order.

    Raises
    ------
    Infeasible
        If a given cluster has fewer records than the masker's k. Clusters found by number are made large
        enough (`smallest` of `c_median`).

    Notes
    -----
    If every cluster is k-anonymous, so is the file: equal records of two clusters only make larger classes.
    Cuts and groups never cross a cluster, so that what distinguishes clusters stays in the file, and figures
    of the masker (ranges, frequencies, noise) are those of the cluster. Missing values are treated as the
    masker says. Cost: that of the clustering and of the masker, on smaller files.

    References
    ----------
    Our design after the outline (chapter 5) of Marés: Categorical data protection on statistical datasets
    and social networks, PhD thesis, Universitat Autònoma de Barcelona (2013).

    Examples
    --------
    >>> from functools import partial
    >>> from shoal import as_table, microaggregate
    >>> table = as_table({"age": [20, 61, 22, 63, 21]}, roles={"quasi": ["age"]})
    >>> protect_clusters(table, clusters=2, masker=partial(microaggregate, k=2), rng=1).frame["age"].to_list()
    [21.0, 62.0, 21.0, 62.0, 21.0]
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns)
    if not len(table):
        raise InvalidInput("There are no records to protect.")
    if not callable(masker):
        raise InvalidInput("`masker` must be a masker with its options, e.g. partial(microaggregate, k=3).")
    least = getattr(masker, "keywords", {}).get("k") or 1
    labels = _labels(table, clusters, names, least, rng)
    rows = members(labels)
    parts: list[Table] = []
    said: dict[tuple[str, type[Warning]], None] = {}
    for number, (mine, draws) in enumerate(zip(rows, rng.spawn(len(rows)), strict=True)):
        cluster = table.take(mine)
        known = observed(cluster, names) or names
        options = {"columns": known, "rng": draws, "callback": sub_progress(callback, number, len(rows))}
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            parts.append(with_known_options(masker, **options)(cluster))
        said |= {(str(warning.message), warning.category): None for warning in heard}
    for sentence, category in said:  # once, not once a cluster
        warnings.warn(sentence, category, stacklevel=3)
    return _joined(table, rows, parts)


def _labels(
    table: Table, clusters: Clusters, names: list[str], least: int, rng: np.random.Generator
) -> Labels:
    if isinstance(clusters, int | np.integer) and not isinstance(clusters, bool):
        labels = c_median(table, int(clusters), smallest=min(least, len(table)), columns=names, rng=rng)
    elif callable(clusters):
        labels = with_known_options(clusters, columns=names, rng=rng)(table)
    else:
        labels = np.asarray(clusters)
    if labels.shape != (len(table),):
        raise InvalidInput(
            f"`clusters` needs one cluster per record ({len(table)}), got shape {labels.shape}."
        )
    labels = relabel(labels)
    small = np.flatnonzero(sizes(labels) < least)
    if len(small):
        row = int(np.argmax(labels == small[0]))
        raise Infeasible(
            f"{len(small)} of {len(sizes(labels))} clusters have fewer than k = {least} records (the one of "
            f"row {row} has {sizes(labels)[small[0]]}); join clusters or lower k."
        )
    return labels


def _joined(table: Table, rows: list[Labels], parts: list[Table]) -> Table:
    """The masked clusters as one table, records where they were, columns no masker touched as they were."""
    order = np.argsort(np.concatenate(rows), kind="stable")
    changed: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for name in check_names(parts[0].names(), table.names()):
        cells = [cell for part in parts for cell in part.cells(name)]
        values = [cells[place] for place in order.tolist()]
        before = table.attribute(name).kind
        found = {part.attribute(name).kind for part in parts}
        if found != {before} or not _alike(values, table.cells(name)):
            kinds[name] = found.pop() if len(found) == 1 else "nominal"
            changed[name] = values if kinds[name] != "nominal" else _one_type(values)
    return as_table(table.assign(**changed), kinds=kinds)


def _alike(values: list[Any], others: NDArray[Any]) -> bool:
    """Whether nothing was changed, not even the type of a cell."""
    return [type(value) for value in values] == [type(other) for other in others] and equal_cells(
        values, others
    )


def _one_type(values: list[Any]) -> list[Any]:
    """Texts, where clusters released both texts and numbers."""
    if len({type(value) for value in values if value is not None}) < 2:
        return values
    return [None if value is None else as_text(value) for value in values]
