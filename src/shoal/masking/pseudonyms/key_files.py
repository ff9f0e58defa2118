"""Files that hold secrets: keys of pseudonyms and key tables, readable by their owner only."""

from __future__ import annotations

import csv
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TextIO

from shoal.errors import InvalidInput

KEY_BYTES = 32  # 256 bits, the size of the hash


def write_key(path: str | PathLike[str]) -> Path:
    """Make a new random key of 32 bytes in a file that only its owner can read; never over another.

    Examples
    --------
    >>> import tempfile
    >>> file = write_key(Path(tempfile.mkdtemp()) / "pseudonyms.key")
    >>> len(read_key(file))
    32
    """
    path = Path(path)
    _write_private(path, secrets.token_hex(KEY_BYTES) + "\n")
    return path


def read_key(path: str | PathLike[str]) -> bytes:
    """The key in a file: 64 hexadecimal digits as `write_key` makes them, or any text of 16 bytes or more.

    A file that others than its owner may read is refused, where the system can tell.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "pseudonyms.key"
    >>> _write_private(file, "a long and secret sentence")
    >>> read_key(file)
    b'a long and secret sentence'
    """
    path = Path(path)
    text = _read_private(path).strip()
    try:
        return bytes.fromhex(text) if len(text) == 2 * KEY_BYTES else text.encode()
    except ValueError:
        return text.encode()


def write_key_table(path: str | PathLike[str], keys: Mapping[str, int]) -> Path:
    """Write whose number is whose as csv, readable by its owner only; never over another file.

    Examples
    --------
    >>> import tempfile
    >>> file = write_key_table(Path(tempfile.mkdtemp()) / "who.csv", {"ana": 7})
    >>> read_key_table(file)
    {'ana': 7}
    """
    path = Path(path)
    with _private(path) as stream:
        writer = csv.writer(stream)
        writer.writerow(["value", "number"])
        writer.writerows(keys.items())
    return path


def read_key_table(path: str | PathLike[str]) -> dict[str, int]:
    """The key table in a file of `write_key_table`.

    Examples
    --------
    >>> import tempfile
    >>> read_key_table(write_key_table(Path(tempfile.mkdtemp()) / "who.csv", {"pau": 3}))
    {'pau': 3}
    """
    path = Path(path)
    rows = list(csv.reader(_read_private(path).splitlines()))
    try:
        return {value: int(number) for value, number in rows[1:]}
    except ValueError as error:
        raise InvalidInput(
            f"The key table {path.name!r} needs two columns, value and number; give one that shoal wrote."
        ) from error


@contextmanager
def _private(path: Path) -> Iterator[TextIO]:
    """A new file only its owner can read; gone again if it cannot be written whole."""
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError as error:
        raise InvalidInput(
            f"The file {path.name!r} exists already; a key is never written over another."
        ) from error
    except OSError as error:
        raise InvalidInput(f"The file {path.name!r} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            yield stream
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _write_private(path: Path, text: str) -> None:
    with _private(path) as stream:
        stream.write(text)


def _read_private(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The key file {path.name!r} is not text; make one with write_key.") from error
    except OSError as error:
        raise InvalidInput(f"The key file {path.name!r} cannot be read: {error.strerror}.") from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise InvalidInput(
            f"The key file {path.name!r} can be read by others; write `chmod 600 {path.name}` first."
        )
    return text
