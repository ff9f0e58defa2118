"""What the engines of a cluster move: records in packed messages, so that no engine's types change a value.

A message holds the records of one piece that go to one shard, as compressed Arrow; the engine sees its shard
and bytes. Polars has more types than Spark or pandas (unsigned and short numbers, categories, nanoseconds),
and all of them arrive as they left.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.distributed.engines.engine import Piece, ShardFailed, ShardFunction, run_shard
from shoal.distributed.shards.shard_keys import KEY, ShardKey
from shoal.errors import ShoalError

SHARD, ROWS = "shard", "rows"


@dataclass(frozen=True)
class Pack:
    """The messages of a piece; the first half of every job, done where the piece is read."""

    columns: Sequence[str]
    key: ShardKey

    def __call__(self, piece: Piece) -> Iterator[tuple[int, bytes]]:
        """Shard and packed records."""
        frame = piece.read(self.columns)
        parts = frame.with_columns(self.key(frame)).partition_by(KEY, as_dict=True, include_key=False)
        for (shard,), part in parts.items():
            message = io.BytesIO()
            part.write_ipc(message, compression="lz4")
            yield int(shard), message.getvalue()


@dataclass(frozen=True)
class Treat:
    """The second half: all messages of a shard to one function, and its file."""

    function: ShardFunction
    folder: Path

    def __call__(self, shard: int, messages: Iterable[bytes]) -> bytes:
        """How many records were treated, or the sentence why not: packed, for the one who asked.

        A sentence of shoal is an answer: the engine must not try the shard again in the hope of another.
        """
        frame = pl.concat([pl.read_ipc(io.BytesIO(message)) for message in messages])
        try:
            return pickle.dumps(run_shard(self.function, int(shard), frame, self.folder))
        except ShardFailed:  # another try may go well
            raise
        except ShoalError as error:
            return pickle.dumps(error)


def treated(answer: bytes) -> int:
    """The number of records of a shard that is done; what went wrong there is raised here.

    >>> treated(pickle.dumps(7))
    7
    """
    found = pickle.loads(answer)  # written by Treat, on a worker of ours
    if isinstance(found, ShoalError):
        raise found
    return int(found)
