"""Protect files larger than memory as a recipe says; released only if they keep the promise."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from shoal._check import check_choice
from shoal.distributed.check_files import FilesVerdict, verdict_on
from shoal.distributed.database_files import database_of, unloaded
from shoal.distributed.draft_files import (
    check_storable,
    check_target,
    drafted_files,
    folder_beside,
    target_of,
)
from shoal.distributed.engines import ENGINES, opened_engine
from shoal.distributed.fit_levels import with_levels
from shoal.distributed.link_files import check_comparable, targets_of
from shoal.distributed.memory_budget import memory_budget, room
from shoal.distributed.rate import Rate
from shoal.distributed.released_files import ReleasedFiles, column_moments, columns_kept, relations_kept
from shoal.distributed.run_stages import Job, run_stages
from shoal.distributed.sample_files import check_values, sample_size, sampled
from shoal.distributed.shapes_kept import compared, shapes_of
from shoal.distributed.source_files import Source, SourceFiles, record_counts, source_files
from shoal.distributed.steps_at_scale import stages_of
from shoal.distributed.text_files import as_parquet
from shoal.distributed.work_folder import full_disk_said, work_folder
from shoal.errors import PromiseBroken
from shoal.io import Address
from shoal.table import Table, as_table
from shoal.types import Callback, RandomState, Role
from shoal.workflow.recipe import Recipe


def mask_files(
    source: Source,
    recipe: Recipe,
    target: str | os.PathLike[str] | Address,
    *,
    table: str | None = None,
    query: str | None = None,
    into: str | None = None,
    engine: str = "polars",
    scheduler: str | None = None,
    memory: str | int | None = None,
    anyway: bool = False,
    linkage: bool = False,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> ReleasedFiles:
    """Protect files larger than memory, count the promise on what was written, then give it its name.

    Parameters
    ----------
    source
        Parquet or csv files with the same columns: a glob, a folder or a list. Or a database, as for
        `read_table`: ``postgresql://...``, ``sqlite:FILE``, ``duckdb:FILE``.
    recipe
        The roles, the steps and the promise. A step that has no form at scale is refused before a record
        moves.
    target
        A new folder for parquet files; a new file ending in .parquet or .csv; or the address of a database.
    table, query
        Which table of a database, or what to ask it.
    into
        The new table of the database that is the target, written in one transaction.
    engine
        Who moves the records: "polars" (here), "dask" or "spark".
    scheduler
        Where a cluster is: "tcp://...", "spark://...", "sc://..."; the client or session that is active if
        not given, or else processes here. All machines must see the files and the target under their names.
    memory
        How much to take here, such as "4GB"; a quarter of the machine if not given.
    anyway
        Release files that break the promise, and say so.
    linkage
        Look for some 20,000 sampled records among all masked ones, before they are shuffled: `.linkage` of
        the result, with an interval of 95 percent. Not after steps that make values coarser.
    rng
        Seed or generator of all that is drawn; a seed is a secret.
    callback
        Called with `Progress`: records a second and the time left. Returning True stops; nothing is left.

    Returns
    -------
    ReleasedFiles
        `.verdict` counted on the files, `.columns` with means and deviations before and after, `.losses`
        of relations between quasi-identifiers: il5 (correlations) and ctbil (contingency tables).

    Raises
    ------
    PromiseBroken
        If the files break the promise: nothing is in place then.

    Notes
    -----
    Global recoding, top and bottom coding, noise and PRAM are exact: what they take from the file (quantiles,
    moments, frequencies) is counted over all of it. `recode_to_k` keeps k exactly; its levels are searched
    for on every combination of keys, the frequent ones counted up to a limit. Microaggregation is
    approximate: records are cut into shards of neighbours by the medians of a sample, grouped inside their
    shard, and one more round of local search in shards that are cut at another angle removes the borders.
    `mondrian` and `protect_clusters` work inside such shards, `suppress_to_k` too, on the records below k and
    some company; `rank_swap` and `shuffle` inside shards that are drawn. k, l and t are exact: counted by a
    group-by over the files that were written. Other steps are refused before a record moves.

    What a database answers is read once, in batches, into the work folder, and treated as files are.
    The work folder beside the target (in the temporary folder if that is a table of PostgreSQL; mode 0700)
    holds original records until the job ends, however it ends; what a killed job left is removed by the next
    one there. Written records are shuffled over all files, and the names of files are random. Time
    O(n log n), some 50 microseconds a record for ten columns (linkage of numbers with noise: some 11 more);
    disk about three times the source.

    References
    ----------
    Solé, Muntés-Mulero, Nin: Efficient microaggregation techniques for large numerical data volumes,
    International Journal of Information Security 11 (2012).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pl.DataFrame({"age": [20, 61, 22, 63]}).write_parquet(folder / "a.parquet")
    >>> recipe = Recipe("ages", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])
    >>> done = mask_files(folder / "a.parquet", recipe, folder / "safe.parquet", rng=1)
    >>> done.kept, sorted(pl.read_parquet(folder / "safe.parquet")["age"])
    (True, [21.0, 21.0, 62.0, 62.0])
    """
    began, rng = time.monotonic(), np.random.default_rng(rng)
    budget, goal = memory_budget(memory), target_of(target, into)
    place = database_of(source, table, query) or source_files(source)
    check_choice("engine", engine, ENGINES)
    stages = stages_of(recipe)
    if linkage:
        check_comparable(stages)
    check_target(goal, place.paths if isinstance(place, SourceFiles) else [])
    secrets = rng.integers(2**62, size=len(stages) + 4).tolist()
    with (
        work_folder(folder_beside(goal)) as work,
        full_disk_said(),
        nullcontext(_files(place, work, callback)) as files,  # before a cluster is started
        opened_engine(engine, scheduler, budget, work) as worker,
    ):
        counts, plain = record_counts(files), as_parquet(files, work)
        kept = _kept(recipe, files)
        size = sample_size(plain.paths, kept, room(budget))
        sample = _described(recipe, sampled(plain.paths, kept, sum(counts), secret=secrets[-1], size=size))
        check_storable(goal, sample.frame)
        stages = with_levels(stages, plain.paths, sample, room(budget))
        everything = pl.scan_parquet(list(plain.paths), glob=False)
        check_values(everything, sample)
        original, shapes = column_moments(everything, kept), shapes_of(everything, *compared(sample, kept))
        job = Job(worker, work, room(budget), sum(counts), size, secrets, Rate(sum(counts), callback))
        if linkage:
            job.targets = targets_of(plain.paths, sample, sum(counts), secret=secrets[-2])
        last = run_stages(job, stages, plain.paths, counts, sample)
        with drafted_files(goal, last, work) as written:
            roles: dict[Role, Sequence[str]] = {
                role: names for role, names in recipe.roles.items() if role != "identifier"
            }
            verdict = verdict_on(written, recipe.promised, roles, worker, work, budget)
            _refuse_broken(verdict, anyway)
            columns, losses = columns_kept(original, written), relations_kept(shapes, written)
        return ReleasedFiles(
            *(verdict, columns, losses, goal, len(written.paths), time.monotonic() - began),
            anyway=not verdict.kept,
            linkage=job.linkage,
        )


def _files(place: SourceFiles | Address, work: Path, callback: Callback | None) -> SourceFiles:
    return place if isinstance(place, SourceFiles) else unloaded(place, work, callback=callback)


def _kept(recipe: Recipe, files: SourceFiles) -> list[str]:
    """The columns that are released: no identifiers, and no numbers of rows that nobody has named."""
    named = {name for names in recipe.roles.values() for name in names}
    gone = {*recipe.roles.get("identifier", ()), *(set(files.row_names()) - named)}
    return [name for name in files.schema() if name not in gone]


def _refuse_broken(verdict: FilesVerdict, anyway: bool) -> None:
    if not verdict.kept and not anyway:
        raise PromiseBroken(
            f"The promise is broken: {verdict.shortfall}; {verdict.breaking:,} records break it and "
            "nothing was written; promise less, protect every column an intruder may know, or "
            "--release-anyway writes it and says so.",
            verdict,
        )


def _described(recipe: Recipe, frame: pl.DataFrame) -> Table:
    """The sample with the roles, kinds and hierarchies of the recipe."""
    roles: dict[Role, Sequence[str]] = {r: n for r, n in recipe.roles.items() if r != "identifier"}
    table = as_table(frame.drop("__shoal_row"))
    return replace(recipe, roles=roles).describe(table)
