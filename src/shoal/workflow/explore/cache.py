"""What an exploration keeps in a folder, so that it can be gone on with: figures, never data, never a seed.

A file of figures is named by a keyed hash of the table, the recipe and the measures. The key is random,
made once for every folder and kept in it: the names tell nothing without the folder, and with it only
whether a table one already has is the one that was explored.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.io.atomic import whole_file
from shoal.measures.evaluate import Evaluation
from shoal.workflow.recipe import Recipe

KEY_FILE = "key"


def open_folder(folder: Path) -> bytes:
    """The key of the folder; both are made if they are not there, for the owner's eyes only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            handle = os.open(folder / KEY_FILE, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as stream:
                stream.write(secrets.token_bytes(32))
        key = (folder / KEY_FILE).read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"The folder {folder.name!r} cannot keep figures: {(error.strerror or 'no access').lower()}."
        ) from error
    if len(key) != 32:
        raise InvalidInput(f"The folder {folder.name!r} has a damaged key; remove the folder and start anew.")
    return key


def entry_name(table_mark: str, recipe: Recipe, described: str, version: str, key: bytes) -> str:
    """The file name for a table, what is done to it and what is measured; a recipe may change its name."""
    content = {**recipe.to_dict(), "name": ""}
    text = json.dumps([version, table_mark, content, described], sort_keys=True, default=repr)
    return hashlib.blake2b(text.encode(), key=key, digest_size=20).hexdigest() + ".json"


def store(path: Path, content: Mapping[str, Any]) -> None:
    """Write figures whole or not at all; a folder that refuses is no reason to stop."""
    with suppress(OSError, InvalidInput), whole_file(path, True, mode=0o600) as temporary:
        temporary.write_text(json.dumps(content), encoding="utf-8")


def load(path: Path) -> dict[str, Any] | None:
    """The figures kept, or None if there are none that can be read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        evaluation_from(content["evaluation"])
        float(content["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return dict(content)


def evaluation_from(content: Mapping[str, Any]) -> Evaluation:
    """The evaluation that `Evaluation.to_dict` wrote."""
    return Evaluation.from_dict(content)


def describe(value: Any) -> str:
    """A function with its frozen options as text that is the same in every run.

    >>> describe(partial(round, ndigits=[1, 2]))
    'builtins.round(ndigits=[1, 2])'
    """
    if isinstance(value, partial):
        options = [f"{name}={describe(option)}" for name, option in value.keywords.items()]
        return f"{describe(value.func)}({', '.join([*map(describe, value.args), *options])})"
    if callable(value):
        return _function_name(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {describe(option)}" for name, option in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(describe, value)) + "]"
    return repr(value)


def _function_name(function: Any) -> str:
    """Where a function lives; whatever else can be called may hold more than its name says."""
    name = f"{function.__module__}.{getattr(function, '__qualname__', type(function).__name__)}"
    if "<" in name or not (inspect.isfunction(function) or inspect.isbuiltin(function)):
        raise InvalidInput(
            f"Figures of {name} cannot be kept, since its name does not say all about it; define it with "
            "`def` at the top of a file, or explore without a folder."
        )
    return name
