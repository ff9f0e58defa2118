"""A start without a terminal: a file to double-click, for Linux, Windows and macOS."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from shoal.errors import InvalidInput
from shoal.io.atomic import whole_file

START = "from shoal.cli import main; main()"  # the `shoal` command need not be on the path
NAMES = {"linux": "shoal studio.desktop", "win32": "shoal studio.bat", "darwin": "shoal studio.command"}


def write_shortcut(folder: Path, start: Path, *, system: str = sys.platform, overwrite: bool = False) -> Path:
    """Write a file that starts the studio when it is double-clicked.

    Parameters
    ----------
    folder
        Where to put it: the desktop, as a rule.
    start
        The folder (or file) the studio opens.
    system
        "linux", "win32" or "darwin"; this machine if not given.
    overwrite
        Whether a shortcut that is there may be replaced.

    Examples
    --------
    >>> import tempfile
    >>> here = Path(tempfile.mkdtemp())
    >>> write_shortcut(here, here, system="linux").name
    'shoal studio.desktop'
    """
    system = "linux" if system not in NAMES else system
    if not folder.is_dir():
        raise InvalidInput(
            f"There is no folder {folder.name!r} to put the shortcut in; name one that is there."
        )
    target = folder / NAMES[system]
    with whole_file(target, overwrite, mode=0o755) as part:  # whoever clicks it must be allowed to run it
        part.write_text(shortcut_text(start.resolve(), system), encoding="utf-8", newline="")
    return target


def shortcut_text(start: Path, system: str, python: str = sys.executable) -> str:
    """What stands in the file: it starts this very Python, wherever it is clicked.

    >>> print(shortcut_text(Path("/home/ana/my data"), "darwin", "/usr/bin/python3").splitlines()[1])
    exec /usr/bin/python3 -c 'from shoal.cli import main; main()' studio '/home/ana/my data'
    """
    if any(letter in f"{start}{python}" for letter in "\n\r"):
        raise InvalidInput("A folder whose name has a line break cannot stand in a shortcut; rename it.")
    called = (python, "-c", START, "studio", str(start))
    if system == "win32":
        words = " ".join(f'"{word}"' for word in called)
        return f"@echo off\r\nchcp 65001 >nul\r\n{words.replace('%', '%%')}\r\npause\r\n"
    if system == "darwin":
        return f"#!/bin/sh\nexec {shlex.join(called)}\n"
    words = " ".join(map(_desktop_word, called))
    lines = ["[Desktop Entry]", "Type=Application", "Name=shoal studio", f"Exec={words}", "Terminal=true"]
    return "\n".join([*lines, "Categories=Science;Office;", ""])


def _desktop_word(word: str) -> str:
    """A word of an Exec line, quoted as the Desktop Entry Specification asks, field codes doubled.

    >>> print(_desktop_word("a b%"))
    "a b%%"
    """
    quoted = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    return f'"{quoted}"'.replace("\\", "\\\\").replace("%", "%%")
