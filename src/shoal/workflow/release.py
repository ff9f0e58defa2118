"""Release: evaluate a masked table, write it, and count k once more on the written file."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.errors import InputWarning
from shoal.io import detect_csv, is_csv, read_table, write_table
from shoal.measures.evaluate import Evaluation, evaluate
from shoal.measures.risk.k_anonymity import anonymity_level
from shoal.table import Table
from shoal.types import Callback, RandomState


@dataclass(frozen=True)
class Target:
    """Where a file is written, and how: by default shuffled, without identifiers, over nothing."""

    path: Path | None = None
    identifiers: bool = False
    shuffle: bool = True
    overwrite: bool = False
    like: Path | None = None  # a csv is written with the marks of this one


@dataclass(frozen=True)
class Released:
    """What was measured, how many records look alike in what was written, and how many were promised."""

    evaluation: Evaluation
    reached: int | None
    promised: int | None
    records: int

    def to_dict(self) -> dict[str, Any]:
        """The evaluation as plain facts, with whether the promise was kept."""
        return facts_of(self.evaluation, self.reached, self.promised)


def release(
    original: Table,
    masked: Table,
    target: Target,
    *,
    k: int | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Released:
    """Evaluate a masked table, write it if there is a path, and count k on the written file.

    >>> from shoal import as_table
    >>> people = as_table({"age": [30, 30, 40, 40]}, roles={"quasi": ["age"]})
    >>> release(people, people, Target(), k=2).reached
    2
    """
    result = evaluate(original, masked, callback=callback)
    if target.path is None:
        return Released(result, result.k, k, len(masked))
    dialect = _dialect(target)
    write_table(
        masked,
        target.path,
        **dialect,
        identifiers=target.identifiers,
        shuffle=target.shuffle,
        overwrite=target.overwrite,
        rng=rng,
    )
    return Released(result, _count_again(masked, target.path, dialect), k, len(masked))


def facts_of(result: Evaluation, reached: int | None, k: int | None) -> dict[str, Any]:
    """An evaluation as plain facts, with the k that was reached and whether it is the one promised."""
    promised = {} if k is None else {"k_promised": k, "k_reached": (reached or 0) >= k}
    return result.to_dict() | {"k": reached} | promised


def _count_again(masked: Table, path: Path, dialect: dict[str, Any]) -> int | None:
    """k of the written file, read back as anybody would read it."""
    quasi = masked.names(role="quasi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # said when the original was read
        return anonymity_level(read_table(path, **dialect), columns=quasi) if quasi else None


def _dialect(target: Target) -> dict[str, Any]:
    """A csv is written the way the input was."""
    if target.path is None or target.like is None or not (is_csv(target.like) and is_csv(target.path)):
        return {}
    found = detect_csv(target.like)
    return {"separator": found.separator, "decimal": found.decimal}
