"""Dask: a few machines, or the processes of one; its shuffle brings the records of a shard together."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

from distributed import CancelledError, Client, KilledWorker, LocalCluster, as_completed, default_client
from shoal.distributed.engines.engine import Done, Piece, ShardFailed, ShardFunction
from shoal.distributed.engines.packed_rows import ROWS, SHARD, Pack, Treat, treated
from shoal.distributed.shards.shard_keys import ShardKey
from shoal.errors import InvalidInput

WORKERS = 2  # processes of a local cluster, where nobody has started another
SAME = ("shoal", "polars")  # libraries of one version everywhere
BYTES = pd.ArrowDtype(pa.large_binary())


@dataclass(frozen=True)
class DaskEngine:
    """Workers that all see the files of the source and of the target."""

    client: Client
    name: str = "dask"

    def frame(self, pieces: Sequence[Piece], columns: Sequence[str]) -> None:
        """Not here: Dask's group-by refuses several keys with gaps, and counts a value once a partition."""

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
        packed = dd.from_map(partial(_packed, Pack(columns, key)), pieces, meta=_messages(()))
        moved = packed.shuffle(SHARD, npartitions=2 * len(pieces))
        answers = moved.map_partitions(partial(_answers, Treat(function, folder)), meta=_answers(None, None))
        futures = self.client.compute(answers.to_delayed())
        try:
            for _, part in as_completed(futures, with_results=True):
                if isinstance(part, CancelledError):
                    raise ShardFailed("The scheduler of Dask was lost; nothing is released, try again.")
                for answer in part["answer"]:
                    done(treated(answer))
        except KilledWorker:
            raise ShardFailed(
                "Workers were killed again and again at one part; give them more memory."
            ) from None
        finally:
            self.client.cancel(futures)
        return sorted(folder.glob("*.parquet"))


@contextmanager
def opened(scheduler: str | None, memory: int, folder: Path) -> Iterator[DaskEngine]:
    """The scheduler at that address, the client that is active, or processes here that end with the job."""
    if scheduler is not None:
        with _client_of(scheduler) as client:
            check_versions(client)
            yield DaskEngine(client)
        return
    try:
        active = default_client()
    except ValueError:
        active = None
    if active is not None:
        check_versions(active)
        yield DaskEngine(active)
        return
    with (
        LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            memory_limit=memory // WORKERS,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            local_directory=str(folder),
        ) as cluster,
        Client(cluster) as client,
    ):
        yield DaskEngine(client)


def _client_of(scheduler: str) -> Client:
    try:
        return Client(scheduler)
    except (OSError, ValueError):
        raise InvalidInput(
            f"Dask cannot be reached at {scheduler}; is its scheduler running, and is that its address?"
        ) from None


def check_versions(client: Client) -> None:
    """Workers without shoal would end one after the other, and the job wait for others in silence."""
    specs = {"its scheduler": client.run_on_scheduler(find_spec, "shoal")}
    specs |= client.run(find_spec, "shoal", on_error="ignore")
    if lacking := [place for place, spec in specs.items() if spec is None]:
        raise InvalidInput(f"Dask has no shoal at {lacking[0]}; install the version that is here.")
    found: Any = client.get_versions(packages=list(SAME))
    here = found["client"]["packages"]
    for place, own in found["workers"].items():
        for name in SAME:
            there = own["packages"].get(name)
            if there and here[name] and there != here[name]:
                raise InvalidInput(
                    f"Dask has {name} {there} at {place}, and here it is {here[name]}: the records could "
                    "differ; install the same version."
                )


def _packed(pack: Pack, piece: Piece) -> pd.DataFrame:
    return _messages(pack(piece))


def _messages(messages: Any) -> pd.DataFrame:
    found = list(messages)
    shards = pd.Series([shard for shard, _ in found], dtype="int64")
    return pd.DataFrame({SHARD: shards, ROWS: pd.Series([rows for _, rows in found], dtype=BYTES)})


def _answers(treat: Treat | None, part: pd.DataFrame | None) -> pd.DataFrame:
    """What became of the shards of one partition; it may hold none."""
    found = (
        []
        if treat is None or part is None
        else [treat(shard, own[ROWS]) for shard, own in part.groupby(SHARD)]
    )
    return pd.DataFrame({"answer": pd.Series(found, dtype=BYTES)})
