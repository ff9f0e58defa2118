"""Released files under other names until their promise was counted; then they get their place in one step."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from shoal.distributed.sources.database_files import gathered
from shoal.distributed.sources.source_files import SourceFiles, source_files
from shoal.errors import InvalidInput
from shoal.io import Address, source_of
from shoal.io.csv_detect import header_names
from shoal.io.database import check_new_table, drafted_table

ONE_FILE = (".parquet", ".csv")


def target_of(target: str | os.PathLike[str] | Address, into: str | None) -> Path | Address:
    """A folder or a file, absolute; or the new table of a database.

    >>> target_of("postgresql:///register", "safe")
    postgresql:///register table safe
    """
    place = source_of(target, into)
    return place if isinstance(place, Address) else place.absolute()


def check_target(target: Path | Address, inputs: Sequence[Path]) -> None:
    """Refuse, before long work, a target that exists, has no folder to lie in, or lies among the sources."""
    if isinstance(target, Address):
        check_new_table(target)
        return
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


def folder_beside(target: Path | Address) -> Path:
    """Where the work folder of a job with this target lies."""
    path = target.path if isinstance(target, Address) else target
    return Path(tempfile.gettempdir()) if path is None else path.absolute().parent


def check_storable(target: Path | Address, frame: pl.DataFrame) -> None:
    """Refuse, before long work, columns that a database cannot store: some records are written and undone.

    And names that would be others when a csv is read again.
    """
    if not isinstance(target, Address) and target.suffix.lower() == ".csv":
        header = frame.clear().write_csv()
        changed = set(frame.columns) - set(header_names(header, ","))
        if changed:
            raise InvalidInput(
                f"Column {min(changed)!r} is another when it is read back from csv; rename it, or write "
                ".parquet."
            )
    elif isinstance(target, Address):
        with suppress(_Undone), drafted_table(target) as table:
            table.write(frame, {})
            raise _Undone


class _Undone(Exception):
    """The table was tried, and is not meant to stay."""


@contextmanager
def drafted_files(target: Path | Address, shards: Sequence[Path], work: Path) -> Iterator[SourceFiles]:
    """The shards as one folder, file or table, that becomes the target when the block ends well."""
    if isinstance(target, Address):
        with _drafted_table(target, shards, work) as written:
            yield written
    else:
        with _drafted_paths(target, shards, work) as written:
            yield written


@contextmanager
def _drafted_table(target: Address, shards: Sequence[Path], work: Path) -> Iterator[SourceFiles]:
    """One transaction; what it shows of the table is read back, to be counted."""
    answer = work / "table"
    shutil.rmtree(answer, ignore_errors=True)
    answer.mkdir()
    with drafted_table(target) as table:
        table.write(pl.read_parquet(shards[0], glob=False), {})
        for shard in shards[1:]:
            table.append(pl.read_parquet(shard, glob=False))
        yield gathered(table.batches(), answer)


@contextmanager
def _drafted_paths(target: Path, shards: Sequence[Path], work: Path) -> Iterator[SourceFiles]:
    if target.suffix.lower() in ONE_FILE:
        draft = work / f"draft{target.suffix.lower()}"
        frame = pl.scan_parquet(list(shards), glob=False)
        if draft.suffix == ".csv":
            frame.sink_csv(draft)
        else:
            frame.sink_parquet(draft)
    else:
        draft = work / "draft"
        draft.mkdir(exist_ok=True)  # a job that is gone on with may have named some of them
        for shard in shards:
            if shard.exists():
                os.rename(shard, draft / f"part-{secrets.token_hex(8)}.parquet")
    yield source_files(draft)
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
