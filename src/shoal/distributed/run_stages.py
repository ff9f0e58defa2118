"""The stages of a job, one after the other: each reads what the one before has written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from shoal.distributed.engines.engine import Engine, ShardFailed, ShardFunction, pieces_of
from shoal.distributed.fit_files import fitted_step, options_given
from shoal.distributed.kept_work import Made, kept
from shoal.distributed.link_files import Targets
from shoal.distributed.memory_budget import records_held
from shoal.distributed.rate import Rate
from shoal.distributed.sample_files import columns_with_gaps, sampled
from shoal.distributed.shards.class_shards import MarkRare, RareKey, RunInSome, in_shard
from shoal.distributed.shards.column_scales import ColumnScale, column_scales, encode_frame
from shoal.distributed.shards.count_shard import ClassKey
from shoal.distributed.shards.kd_cuts import Cuts, kd_cuts
from shoal.distributed.shards.shard_functions import AggregateShard, Grouping, GroupShard, RunSteps, stepped
from shoal.distributed.shards.shard_keys import GROUP, NEXT, ColumnKey, CutKey, RandomKey, ShardKey
from shoal.distributed.steps_at_scale import Stage
from shoal.errors import Infeasible
from shoal.io import frame_to_release
from shoal.masking.protected_columns import protected_columns
from shoal.measures import Linkage
from shoal.partition.local_search import local_search
from shoal.table import Table
from shoal.types import Matrix

DRY_RUN = 10_000  # records of the sample every step is tried on before any record moves; not measured
SHARD_RECORDS = 250_000  # to group together; time and memory grow a little faster than their number
RANDOM_RECORDS = 500_000  # of a shard whose records are treated one by one; no measurement on record
PASSES = {"record": 1, "groups": 2, "neighbours": 1, "classes": 2}
BYTES = 120  # that grouping takes for every number of a shard, measured


@dataclass
class Job:
    """Who does it, where, how much there is, and what is drawn."""

    engine: Engine
    work: Path
    room: int
    records: int
    sampled: int
    secrets: Sequence[int]
    rate: Rate
    folders: int = 0
    targets: Targets | None = None  # looked for before the shuffle
    linkage: Linkage | None = None

    def shards(self, at: _Files, columns: Sequence[str], key: ShardKey, function: ShardFunction) -> _Files:
        """One stage of the engine; what it read is deleted if it lay in the work folder."""
        self.folders += 1
        name = f"stage-{self.folders}"
        moved = kept(self.work, name, lambda: self._moved(at, columns, key, function, self.work / name))
        for path in at.paths:
            if self.work in path.parents:
                path.unlink(missing_ok=True)
        return moved

    def planned(self, make: Callable[[], Made]) -> Made:
        """What the next stage does: when a killed job is gone on with, what it was made of may be gone."""
        return kept(self.work, f"plan-{self.folders + 1}", make)

    def _moved(
        self, at: _Files, columns: Sequence[str], key: ShardKey, function: ShardFunction, folder: Path
    ) -> _Files:
        folder.mkdir(exist_ok=True)
        pieces = pieces_of(at.paths, at.counts, numbered=at.numbered)
        written = self.engine.shards(pieces, columns, key, function, folder, self.rate)
        sizes = [pl.scan_parquet(p, glob=False).select(pl.len()).collect().item() for p in written]
        if sum(sizes) != self.records:
            raise ShardFailed(f"{self.records} records went in, {sum(sizes)} came out; nothing is released.")
        return _Files(written, sizes)


def run_stages(
    job: Job, stages: Sequence[Stage], paths: Sequence[Path], counts: Sequence[int], sample: Table
) -> list[Path]:
    """The released shards: steps done, records shuffled over all of them, identifiers gone."""
    tables = dry_run(stages, sample)
    if job.targets is not None:
        job.targets.check_types(dict(tables[-1].frame.schema))
    last = stages[-1].grouped or job.targets is not None  # who is linked must be known before the shuffle
    whole = [*stages, Stage((), len(stages))] if last else list(stages)
    total, done = sum(PASSES[stage.form] for stage in whole), 0
    at = _Files(list(paths), list(counts), False)
    for place, stage in enumerate(whole):
        table, after = tables[place], tables[min(place + 1, len(tables) - 1)]
        if job.targets is not None and place == len(whole) - 1:
            job.linkage = kept(job.work, "linkage", partial(job.targets.linked, at.paths, job.records))
        if stage.form == "record":
            job.rate.begin(done, total, "treated" if stage.steps else "shuffled")
            at = _by_record(job, stage, at, (table, after), place, final=place == len(whole) - 1)
        else:
            treat = {"groups": _grouped, "neighbours": _near, "classes": _rare}[stage.form]
            at = treat(job, stage, at, table, dict(after.frame.schema), (done, total))
        done += PASSES[stage.form]
    return at.paths


@dataclass(frozen=True)
class _Files:
    """Where the records are, how many in every file, and whether their numbers are written beside them."""

    paths: list[Path]
    counts: list[int]
    numbered: bool = True


def dry_run(stages: Sequence[Stage], sample: Table) -> list[Table]:
    """Some records before every stage and after the last: what is refused is refused before records move."""
    tables = [sample]
    for stage in stages:
        table = tables[-1]
        few = table.frame.head(max(DRY_RUN, 3 * max((step.get("k", 0) for step in stage.steps), default=0)))
        table = Table(few, table.attributes)
        for step in stage.steps:
            table = stepped(step, table, 0)
        tables.append(table)
    return tables


def _by_record(
    job: Job, stage: Stage, at: _Files, tables: tuple[Table, Table], place: int, *, final: bool
) -> _Files:
    """Steps that look at one record at a time, in shards that are drawn."""
    before, after = tables
    released = frame_to_release(after) if final else after.frame
    secret = job.secrets[place]

    def planned() -> tuple[ShardKey, ShardFunction]:
        steps = [fitted_step(step, at.paths, before, job.room) for step in stage.steps]
        shards = max(-(-job.records // records_held(before.frame, RANDOM_RECORDS, job.room)), 1)
        run = RunSteps(steps, before.attributes, dict(released.schema), secret, final)
        return RandomKey(secret, shards), run

    return job.shards(at, before.names(), *job.planned(planned))


def _grouped(
    job: Job, stage: Stage, at: _Files, table: Table, schema: dict[str, pl.DataType], turn: tuple[int, int]
) -> _Files:
    """Microaggregation: groups inside the shards of one plan, then a round in those of another."""
    done, total = turn
    grouping, first, second = job.planned(partial(_grouping, job, stage, at, table, schema))
    if first.count == 1:
        job.rate.begin(done, total, "grouped")
        return job.shards(at, table.names(), RandomKey(0, 1), AggregateShard(grouping, schema))
    job.rate.begin(done, total, "grouped")
    at = job.shards(at, table.names(), CutKey(grouping.scales, first), GroupShard(grouping, second))
    job.rate.begin(done + 1, total, "improved")
    return job.shards(at, [*table.names(), GROUP, NEXT], ColumnKey(NEXT), AggregateShard(grouping, schema))


def _grouping(
    job: Job, stage: Stage, at: _Files, table: Table, schema: dict[str, pl.DataType]
) -> tuple[Grouping, Cuts, Cuts]:
    """How records are compared and grouped, and the cuts of both plans."""
    step = options_given(stage.steps[0])
    names = protected_columns(table, step.get("columns"))
    if step["k"] > job.records:
        raise Infeasible(f"There are {job.records} records, fewer than k = {step['k']}.")
    sample = _sample(job, stage, at, table)
    missing = step.get("missing", "together")
    gaps = columns_with_gaps(at.paths, names) if missing == "together" else []
    scale = step.get("scale", "zscore")
    scales = column_scales(sample, names, scale=scale, weights=step.get("weights"), gaps=gaps)
    options: dict[str, Any] = {
        n: step[n] for n in ("l_diversity", "confidential", "promise", "round", "missing") if n in step
    }
    partition = step.get("partition", local_search)
    grouping = Grouping(step["k"], partition, scales, table.attributes, options)
    X = _encoded(job, scales, sample.frame)
    most = _shard_records(job, X, schema, step["k"])
    first, second = (kd_cuts(X, job.records, most, turned=turned) for turned in (False, True))
    return grouping, first, second


def _near(
    job: Job, stage: Stage, at: _Files, table: Table, schema: dict[str, pl.DataType], turn: tuple[int, int]
) -> _Files:
    """A masker that keeps its promise in every shard of neighbours, and so in all of them together."""
    step = stage.steps[0]
    names = protected_columns(table, step.get("columns"))

    def planned() -> CutKey:
        sample = _sample(job, stage, at, table)
        scales = column_scales(sample, names, gaps=columns_with_gaps(at.paths, names))
        X = _encoded(job, scales, sample.frame)
        return CutKey(scales, kd_cuts(X, job.records, _shard_records(job, X, schema, _least(step))))

    key = job.planned(planned)
    job.rate.begin(*turn, "treated")
    steps = [in_shard(step, key.cuts.count)]
    function = RunSteps(steps, table.attributes, schema, job.secrets[stage.first])
    return job.shards(at, table.names(), key, function)


def _rare(
    job: Job, stage: Stage, at: _Files, table: Table, schema: dict[str, pl.DataType], turn: tuple[int, int]
) -> _Files:
    """Local suppression: classes are counted whole, then those below k are treated among their neighbours."""
    done, total = turn
    step = stage.steps[0]
    names = protected_columns(table, step.get("columns"))
    job.rate.begin(done, total, "counted")
    shards = job.planned(lambda: job.records // records_held(table.frame, RANDOM_RECORDS, job.room) + 1)
    marked = MarkRare(names, step["k"], bool(step.get("promise")))
    at = job.shards(at, table.names(), ClassKey(names, shards), marked)

    def planned() -> RareKey:
        rare = pl.col(NEXT) == 1
        number = pl.scan_parquet(at.paths, glob=False).filter(rare).select(pl.len())
        records = int(number.collect(engine="streaming").item())
        columns, secret = [*table.names(), NEXT], job.secrets[-1]
        frame = sampled(at.paths, columns, job.records, secret=secret, size=job.sampled, numbered=True)
        sample = Table(frame.filter(rare).select(table.names()), table.attributes)
        scales = column_scales(sample, names, gaps=columns_with_gaps(at.paths, names))
        X = _encoded(job, scales, sample.frame)
        return RareKey(scales, kd_cuts(X, records, _shard_records(job, X, schema, step["k"])), shards)

    key = job.planned(planned)
    job.rate.begin(done + 1, total, "treated")
    run = RunSteps([step], table.attributes, schema, job.secrets[stage.first])
    return job.shards(at, [*table.names(), NEXT], key, RunInSome(run, key.cuts.count))


def _sample(job: Job, stage: Stage, at: _Files, table: Table) -> Table:
    """The sample as it is now: an earlier step may have changed what that of the source shows."""
    if not at.numbered:
        return table
    frame = sampled(
        at.paths, table.names(), job.records, secret=job.secrets[-1], size=job.sampled, numbered=True
    )
    return Table(frame.select(table.names()), table.attributes)


def _encoded(job: Job, scales: Sequence[ColumnScale], frame: pl.DataFrame) -> Matrix:
    """The sample as a matrix, or every so manieth record of it: a column of names is hundreds of numbers."""
    few = encode_frame(scales, frame.head(1))
    most = records_held(pl.DataFrame(few), frame.height, job.room)
    return encode_frame(scales, frame.gather_every(-(-frame.height // most)))


def _shard_records(job: Job, X: Matrix, schema: dict[str, pl.DataType], k: int) -> int:
    """The most records of a shard, by the memory that treating them together takes."""
    held = job.room // (BYTES * (int(X.shape[1]) + len(schema)))
    return max(min(SHARD_RECORDS, held), 4 * k)


def _least(step: Mapping[str, Any]) -> int:
    """The k of a step, or of the masker inside it."""
    inner = step.get("masker")
    return int(step.get("k") or (inner.get("k") if isinstance(inner, Mapping) else None) or 2)
