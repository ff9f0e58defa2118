"""shoal studio: the workbench in the browser of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.errors import InvalidInput

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def studio(
    start: Annotated[
        Path, typer.Argument(help="a file, a project (people.shoal) or a folder", metavar="[FILE|PROJECT]")
    ] = Path("."),
    port: Annotated[int, typer.Option(help="port; a free one if not given")] = 0,
    host: Annotated[
        str, typer.Option(help="only this machine: anything but 127.0.0.1 is refused")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="open the page in the browser")] = True,
    made_up: Annotated[bool, typer.Option("--made-up", help="try it with 1,000 made-up people")] = False,
    shortcut: Annotated[
        Path | None,
        typer.Option(help="write a file into this folder that starts the studio by a double click"),
    ] = None,
) -> None:
    """Open the studio: a page on this machine that shows risks, protects a file and proves the promise."""
    if host not in LOOPBACK:
        raise InvalidInput(
            "The studio serves this machine only; from another one use `ssh -L PORT:127.0.0.1:PORT HOST`."
        )
    from shoal.studio import serve

    if shortcut is not None:
        from shoal.studio.shortcut import write_shortcut

        target = write_shortcut(shortcut, existing_start(start))
        console.say(f"A double click on {target.name!r} starts the studio.")
        return
    if made_up:
        from shoal.studio.made_up import write_made_up

        start = write_made_up(existing_start(start))
    serve(start, port=port, open_browser=browser)


def existing_start(start: Path) -> Path:
    """The file or folder, if it is there.

    >>> existing_start(Path("nowhere"))
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: There is no file or folder 'nowhere'.
    """
    if not start.exists():
        raise InvalidInput(f"There is no file or folder {start.name!r}.")
    return start
