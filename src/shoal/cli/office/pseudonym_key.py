"""shoal pseudonym-key: make the secret that pseudonyms rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import console
from shoal.masking import write_key


def pseudonym_key(
    file: Annotated[Path, typer.Argument(help="where to write the key; never over a file", metavar="KEY")],
) -> None:
    """Make a new random key for pseudonyms, in a file that only you can read."""
    write_key(file)
    console.say(
        f"The key is in {file}. Keep it apart from the data and do not lose it: whoever has it can tell "
        "whose pseudonym is whose, and without it next year's pseudonyms will be others."
    )
