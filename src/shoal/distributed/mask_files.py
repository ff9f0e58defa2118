"""Protect files larger than memory as a recipe says; released only if they keep the promise."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

import numpy as np

from shoal._check import check_choice
from shoal.distributed.check_files import FilesVerdict, verdict_on
from shoal.distributed.draft_files import (
    check_target,
    drafted_files,
    folder_beside,
    target_of,
)
from shoal.distributed.engines import ENGINES, opened_engine
from shoal.distributed.job_plan import plan_of
from shoal.distributed.kept_work import kept, same_job
from shoal.distributed.link_files import check_comparable
from shoal.distributed.memory_budget import memory_budget, room
from shoal.distributed.rate import Rate
from shoal.distributed.released_files import ReleasedFiles, columns_kept, relations_kept
from shoal.distributed.run_stages import Job, run_stages
from shoal.distributed.sources.database_files import database_of
from shoal.distributed.sources.source_files import Source, SourceFiles, source_files
from shoal.distributed.steps_at_scale import stages_of
from shoal.distributed.work_folder import PLAN, full_disk_said, work_folder
from shoal.errors import PromiseBroken
from shoal.io import Address
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
    resume: bool = False,
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
    resume
        Go on with a job that was killed (`kill -9`, no memory left) after the last part it had done:
        same source, recipe and target; engine and memory may be others. What was drawn stays.
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
    holds original records and the secrets of what is drawn until the job ends, however it ends; what a killed
    job left is gone on with by `resume`, or removed by the next job there. Written records are shuffled over
    all files, and the names of files are random. Time O(n log n), some 50 microseconds a record for ten
    columns (linkage of numbers with noise: some 11 more); disk about three times the source.

    References
    ----------
    Solé, Muntés-Mulero, Nin: Efficient microaggregation techniques for large numerical data volumes,
    International Journal of Information Security 11 (2012).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import polars as pl
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
    drawn = rng.integers(2**62, size=len(stages) + 4).tolist()
    mark = same_job(recipe, place, goal, linkage)
    plan_again = partial(plan_of, recipe, place, goal, secrets=drawn, linkage=linkage, callback=callback)
    with (
        work_folder(folder_beside(goal), mark, resume=resume) as work,
        full_disk_said(),
        # before a cluster is started
        nullcontext(kept(work, PLAN, lambda: plan_again(work, room(budget)))) as plan,
        opened_engine(engine, scheduler, budget, work) as worker,
    ):
        records = sum(plan.counts)
        job = Job(
            *(worker, work, room(budget), records, plan.sampled, plan.secrets, Rate(records, callback)),
            targets=plan.targets,
        )
        last = run_stages(job, plan.stages, plan.paths, plan.counts, plan.sample)
        with drafted_files(goal, last, work) as written:
            roles: dict[Role, Sequence[str]] = {
                role: names for role, names in recipe.roles.items() if role != "identifier"
            }
            verdict = verdict_on(written, recipe.promised, roles, worker, work, budget)
            _refuse_broken(verdict, anyway)
            columns, losses = columns_kept(plan.moments, written), relations_kept(plan.shapes, written)
        return ReleasedFiles(
            *(verdict, columns, losses, goal, len(written.paths), time.monotonic() - began),
            anyway=not verdict.kept,
            linkage=job.linkage,
        )


def _refuse_broken(verdict: FilesVerdict, anyway: bool) -> None:
    if not verdict.kept and not anyway:
        raise PromiseBroken(
            f"The promise is broken: {verdict.shortfall}; {verdict.breaking:,} records break it and "
            "nothing was written; promise less, protect every column an intruder may know, or "
            "--release-anyway writes it and says so.",
            verdict,
        )
