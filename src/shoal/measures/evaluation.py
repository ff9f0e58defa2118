"""The evaluation: every figure of a comparison, the first lines, and one score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

import numpy as np

from shoal._shared.options import warn_renamed
from shoal.measures.description.column_losses import ColumnLoss, loss_by_role
from shoal.measures.description.figure_words import in_words, words_of
from shoal.measures.first_lines import first_lines

Combine = Literal["mean", "max"] | float

# the standard weights of the literature; a measure not named here is shown, not scored
RISK_WEIGHTS: Mapping[str, float] = {
    "interval_risk": 0.5,
    "distance_linkage_risk": 0.25,
    "probabilistic_linkage_risk": 0.25,
}
NUMERIC_LOSS: Mapping[str, float] = {"sse_loss": 1.0}
CATEGORICAL_LOSS: Mapping[str, float] = {"dbil": 1 / 3, "ctbil": 1 / 3, "ebil": 1 / 3}


@dataclass(frozen=True)
class ClassRisk:
    """The risk of records by the size of their class of look-alikes, in percent.

    For someone who knows that a person is in the file and all that is released of the keys: the highest and
    the mean chance to pick the right record, and how many records are above the threshold.
    """

    highest: float
    mean: float
    above: int
    threshold: float = 20.0

    def to_dict(self) -> dict[str, float]:
        """The figures by name."""
        return dict(vars(self))


@dataclass(frozen=True, repr=False)
class Evaluation:
    """What masking cost and what an intruder still finds; less is better, 0-100 except unbounded losses.

    `k` is the size of the smallest class of records that look the same in `keys`, the columns an intruder may
    know; `skipped` says why a measure has nothing to say; `warnings` are doubts about the comparison itself.
    `columns` says what every column lost; `classes` the risk by class of look-alikes; with `households` both
    count households. Where the rows do not
    correspond (`aligned` is False) there is no loss, risk and score in one figure.
    """

    loss: Mapping[str, float]
    risk: Mapping[str, float]
    skipped: Mapping[str, str] = field(default_factory=dict)
    records: int = 0
    k: int | None = None
    keys: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    loss_weights: Mapping[str, float] = field(default_factory=lambda: {**NUMERIC_LOSS, **CATEGORICAL_LOSS})
    risk_weights: Mapping[str, float] = field(default_factory=lambda: dict(RISK_WEIGHTS))
    combine: Combine = "mean"
    columns: tuple[ColumnLoss, ...] = ()
    classes: ClassRisk | None = None
    aligned: bool = True
    households: bool = False

    @property
    def utility(self) -> Mapping[str, float]:
        """The old name of `loss`."""
        warn_renamed("Evaluation.utility", "Evaluation.loss")
        return self.loss

    @property
    def information_loss(self) -> float | None:
        """Weighted mean of the losses that have a weight (of all, if none has), each at most 100."""
        return None if not self.aligned else _weighted(self.loss, self.loss_weights)

    @property
    def disclosure_risk(self) -> float | None:
        """Weighted mean of the risks that have a weight (of all, if none has)."""
        return None if not self.aligned else _weighted(self.risk, self.risk_weights)

    @property
    def score(self) -> float | None:
        """Information loss and disclosure risk in one figure; None unless both are known."""
        loss, risk = self.information_loss, self.disclosure_risk
        if loss is None or risk is None:
            return None
        if self.combine == "max":
            return max(loss, risk)
        weight = 0.5 if self.combine == "mean" else self.combine
        return weight * loss + (1 - weight) * risk

    @property
    def most_changed(self) -> ColumnLoss | None:
        """The column that lost most; None if none changed."""
        found = max(self.columns, key=lambda column: (column.loss, column.changed), default=None)
        return found if found is not None and (found.changed or found.suppressed) else None

    def rows(self) -> list[tuple[str, str, str, str]]:
        """(group, name in words, figure, id) of everything measured, for whoever draws a table."""
        totals = {name: getattr(self, name) for name in ("information_loss", "disclosure_risk", "score")}
        groups = {"loss": self.loss, "risk": self.risk, "total": totals}
        return [
            (group, words_of(name).name, in_words(value), name)
            for group, figures in groups.items()
            for name, value in figures.items()
            if value is not None
        ]

    def column_rows(self) -> list[tuple[str, str, str, str, str, str]]:
        """(column, role, what happened, cells changed, cells suppressed, loss), most lost first."""
        ordered = sorted(self.columns, key=lambda column: -column.loss)
        return [
            (c.name, c.role, c.how, in_words(c.changed), in_words(c.suppressed), in_words(c.loss))
            for c in ordered
            if c.how != "unchanged"
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        return {
            "records": self.records,
            "k": self.k,
            "keys": list(self.keys),
            "loss": dict(self.loss),
            "risk": dict(self.risk),
            "information_loss": self.information_loss,
            "disclosure_risk": self.disclosure_risk,
            "score": self.score,
            "combine": self.combine,
            "loss_weights": dict(self.loss_weights),
            "risk_weights": dict(self.risk_weights),
            "skipped": dict(self.skipped),
            "warnings": list(self.warnings),
            "columns": [column.to_dict() for column in self.columns],
            "loss_by_role": loss_by_role(self.columns),
            "classes": None if self.classes is None else self.classes.to_dict(),
            "aligned": self.aligned,
            "households": self.households,
        }

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Evaluation:
        """The evaluation that `to_dict` wrote."""
        fields = {name: content[name] for name in cls.__dataclass_fields__ if name in content}
        fields |= {name: tuple(fields[name]) for name in ("keys", "warnings")}
        fields["columns"] = tuple(ColumnLoss(**column) for column in fields["columns"])
        fields["classes"] = None if fields["classes"] is None else ClassRisk(**fields["classes"])
        return cls(**fields)

    def __str__(self) -> str:
        lines = [f"{self.records} records", *first_lines(self)]
        lines += [f"{group:6}{name:46}{figure:>12}" for group, name, figure, _ in self.rows()]
        lines += [f"not measured: {words_of(name).name}: {reason}" for name, reason in self.skipped.items()]
        return "\n".join(lines + [f"warning: {warning}" for warning in self.warnings])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{group}</td><td title='{escape(words_of(id).sentence)}'>{escape(name)}</td>"
            f"<td style='text-align:right'>{figure}</td></tr>"
            for group, name, figure, id in self.rows()
        )
        notes = [f"not measured: {words_of(name).name}: {reason}" for name, reason in self.skipped.items()]
        notes += [f"warning: {warning}" for warning in self.warnings]
        first = "".join(f"<p>{escape(line)}</p>" for line in first_lines(self))
        return f"{first}<table>{cells}</table>" + "".join(f"<p>{escape(note)}</p>" for note in notes)


def _weighted(figures: Mapping[str, float], weights: Mapping[str, float]) -> float | None:
    """Mean of the figures, each at most 100, by weight; all alike if none has a weight."""
    if not figures:
        return None
    given = {name: weights.get(name, 0.0) for name in figures}
    if not sum(given.values()):
        given = dict.fromkeys(figures, 1.0)
    capped = [min(figures[name], 100.0) for name in given]
    return float(np.average(capped, weights=list(given.values())))
