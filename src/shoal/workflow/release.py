"""Release: evaluate a masked table, write it, and count k once more on the written file."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.errors import InputWarning
from shoal.io import Address, detect_csv, is_csv, read_table, write_table
from shoal.measures.evaluate import Evaluation, evaluate
from shoal.measures.risk.k_anonymity import anonymity_level
from shoal.table import Table
from shoal.types import Callback, RandomState


@dataclass(frozen=True)
class Target:
    """Where a file is written, and how: by default shuffled, without identifiers, over nothing."""

    path: Path | Address | None = None
    identifiers: bool = False
    shuffle: bool = True
    overwrite: bool = False
    like: Path | Address | None = None  # a file is written the way this one is


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
    write_table(
        masked,
        target.path,
        like=target.like if isinstance(target.like, Path) else None,
        identifiers=target.identifiers,
        shuffle=target.shuffle,
        overwrite=target.overwrite,
        rng=rng,
    )
    return Released(result, _count_again(masked, target.path, _dialect(target)), k, len(masked))


def facts_of(result: Evaluation, reached: int | None, k: int | None) -> dict[str, Any]:
    """An evaluation as plain facts, with the k that was reached and whether it is the one promised."""
    promised = {} if k is None else {"k_promised": k, "k_reached": (reached or 0) >= k}
    return result.to_dict() | {"k": reached} | promised


def _count_again(masked: Table, path: Path | Address, dialect: dict[str, Any]) -> int | None:
    """k of the written file, read back as anybody would read it."""
    quasi = masked.names(role="quasi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # said when the original was read
        return anonymity_level(read_table(path, **dialect), columns=quasi) if quasi else None


def _dialect(target: Target) -> dict[str, Any]:
    """How a csv was written: the way the input is."""
    path, like = target.path, target.like
    if not (isinstance(path, Path) and isinstance(like, Path)) or not (is_csv(like) and is_csv(path)):
        return {}
    found = detect_csv(like)
    return {"separator": found.separator, "decimal": found.decimal, "encoding": found.encoding}
