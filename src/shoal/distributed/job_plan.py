"""What is fixed before the first record moves: who goes where depends on it, and on nothing later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from shoal.distributed.draft_files import check_storable
from shoal.distributed.fit_levels import with_levels
from shoal.distributed.link_files import Targets, targets_of
from shoal.distributed.released_files import Moments, column_moments
from shoal.distributed.sample_files import check_values, sample_size, sampled
from shoal.distributed.shapes_kept import Shapes, compared, shapes_of
from shoal.distributed.sources.database_files import unloaded
from shoal.distributed.sources.source_files import SourceFiles, record_counts
from shoal.distributed.sources.text_files import as_parquet
from shoal.distributed.steps_at_scale import Stage, stages_of
from shoal.io import Address
from shoal.table import Table, as_table
from shoal.types import Callback, Role
from shoal.workflow.recipe import Recipe


@dataclass(frozen=True)
class Plan:
    """Where the records are, what is known of them and done to them, and the secrets of what is drawn."""

    paths: Sequence[Path]
    counts: Sequence[int]
    sample: Table
    sampled: int
    stages: Sequence[Stage]
    moments: Mapping[str, Moments]
    shapes: Shapes
    targets: Targets | None
    secrets: Sequence[int]


def plan_of(
    recipe: Recipe,
    place: SourceFiles | Address,
    target: Path | Address,
    work: Path,
    room: int,
    *,
    secrets: Sequence[int],
    linkage: bool,
    callback: Callback | None,
) -> Plan:
    """Read the source as often as the plan needs: all of it, but never all of it in memory."""
    files = place if isinstance(place, SourceFiles) else unloaded(place, work, callback=callback)
    counts, paths = record_counts(files), as_parquet(files, work).paths
    kept = _kept(recipe, files)
    size = sample_size(paths, kept, room)
    sample = _described(recipe, sampled(paths, kept, sum(counts), secret=secrets[-1], size=size))
    check_storable(target, sample.frame)
    stages = with_levels(stages_of(recipe), paths, sample, room)
    everything = pl.scan_parquet(list(paths), glob=False)
    check_values(everything, sample)
    targets = targets_of(paths, sample, sum(counts), secret=secrets[-2]) if linkage else None
    moments, shapes = column_moments(everything, kept), shapes_of(everything, *compared(sample, kept))
    return Plan(paths, counts, sample, size, stages, moments, shapes, targets, secrets)


def _kept(recipe: Recipe, files: SourceFiles) -> list[str]:
    """The columns that are released: no identifiers, and no numbers of rows that nobody has named."""
    named = {name for names in recipe.roles.values() for name in names}
    gone = {*recipe.roles.get("identifier", ()), *(set(files.row_names()) - named)}
    return [name for name in files.schema() if name not in gone]


def _described(recipe: Recipe, frame: pl.DataFrame) -> Table:
    """The sample with the roles, kinds and hierarchies of the recipe."""
    roles: dict[Role, Sequence[str]] = {r: n for r, n in recipe.roles.items() if r != "identifier"}
    table = as_table(frame.drop("__shoal_row"))
    return replace(recipe, roles=roles).describe(table)
