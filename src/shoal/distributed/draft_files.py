"""Released files under other names until their promise was counted; then they get their place in one step."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from shoal.errors import InvalidInput

ONE_FILE = (".parquet", ".csv")


def check_target(target: Path, inputs: Sequence[Path]) -> None:
    """Refuse, before long work, a target that exists, has no folder to lie in, or lies among the sources."""
    if os.path.lexists(target):
        raise InvalidInput(f"{target} exists already; files larger than memory are never overwritten.")
    if not target.parent.is_dir():
        raise InvalidInput(f"The folder {target.parent} does not exist; create it first.")
    if target.suffix and target.suffix.lower() not in ONE_FILE:
        raise InvalidInput(f"{target.name} must be a folder, or one file .parquet or .csv.")
    if not os.access(target.parent, os.W_OK):
        raise InvalidInput(f"Nothing may be written in {target.parent}; ask its owner for permission.")
    here = os.path.realpath(target)
    if any(os.path.realpath(path.parent) == here for path in inputs):
        raise InvalidInput(f"{target} holds files that are read; give another folder.")


@contextmanager
def drafted_files(target: Path, shards: Sequence[Path], work: Path) -> Iterator[Path]:
    """The shards as one folder, or one file, that becomes the target when the block ends well."""
    if target.suffix.lower() in ONE_FILE:
        draft = work / f"draft{target.suffix.lower()}"
        frame = pl.scan_parquet(list(shards), glob=False)
        if draft.suffix == ".csv":
            frame.sink_csv(draft)
        else:
            frame.sink_parquet(draft)
        for shard in shards:
            shard.unlink()
    else:
        draft = work / "draft"
        draft.mkdir()
        for shard in shards:
            os.rename(shard, draft / f"part-{secrets.token_hex(8)}.parquet")
    yield draft
    _readable(draft)
    if os.path.lexists(target):
        raise InvalidInput(f"{target} exists by now; nothing was written.")
    os.rename(draft, target)


def _readable(draft: Path) -> None:
    """The usual rights in place of those of the work folder."""
    umask = os.umask(0o077)
    os.umask(umask)
    for path in draft.iterdir() if draft.is_dir() else [draft]:
        path.chmod(0o666 & ~umask)
    if draft.is_dir():
        draft.chmod(0o777 & ~umask)
