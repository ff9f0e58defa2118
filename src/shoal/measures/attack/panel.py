"""attack: a panel of intruders is run against a release, each against a coin of the same knowledge."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal._check import check_choice, check_names
from shoal._door import takes_frames
from shoal._once import shared_work
from shoal._shared.display import Shown
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.attack import ATTACKS
from shoal.measures.attack.scene import Finding, Intruder, Scene
from shoal.measures.column_covers import unread_cells
from shoal.measures.compared_columns import intruder_columns
from shoal.measures.row_order import Rows, row_doubts
from shoal.table import Table
from shoal.types import Callback, Progress, RandomState


@dataclass(frozen=True, repr=False)
class Panel(Shown):
    """What every intruder found, and why others were not run; `warnings` are doubts about the two files."""

    findings: tuple[Finding, ...]
    not_run: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def strongest(self) -> Finding | None:
        """The intruder that gained most over its coin, if any gained more than chance."""
        found = [finding for finding in self.findings if finding.found]
        return max(found, key=lambda finding: finding.excess, default=None)

    @property
    def sentence(self) -> str:
        """The worst finding in one line, for a report."""
        if self.strongest is not None:
            return f"The strongest of {len(self.findings)} intruders: {self.strongest.sentence}"
        return f"None of {len(self.findings)} intruders that were run found more than chance would."

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        return {
            "sentence": self.sentence,
            "strongest": None if self.strongest is None else self.strongest.intruder,
            "findings": [finding.to_dict() for finding in self.findings],
            "not_run": dict(self.not_run),
            "warnings": list(self.warnings),
        }

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """(intruder, guesses, success, coin, worst case) of every one that was run."""
        return [
            (f.title, f.guesses, f"{100 * f.success:.1f}", f"{100 * f.baseline:.1f}", f.worst)
            for f in self.findings
        ]

    def __str__(self) -> str:
        lines = [self.sentence, *(finding.sentence for finding in self.findings)]
        lines += [f"not run: {name}: {why}" for name, why in self.not_run.items()]
        return "\n".join(lines + [f"warning: {doubt}" for doubt in self.warnings])

    __repr__ = __str__


@takes_frames
@shared_work()
def attack(
    original: Table,
    masked: Table,
    *,
    other: Table | None = None,
    written: Table | None = None,
    matrices: Mapping[str, Any] | None = None,
    intruders: Iterable[Intruder] | None = None,
    rows: Rows = "trusted",
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Panel:
    """Run a panel of intruders against a release and say what each of them really finds.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position (attack before `write_table` shuffles them).
    other
        Another release of the same persons in the same order, such as last year's.
    written
        The released file as it was written: whether its row order tells.
    matrices
        Published PRAM matrices, by column: original category to released category to chance.
    intruders
        The intruders to run; all of the menu `ATTACKS` if not given.
    rows
        "trusted": row i of both files is one record; "checked": files whose rows seem shuffled are refused.
    columns
        The columns the intruders know; the quasi-identifiers and strata if not given (all but identifiers if
        there are none), never confidential ones.
    rng
        Seed or generator of coins and folds.
    callback
        Called with `Progress` before every intruder; returning True leaves out the rest.

    Returns
    -------
    Panel
        `.sentence` is the worst finding in one line, `.findings` has every intruder with its success, its
        coin's and its worst case (row positions); who lacks what it needs is in `.not_run`.

    Notes
    -----
    Every success is compared with that of a coin of the same knowledge; only what is more than three standard
    errors above it counts as found. 30,000 records of 8 columns take about 20 s, most of it for
    `attribute_inference`, which needs scikit-learn (extra `attack`).

    References
    ----------
    Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data,
    PoPETs (2023), for intruders measured against a baseline.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 25, 40, 41], "ill": ["a", "b", "a", "b"]}, roles={"quasi": "age"})
    >>> [finding.intruder for finding in attack(table, table, rng=1).findings if finding.success == 1]
    ['nearest_record', 'specific_cover', 'probabilistic_link', 'singling_out']
    """
    check_choice("rows", rows, ("trusted", "checked"))
    confidential = tuple(n for n in original.names(role="confidential") if n in masked.names())
    keys = tuple(n for n in intruder_columns(original, masked, columns) if n not in confidential)
    if not keys:
        raise InvalidInput("Every column the intruders know is confidential; name some with `columns`.")
    check_names(matrices or (), original.names())
    doubts = row_doubts(original, masked, keys)
    if doubts and rows == "checked":
        raise InvalidInput(doubts[0])
    scene = Scene(
        original, masked, keys, confidential, other, written, matrices or {}, np.random.default_rng(rng)
    )
    doubts += unread_cells(original, masked, keys)
    return _run(scene, list(ATTACKS if intruders is None else intruders), tuple(doubts), callback)


def _run(
    scene: Scene, intruders: list[Intruder], doubts: tuple[str, ...], callback: Callback | None
) -> Panel:
    findings, not_run, stopped = [], {}, False
    for position, intruder in enumerate(intruders):
        name = intruder.__name__
        stopped = stopped or (
            callback is not None
            and callback(Progress(position / len(intruders), name.replace("_", " "))) is True
        )
        if stopped:
            not_run[name] = "The panel was stopped before."
            continue
        try:
            findings.append(intruder(scene))
        except NotApplicable as reason:
            not_run[name] = str(reason)
    if callback is not None and not stopped:
        callback(Progress(1.0, "done"))
    return Panel(tuple(findings), not_run, doubts)
