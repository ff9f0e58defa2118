"""Writing a file whole or not at all."""

from __future__ import annotations

import atexit
import errno
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from shoal.errors import InvalidInput

UNFINISHED: set[Path] = set()  # temporary files of this process


@contextmanager
def whole_file(path: Path, overwrite: bool, *, mode: int | None = None) -> Iterator[Path]:
    """A temporary path next to `path`; when the block ends well it takes its place, else it is removed.

    What lies at `path` is untouched until the new file is complete and on the disk. A link is followed. While
    it is written nobody else may read it; then it gets `mode`, that of the file it replaces or the usual.
    """
    target = Path(os.path.realpath(path))
    check_target(path, overwrite)
    temporary = target.with_name(f".shoal-{secrets.token_hex(8)}.tmp")
    UNFINISHED.add(temporary)
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield temporary
        _flush(temporary)
        temporary.chmod(_mode(target, overwrite) if mode is None else mode)
        _publish(temporary, target, overwrite)
        _flush_folder(target.parent)
    except FileExistsError as error:
        raise InvalidInput(_exists(path)) from error
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InvalidInput(f"{path} could not be written: {_reason(error)}; nothing was changed.") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        UNFINISHED.discard(temporary)


@atexit.register
def _remove_unfinished() -> None:
    """What a signal left that came between the end of a block and the removal of its file."""
    for temporary in UNFINISHED:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def check_target(path: Path, overwrite: bool) -> None:
    """Refuse a folder, a missing folder and, unless asked, a file that exists."""
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; give the name of a file.")
    if not Path(os.path.realpath(path)).parent.is_dir():
        raise InvalidInput(f"The folder {path.parent} does not exist; create it first.")
    if not overwrite and os.path.lexists(path):
        raise InvalidInput(_exists(path))


def _mode(target: Path, overwrite: bool) -> int:
    """That of the file to replace, else what the system gives new files."""
    if overwrite and target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0o077)
    os.umask(umask)
    return 0o666 & ~umask


def refuse_inputs(inputs: Iterable[Path], outputs: Iterable[Path | None]) -> None:
    """Refuse an output that is a file that is read, also through links, and two outputs at one place.

    >>> refuse_inputs([Path("people.csv")], [Path("./people.csv")])
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: people.csv is an input and is never overwritten; give another name.
    """
    taken = [os.path.realpath(path) for path in inputs]
    for path in outputs:
        if path is None:
            continue
        real = os.path.realpath(path)
        if real in taken or any(_same_file(real, other) for other in taken):
            raise InvalidInput(f"{path} is an input and is never overwritten; give another name.")
    named = [os.path.realpath(path) for path in outputs if path is not None]
    if len(set(named)) < len(named):
        raise InvalidInput("Two outputs have the same name; give each its own.")


def _same_file(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _exists(path: Path) -> str:
    return f"{path} exists already; give another name or overwrite=True (--force)."


def _flush(path: Path) -> None:
    """Wait until the bytes are on the disk, so that a power cut cannot leave an empty file."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _flush_folder(folder: Path) -> None:
    """The new name on the disk too, where the system can (Windows cannot open a folder)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _publish(temporary: Path, target: Path, overwrite: bool) -> None:
    """Give the finished file its name in one step; without overwrite a name taken meanwhile is refused."""
    if overwrite:
        os.replace(temporary, target)
        return
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: reserve the name, then take it
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        try:
            os.replace(temporary, target)
        except BaseException:
            target.unlink()
            raise


def _reason(error: Exception) -> str:
    """The system's words only: a library's message could quote a value."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    full = os.strerror(errno.ENOSPC)
    return full.lower() if full in str(error) else "the file system refused"
