"""What a job keeps in its work folder: killed, it can be gone on with from the last shard that was done."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from shoal.distributed.sources.source_files import SourceFiles
from shoal.io import Address
from shoal.workflow.recipe import Recipe

Made = TypeVar("Made")


def kept(folder: Path, name: str, make: Callable[[], Made]) -> Made:
    """What `make` gives, or what it gave when an earlier try of this job came here.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept(Path(folder), "a", lambda: 1), kept(Path(folder), "a", lambda: 2)
    (1, 1)
    """
    path = folder / f"{name}.pickle"
    if path.exists():
        found: Made = pickle.loads(path.read_bytes())  # the folder is its owner's alone, which was checked
        return found
    made = make()
    draft = path.with_suffix(".tmp")
    draft.write_bytes(pickle.dumps(made))
    os.replace(draft, path)
    return made


def same_job(recipe: Recipe, source: SourceFiles | Address, target: Path | Address, linkage: bool) -> str:
    """A mark that is the same for the same job on the same source; engine and memory may be others.

    >>> recipe = Recipe("r", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])
    >>> mark = same_job(recipe, Address("sqlite", "a.db"), Path("out"), False)
    >>> mark == same_job(recipe, Address("sqlite", "b.db"), Path("out"), False)
    False
    """
    if isinstance(source, SourceFiles):
        facts = [(str(path.absolute()), path.stat()) for path in source.paths]
        files = repr([(name, stat.st_size, stat.st_mtime_ns) for name, stat in facts])
    else:
        files = repr((source, source.query))  # without user and password
    versions = [version(name) for name in ("shoal", "polars", "numpy")]
    steps = json.dumps(recipe.to_dict(), default=lambda value: _mark(pickle.dumps(value)))
    return _mark(repr((steps, files, str(target), linkage, versions)).encode())


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
