"""The text of a network file, with a sentence where its encoding had to be guessed."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import InvalidInput
from shoal.graph.tidy_edges import say
from shoal.io.csv_detect import decode_file

GUESSED = "cp1252"  # nearly every byte is a letter there, so that it fits texts it was not written in


def network_text(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """The text of a file (unpacked if packed) and its encoding, detected unless given.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "friends.txt"
    >>> _ = path.write_text("ana pau")
    >>> network_text(path)
    ('ana pau', 'utf-8')
    """
    if not path.stat().st_size:
        raise InvalidInput(f"{path.name} is empty; a network needs at least two users who are connected.")
    text, found = decode_file(path, encoding)
    if encoding is None and found == GUESSED:
        say(
            f"{path.name} is not UTF-8 and is read as {GUESSED} (Western Europe); if names look wrong, give "
            "its encoding (--encoding), for example 'cp1251'."
        )
    return text, found
