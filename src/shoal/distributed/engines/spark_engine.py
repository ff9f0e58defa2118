"""Spark: clusters of offices; it groups the records of a shard, and tries again what a lost executor had."""

from __future__ import annotations

import os
import pickle
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import polars as pl
import pyarrow as pa

from shoal.distributed.engines.engine import Done, Piece, ShardFailed, ShardFunction
from shoal.distributed.engines.packed_rows import ROWS, SHARD, Pack, Treat, treated
from shoal.distributed.engines.spark_session import started_session
from shoal.distributed.shards.shard_keys import ShardKey

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[2,4]"  # two threads, four tries; where nobody has started a session or named a master
PLAIN = (  # types that Spark reads from parquet as they are
    *(
        pl.Int8,
        pl.Int16,
        pl.Int32,
        pl.Int64,
        pl.UInt8,
        pl.UInt16,
        pl.UInt32,
        pl.UInt64,
        pl.Float32,
        pl.Float64,
    ),
    *(pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Date, pl.Datetime("us"), pl.Datetime("ms")),
)
GIVEN_UP = "Spark gave the job up, and nothing is released; its log says why."
EVERY = 1.0  # seconds between two looks at how far the job is


@dataclass(frozen=True)
class SparkEngine:
    """Executors that all see the files of the source and of the target."""

    session: SparkSession
    name: str = "spark"

    def frame(self, pieces: Sequence[Piece], columns: Sequence[str]) -> nw.LazyFrame[Any] | None:
        """Records as a lazy frame; None where Spark could not read the files, or not as they are."""
        if not _plain_files([piece.path for piece in pieces]):
            return None
        paths = list(dict.fromkeys(f"file://{piece.path}" for piece in pieces))
        return nw.from_native(self.session.read.parquet(*paths)).select(columns)

    def shards(
        self,
        pieces: Sequence[Piece],
        columns: Sequence[str],
        key: ShardKey,
        function: ShardFunction,
        folder: Path,
        done: Done,
    ) -> list[Path]:
        """One new file for every shard."""
        pack, treat = Pack(list(columns), key), Treat(function, folder)

        def packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for piece in (row for batch in batches for row in batch.column(0).to_pylist()):
                for shard, rows in pack(pickle.loads(piece)):
                    yield pa.RecordBatch.from_pydict({SHARD: pa.array([shard], pa.int32()), ROWS: [rows]})

        def answered(messages: pa.Table) -> pa.Table:
            return pa.table({"answer": [treat(messages[SHARD][0].as_py(), messages[ROWS].to_pylist())]})

        rows = [(pickle.dumps(piece),) for piece in pieces]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # about pandas, which is not used here
            asked = self.session.createDataFrame(rows, "piece binary").repartition(len(pieces))
            moved = asked.mapInArrow(packed, f"{SHARD} int, {ROWS} binary")
            # said aloud, so that Spark does not make one partition of many small ones
            shards = moved.repartition(2 * len(pieces), SHARD).groupBy(SHARD)
            answers = shards.applyInArrow(answered, "answer binary")
        self._finished(answers, folder, done)
        return sorted(folder.glob("*.parquet"))

    def _finished(self, answers: Any, folder: Path, done: Done) -> None:
        """Wait for the answers; the files that are there by then say how far the job is."""
        told: set[Path] = set()
        with ThreadPoolExecutor(1) as thread:
            collected = thread.submit(answers.collect)
            try:
                while not wait([collected], EVERY).done:
                    _tell(folder, told, done)
            except BaseException:  # stopped
                self.session.interruptAll()
                raise
        try:
            answers = collected.result()
        except Exception as error:  # of pyspark or py4j, with pages of the log
            raise ShardFailed(_why(str(error))) from None
        for row in answers:
            treated(bytes(row.answer))
        _tell(folder, told, done)


def _why(log: str) -> str:
    """The sentence of a shard that failed, or what else can be said.

    >>> _why("org.apache.spark: ... ModuleNotFoundError: No module named 'shoal'")[:31]
    "Spark's workers have no shoal; "
    """
    if said := re.search(r"ShardFailed: ([^\n]*)", log):
        return said[1]
    if said := re.search(r"No module named '([\w.]+)'|PYTHON_VERSION_MISMATCH", log):
        what = f"have no {said[1]}" if said[1] else "have another Python"
        return f"Spark's workers {what}; set PYSPARK_PYTHON to one with shoal before the session starts."
    return GIVEN_UP


def _tell(folder: Path, told: set[Path], done: Done) -> None:
    """Count the records of files that are new since the last look."""
    for path in set(folder.glob("*.parquet")) - told:
        told.add(path)
        done(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def _plain_files(paths: Sequence[Path]) -> bool:
    """Whether Spark reads all columns and takes no name for a pattern, a path or a hidden file.

    It refuses times and nanoseconds, even in columns nobody asked for, and knows no upper and lower case.
    """
    schema = pl.scan_parquet(paths[0], glob=False).collect_schema()
    types = all(dtype in PLAIN for dtype in schema.values())
    names = len({name.casefold() for name in schema}) == len(schema) and not re.search(
        r"[.`*]", "".join(schema)
    )
    files = not any(re.match(r"[._]", path.name) or re.search(r"[\[\]{}*?\\]", str(path)) for path in paths)
    return types and names and files


@contextmanager
def opened(scheduler: str | None, memory: int, folder: Path) -> Iterator[SparkEngine]:
    """The session that is active, the master at that address, or threads here that end with the job."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    active = SparkSession.getActiveSession() if scheduler is None else None
    session = active or started_session(scheduler or LOCAL, memory, folder)
    try:
        yield SparkEngine(session)
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
            raise
        raise ShardFailed(GIVEN_UP) from None  # without the pages of its log
    finally:
        if active is None:
            with suppress(Exception):  # it may have ended itself
                session.stop()
