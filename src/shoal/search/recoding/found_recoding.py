"""What a search for a recoding found: levels or classes, their loss, and how sure that is the least."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from shoal._shared.display import Shown
from shoal.table import Table

Scheme = Literal["global", "local"]


@dataclass(frozen=True, eq=False)
class FoundRecoding(Shown):
    """The recoding a search found and how it was found.

    `levels` names the level of every column (global recoding only), `value` is its loss, `bound` a loss that
    no recoding of this scheme goes below, `trace` has (nodes counted, best loss, bound) whenever one changed;
    `looked` has (levels, loss without suppression, loss or inf where the promise breaks) of the nodes
    counted, `shares` by column which share of the cells is at which level (local recoding only).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [1, 1]})
    >>> found = FoundRecoding("global", {"age": 0}, "gcp", 0.0, 0.0, True, 0, 1, 2, 1, (), lambda: table)
    >>> print(found)
    The best of 2 recodings, proven: age at level 0; gcp 0.0 %, no record suppressed, 1 class.
    """

    scheme: Scheme
    levels: Mapping[str, int] | None
    loss: str
    value: float
    bound: float
    proven: bool
    suppressed: int
    classes: int
    nodes: int
    counted: int
    trace: tuple[tuple[int, float, float], ...] = field(repr=False)
    make: Callable[[], Table] = field(repr=False)
    looked: tuple[tuple[tuple[int, ...], float, float], ...] = field(default=(), repr=False)
    shares: Mapping[str, tuple[float, ...]] = field(default_factory=dict, repr=False)

    def table(self) -> Table:
        """The recoded table."""
        return self.make()

    @property
    def gap(self) -> float:
        """How much of the loss may be avoidable at most, from 0 (proven best) to 1."""
        return 0.0 if self.proven or self.value <= 0 else max(0.0, 1 - self.bound / self.value)

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain values, without the table."""
        levels = None if self.levels is None else dict(self.levels)
        facts = {name: getattr(self, name) for name in ("scheme", "loss", "value", "bound", "proven")}
        counts = {name: getattr(self, name) for name in ("suppressed", "classes", "nodes", "counted")}
        return {**facts, "levels": levels, **counts, "gap": self.gap}

    def __str__(self) -> str:
        gone = {0: "no record", 1: "1 record"}.get(self.suppressed, f"{self.suppressed:,} records")
        classes = "1 class" if self.classes == 1 else f"{self.classes:,} classes"
        share = f"{100 * self.value:.1f} %" if self.loss != "class_size" else f"{self.value:.1f}"
        facts = f"{self.loss} {share}, {gone} suppressed, {classes}."
        if self.levels is None:
            return f"Local recoding: {facts}"
        levels = ", ".join(f"{name} at level {level}" for name, level in self.levels.items())
        sure = "proven" if self.proven else f"at most {100 * self.gap:.1f} % of its loss avoidable"
        return f"The best of {self.nodes:,} recodings, {sure}: {levels}; {facts}"
