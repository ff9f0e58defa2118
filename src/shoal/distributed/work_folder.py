"""The private folder a job works in: originals lie there, so only its owner may look, and it is removed."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from shoal.errors import InputWarning, InvalidInput

FULL = "The disk is full, and nothing was written; free some space, about three times the source."
PREFIX, LOCK, JOB = ".shoal-work-", "lock", "job"
PLAN = "plan"  # what a job keeps first: before it there is nothing to go on with


@contextmanager
def work_folder(parent: Path, job: str = "", *, resume: bool = False) -> Iterator[Path]:
    """A new folder of mode 0700 beside the target; gone when the block ends, however it ends.

    What a killed run has left there is removed first, and that is said; but what it left of the same `job` is
    gone on with if that is wanted.

    >>> import tempfile
    >>> with work_folder(Path(tempfile.mkdtemp())) as folder:
    ...     print(oct(folder.stat().st_mode & 0o777))
    0o700
    >>> folder.exists()
    False
    """
    found = _left_of(parent, job) if resume else None
    remove_left_over(parent)
    if found is None:
        folder = parent / f"{PREFIX}{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700)
        (folder / JOB).write_text(job)
        lock = _locked(folder / LOCK)
    else:
        folder, lock = found
    try:
        yield folder
    finally:
        if lock is not None:
            os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _left_of(parent: Path, job: str) -> tuple[Path, int]:
    """The folder a killed run of this job has left, and its lock; nobody else may have written there."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            facts = folder.lstat()
            user = getattr(os, "getuid", lambda: None)()  # Windows has none: no job is gone on with
            own = stat.S_ISDIR(facts.st_mode) and facts.st_uid == user and not facts.st_mode & 0o077
            if not own or (folder / JOB).read_text() != job or not (folder / f"{PLAN}.pickle").exists():
                continue
            lock = _locked(folder / LOCK)
            if lock is not None:
                return folder, lock
    raise InvalidInput(
        f"Nothing in {parent} can be gone on with: no killed job with this source, recipe and target, "
        "unchanged, has left its work there; leave --resume out to begin."
    )


@contextmanager
def full_disk_said() -> Iterator[None]:
    """A full disk as one sentence, whichever library meets it: polars has no error number for it."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        full = getattr(error, "errno", None) == errno.ENOSPC or "os error 28" in str(error).lower()
        if not full:
            raise
        raise InvalidInput(FULL) from None


def remove_left_over(parent: Path) -> None:
    """Remove work folders whose process is gone: they hold original records."""
    for folder in parent.glob(f"{PREFIX}*"):
        lock = _locked(folder / LOCK)
        if lock is None:
            continue
        resumable = " (--resume would have gone on with it)" if (folder / f"{PLAN}.pickle").exists() else ""
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)
        warnings.warn(
            f"An earlier run was killed and had left {folder.name} with original records; it is removed"
            f"{resumable}.",
            InputWarning,
            stacklevel=4,
        )


def _locked(path: Path) -> int | None:
    """A lock that ends with its process, or None where another one holds it."""
    try:
        import fcntl
    except ImportError:  # Windows: folders of killed runs are left to their owner
        return None
    with suppress(OSError):
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return None
        return handle
    return None
