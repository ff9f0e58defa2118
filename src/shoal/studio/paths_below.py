"""Paths of files below the start folder; nothing outside it is shown, read or written."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from shoal.errors import InvalidInput
from shoal.io.formats import extension

PROJECT = ".shoal"  # ending of a project folder
MOST_ENTRIES = 500  # entries of a folder that are shown


def folder_of(source: Path) -> Path:
    """Where the project of a file lies: beside it.

    >>> folder_of(Path("data/people.csv")).name
    'people.shoal'
    """
    return source.with_name(f"{source.name.split('.')[0] or 'file'}{PROJECT}")


def below(root: Path, name: str) -> Path:
    """The path of that name if it lies below the folder, links followed.

    >>> import tempfile
    >>> below(Path(tempfile.mkdtemp()), "../etc/passwd")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: Only files below the folder the studio was started in are open to it.
    """
    try:
        path = (root / name).resolve()
        path.exists()  # a name that is too long is refused here
    except (OSError, ValueError, RuntimeError):
        raise InvalidInput("This is no name of a file.") from None
    if not path.is_relative_to(root.resolve()):
        raise InvalidInput("Only files below the folder the studio was started in are open to it.")
    return path


def entries(root: Path, folder: str) -> tuple[list[str], list[str]]:
    """Folders and readable files in a folder, named from the start folder; no hidden ones, no links out."""
    place = below(root, folder)
    if not place.is_dir():
        raise InvalidInput("There is no such folder.")
    folders, files = [], []
    for path in sorted(place.iterdir(), key=lambda one: one.name.lower())[:MOST_ENTRIES]:
        if path.name.startswith(".") or not path.resolve().is_relative_to(root.resolve()):
            continue
        name = str(path.relative_to(root.resolve()) if path.is_relative_to(root.resolve()) else path.name)
        if path.is_dir():
            folders += [] if path.suffix == PROJECT else [name]
        elif readable(path) or is_project(path):
            files.append(name)
    return folders, files


def is_project(path: Path) -> bool:
    """Whether a .toml file names tables, as a project of linked ones does."""
    if path.suffix != ".toml" or not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8") as lines:
            return any(line.strip() == "[[tables]]" for line in islice(lines, MOST_ENTRIES))
    except (OSError, UnicodeDecodeError):
        return False


def readable(path: Path) -> bool:
    """Whether the name of a file ends as one that can be read.

    >>> readable(Path("people.csv")), readable(Path("people.exe"))
    (True, False)
    """
    try:
        return bool(extension(path))
    except InvalidInput:
        return False
