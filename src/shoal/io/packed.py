"""Files packed with gzip or zstd: what they hold, and packing what is written."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from shoal.errors import InvalidInput

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
FREE_BYTES = 256 * 10**6  # bytes that are always unpacked: fits any machine that can mask such a table
# Times its packed size that a larger file may hold: the 13 reference files hold 2.7 to 15 times, so that even
# a table 13 times as repetitive is read; what is made to fill the memory holds 1,000 times and more.
MOST_TIMES = 200
STEP = 4096  # packed bytes at once: zstd makes at most 128 MB of them, which is what a bomb may cost
PACKED = (".gz", ".zst")


def unpacked(path: Path) -> bytes:
    """The bytes of a file; its first bytes tell whether it is packed, whatever its name says."""
    raw = path.read_bytes()
    if raw.startswith(ZSTD) or (path.suffix.lower() == ".zst" and not raw.startswith(GZIP)):
        return _from_zstd(path, raw)
    if not raw.startswith(GZIP) and path.suffix.lower() != ".gz":
        return raw
    limit = max(FREE_BYTES, MOST_TIMES * len(raw))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            text = stream.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"{path.name} cannot be unpacked: it is broken or no gzip file.") from error
    return _within(path, text, limit)


def _within(path: Path, content: bytes, limit: int) -> bytes:
    """The content, if it is not far larger than any table packs: then it is made to fill the memory."""
    if len(content) > limit:
        raise InvalidInput(
            f"{path.name} unpacks to more than {limit // 10**6} MB, over {MOST_TIMES} times its size; "
            "unpack it yourself if it is meant to."
        )
    return content


def _from_zstd(path: Path, raw: bytes) -> bytes:
    """All frames of a file; one that breaks off is refused."""
    library, parts, size = _zstandard(), [], 0
    limit = max(FREE_BYTES, MOST_TIMES * len(raw))
    whole, place, frame = bool(raw), 0, None
    while place < len(raw):
        frame = frame or library.ZstdDecompressor().decompressobj()
        piece = raw[place : place + STEP]
        try:
            parts.append(frame.decompress(piece))
        except library.ZstdError:
            whole = False
            break
        size += len(parts[-1])
        if size > limit:
            return _within(path, b"".join(parts), limit)
        place += len(piece) - len(frame.unused_data)
        whole = frame.eof
        frame = None if whole else frame
    if not whole:
        raise InvalidInput(f"{path.name} cannot be unpacked: it is broken or no zstd file.")
    return b"".join(parts)


@contextmanager
def packing(stream: BinaryIO, extension: str) -> Iterator[BinaryIO]:
    """A stream that packs what is written into another, as the end of the extension says.

    Neither the name of the file nor the time is in what is written.
    """
    if extension.endswith(".gz"):
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif extension.endswith(".zst"):
        with _zstandard().ZstdCompressor().stream_writer(stream, closefd=False) as packed:
            yield packed
    else:
        yield stream


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise InvalidInput('Files packed with zstd need zstandard: pip install "shoal[files]".') from error
    return zstandard
