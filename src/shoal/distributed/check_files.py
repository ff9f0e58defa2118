"""Yes or no for files larger than memory: do they keep a promise, counted over all of them together?"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from shoal._check import check_choice, check_names
from shoal.distributed.count_files import Counts, comparable_frame, counted, counted_with_t, value_shares
from shoal.distributed.engines import ENGINES, opened_engine
from shoal.distributed.engines.engine import Engine, pieces_of
from shoal.distributed.group_by_parts import part_of, parts_needed, table_room
from shoal.distributed.memory_budget import memory_budget, room
from shoal.distributed.shards.count_shard import ClassKey, CountShard
from shoal.distributed.sources.database_files import database_of, unloaded
from shoal.distributed.sources.source_files import Source, SourceFiles, record_counts, source_files
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.check import Verdict, verdict_sentences
from shoal.models.promise import Promise
from shoal.table import ROLES
from shoal.types import Callback, Progress, Role

CLASS_RECORDS = 2_000_000  # of a shard in which classes are counted; no measurement on record


@dataclass(frozen=True, eq=False)
class FilesVerdict(Verdict):
    """The verdict about files; how many records break the promise is known, which ones is not."""

    breaking: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain numbers and text."""
        return super().to_dict() | {"breaking_records": self.breaking}


def check_files(
    source: Source,
    *,
    promise: Promise,
    roles: Mapping[Role, Iterable[str] | str],
    table: str | None = None,
    query: str | None = None,
    engine: str = "polars",
    scheduler: str | None = None,
    memory: str | int | None = None,
    callback: Callback | None = None,
) -> FilesVerdict:
    """Count whether files larger than memory keep a promise, all of them together.

    Parameters
    ----------
    source
        Parquet or csv files with the same columns: a glob, a folder or a list. Or a database, as for
        `read_table`: ``postgresql://...``, ``sqlite:FILE``, ``duckdb:FILE``.
    promise
        What they should keep: k, l, t, highest risk. An empty one is kept, and k is counted all the same.
    roles
        Column names by role: quasi and stratum make the key; with a household k counts households.
    table, query
        Which table of a database, or what to ask it.
    engine
        Who counts: "polars" (here), "dask" or "spark".
    scheduler
        Where a cluster is: "tcp://...", "spark://...", "sc://..."; the client or session that is active if
        not given, or else processes here.
    memory
        How much to take here, such as "4GB"; a quarter of the machine if not given.
    callback
        Called with `Progress` after every part.

    Returns
    -------
    FilesVerdict
        As of `shoal.check`, but for the positions of records: `.breaking` is their number.

    Notes
    -----
    Exact. Cells of csv are compared as texts, values of parquet by value (and -0.0 is not 0.0); a missing
    cell is a value of its own. Counted by a group-by, whose memory grows with the number of classes: where
    they would not fit the files are read several times, and a part of the classes is counted each time.
    Text files and distances of t are always counted here, by polars. Of a database the columns that count
    are read in batches into a private temporary folder, which is deleted. One pass over the columns of the
    key, and one over each column that t was promised for.

    References
    ----------
    Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pl.DataFrame({"age": [30, 30, 41]}).write_parquet(folder / "a.parquet")
    >>> pl.DataFrame({"age": [41, 52]}).write_parquet(folder / "b.parquet")
    >>> verdict = check_files(folder, promise=Promise(k=2), roles={"quasi": "age"})
    >>> verdict.kept, verdict.reached, verdict.breaking
    (False, {'k': 1}, 1)
    """
    check_choice("engine", engine, ENGINES)
    budget, database = memory_budget(memory), database_of(source, table, query)
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        if database is None:
            files = source_files(source)
        else:
            files = unloaded(database, Path(folder), only=_named(promise, roles), callback=callback)
        _keys(files, promise, roles)  # refused before an engine is started
        with opened_engine(engine, scheduler, budget, Path(folder)) as worker:
            return verdict_on(files, promise, roles, worker, Path(folder), budget, callback)


def _named(promise: Promise, roles: Mapping[Role, Iterable[str] | str]) -> set[str]:
    """Every column that a role or the promise names."""
    members = [[names] if isinstance(names, str) else list(names) for names in roles.values()]
    return {name for names in members for name in names} | set(promise.confidential)


def verdict_on(
    files: SourceFiles,
    promise: Promise,
    roles: Mapping[Role, Iterable[str] | str],
    worker: Engine,
    folder: Path,
    budget: int,
    callback: Callback | None = None,
) -> FilesVerdict:
    """As `check_files`, by an engine that is open already."""
    sizes = record_counts(files)
    records = sum(sizes)
    keys, household = _keys(files, promise, roles)
    here = worker.name == "polars" or files.separator is not None or bool(promise.t)
    counts = Counts()
    try:
        if here:
            lines = _parts(files, keys, promise, household, budget)
        else:
            lines = _engine_lines(worker, folder, files, sizes, keys, promise, household)
        for done, (parts, line) in enumerate(lines, 1):
            counts.add(line)
            if callback is not None:
                callback(Progress(done / parts, f"{records:,} records counted, part {done} of {parts}"))
    except pl.exceptions.PolarsError:  # its words could quote a value
        raise InvalidInput("The files could not be read to their end; are they whole?") from None
    return _verdict(promise, counts, records, keys, household)


def _engine_lines(
    worker: Engine,
    folder: Path,
    files: SourceFiles,
    sizes: list[int],
    keys: list[str],
    promise: Promise,
    household: str | None,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """All classes by an engine: by its own group-by, or in shards of whole classes."""
    wanted = list(dict.fromkeys([*keys, *promise.confidential, *([household] if household else [])]))
    pieces = pieces_of(files.paths, sizes, numbered=False)
    frame = worker.frame(pieces, wanted)
    if frame is not None:
        frame, signs = comparable_frame(frame, keys)
        yield 1, counted(frame, [*keys, *signs], promise, household)
        return
    key, function = ClassKey(keys, max(sum(sizes) // CLASS_RECORDS, 1)), CountShard(keys, promise, household)
    with tempfile.TemporaryDirectory(prefix="count-", dir=folder) as own:
        paths = worker.shards(pieces, wanted, key, function, Path(own), lambda _: None)
        for path in paths:
            yield len(paths), json.loads(pl.read_parquet(path, glob=False).item())


def _keys(
    files: SourceFiles, promise: Promise, roles: Mapping[Role, Iterable[str] | str]
) -> tuple[list[str], str | None]:
    """The columns of the key and the household, or a sentence that asks for them."""
    names = list(files.schema())
    for role, members in roles.items():
        check_choice("role", role, ROLES)
        check_names(members, names)
    by = {role: check_names(members, names) for role, members in roles.items()}
    if not by.get("quasi"):
        raise InvalidInput(
            "No column has the role quasi, so there is nothing to count; say which columns an intruder may "
            f"know, e.g. roles={{'quasi': [{names[0]!r}]}} or --quasi {names[0]}."
        )
    check_names(promise.confidential, names)
    if promise.others:
        known = "k, l, t and max_risk"
        raise NotApplicable(
            f"{next(iter(promise.others))} is not counted on files at scale; known are {known}."
        )
    if promise.whole_households is not None:
        raise NotApplicable(
            "Whole households are not counted on files at scale; leave `whole_households` out."
        )
    home = by.get("household") or []
    return list(dict.fromkeys([*by["quasi"], *by.get("stratum", [])])), home[0] if home else None


def _parts(
    files: SourceFiles,
    keys: list[str],
    promise: Promise,
    household: str | None,
    budget: int,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """How many parts there are, and the line of each; whole classes are in a part."""
    frame = _comparable(files.lazy(), files)
    wanted = list(dict.fromkeys([*keys, *promise.confidential, *([household] if household else [])]))
    frame = frame.select(wanted)
    keys, frame = _with_signs(frame, keys)
    ordered, shares, nominal = _shares(frame, promise, room(budget))
    distinct = [*promise.confidential, *([household] if household else [])]
    parts = parts_needed(frame, keys, table_room(room(budget)), distinct=distinct)
    for part in range(parts):
        own = part_of(ordered, keys, part, parts)
        if promise.t:
            yield parts, counted_with_t(own, keys, promise, household, shares, nominal)
        else:
            yield parts, counted(nw.from_native(own), keys, promise, household)


def _comparable(frame: pl.LazyFrame, files: SourceFiles) -> pl.LazyFrame:
    """NaN is missing, categories are texts."""
    changes = []
    for name, dtype in files.schema().items():
        if dtype.is_float():
            changes.append(pl.col(name).fill_nan(None))
        elif dtype in (pl.Categorical, pl.Enum):
            changes.append(pl.col(name).cast(pl.String))
    return frame.with_columns(changes) if changes else frame


def _with_signs(frame: pl.LazyFrame, keys: list[str]) -> tuple[list[str], pl.LazyFrame]:
    """A key more where a column has both zeros: they print as 0.0 and -0.0."""
    schema = frame.collect_schema()
    floats = [name for name in keys if schema[name].is_float()]
    if not floats:
        return keys, frame
    negative = [((pl.col(n) == 0) & (1 / pl.col(n) < 0)).any().alias(n) for n in floats]
    found = frame.select(negative).collect(engine="streaming").row(0, named=True)
    signs = [name for name in floats if found[name]]
    flags = [((pl.col(n) == 0) & (1 / pl.col(n) < 0)).alias(f"__shoal_sign{i}") for i, n in enumerate(signs)]
    return [*keys, *(f"__shoal_sign{i}" for i in range(len(signs)))], frame.with_columns(flags)


def _shares(
    frame: pl.LazyFrame, promise: Promise, bytes_there: int
) -> tuple[pl.LazyFrame, dict[str, pl.DataFrame], list[str]]:
    """The frame with numbers for texts that are some, the values of the columns of t, and the unordered."""
    shares, nominal, numbers = {}, [], []
    for name in promise.t:
        column = pl.col(name)
        if frame.collect_schema()[name] == pl.String:
            cast = column.cast(pl.Float64, strict=False)
            odd = (
                frame.select((cast.is_null() & column.is_not_null()).any()).collect(engine="streaming").item()
            )
            if odd:
                nominal.append(name)
            else:
                numbers.append(cast.alias(name))
        elif frame.collect_schema()[name] == pl.Boolean:
            nominal.append(name)
    ordered = frame.with_columns(numbers) if numbers else frame
    for name in promise.t:
        shares[name] = value_shares(ordered, name, bytes_there)
    return ordered, shares, nominal


def _verdict(
    promise: Promise, counts: Counts, records: int, keys: list[str], household: str | None
) -> FilesVerdict:
    if counts.records != records:
        raise InvalidInput(
            f"{records} records were announced, {counts.records} counted; do the files change?"
        )
    reached: dict[str, Any] = {"k": counts.k}
    if promise.max_risk is not None:
        reached["max_risk"] = 1 / (counts.k or 1)
    reached |= {sign: found for sign, found in (("l", counts.l), ("t", counts.t)) if found}
    what = "records" if household is None else "households"
    sentences = verdict_sentences(promise, reached, counts.breaking, records, what, "category")
    return FilesVerdict(
        promise,
        not counts.breaking,
        reached,
        np.empty(0, dtype=np.intp),
        sentences,
        records,
        counts.classes,
        tuple(keys),
        households=household is not None,
        breaking=counts.breaking,
    )
