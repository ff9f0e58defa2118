"""evaluate: every measure that applies, and one score."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any, Literal

import numpy as np

from shoal._check import check_choice, check_names, check_number
from shoal._options import warn_renamed
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures import LOSS, RISK, anonymity_level
from shoal.measures.compared_columns import became_text, compared_columns
from shoal.measures.hierarchy_distances import named_by_hierarchy
from shoal.measures.row_order import row_doubts
from shoal.table import Table
from shoal.types import Callback, MapLike, Measure, Progress

Combine = Literal["mean", "max"] | float

# the standard weights of the literature; a measure not named here is shown, not scored
RISK_WEIGHTS: Mapping[str, float] = {
    "interval_risk": 0.5,
    "distance_linkage_risk": 0.25,
    "probabilistic_linkage_risk": 0.25,
}
NUMERIC_LOSS: Mapping[str, float] = {"sse_loss": 1.0}
CATEGORICAL_LOSS: Mapping[str, float] = {"dbil": 1 / 3, "ctbil": 1 / 3, "ebil": 1 / 3}
ONE_TABLE = {"k_anonymity", "l_diversity", "t_closeness", "suda2", "individual_risk"}
STOPPED = "The evaluation was stopped before."


@dataclass(frozen=True, repr=False)
class Evaluation:
    """What masking cost and what an intruder still finds; less is better, 0-100 except unbounded losses.

    `k` is the size of the smallest class of records that look the same in `keys`, the columns an intruder may
    know; `skipped` says why a measure has nothing to say; `warnings` are doubts about the comparison itself.
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

    @property
    def utility(self) -> Mapping[str, float]:
        """The old name of `loss`."""
        warn_renamed("Evaluation.utility", "Evaluation.loss")
        return self.loss

    @property
    def information_loss(self) -> float | None:
        """Weighted mean of the losses that have a weight (of all, if none has), each at most 100."""
        return _weighted(self.loss, self.loss_weights)

    @property
    def disclosure_risk(self) -> float | None:
        """Weighted mean of the risks that have a weight (of all, if none has)."""
        return _weighted(self.risk, self.risk_weights)

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

    def rows(self) -> list[tuple[str, str, str]]:
        """(group, name, figure) of everything measured, for whoever draws a table."""
        totals = {
            "information loss": self.information_loss,
            "disclosure risk": self.disclosure_risk,
            "score": self.score,
        }
        return [
            *(("loss", name, f"{value:.3f}") for name, value in self.loss.items()),
            *(("risk", name, f"{value:.3f}") for name, value in self.risk.items()),
            *(("total", name, f"{value:.3f}") for name, value in totals.items() if value is not None),
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
        }

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def __str__(self) -> str:
        lines = [self._headline()]
        lines += [f"{group:6}{name:28}{figure:>9}" for group, name, figure in self.rows()]
        lines += [f"skipped {name}: {reason}" for name, reason in self.skipped.items()]
        return "\n".join(lines + [f"warning: {warning}" for warning in self.warnings])

    __repr__ = __str__

    def _headline(self) -> str:
        if self.k is None:
            return f"{self.records} records"
        keys = ", ".join(self.keys) if len(self.keys) <= 5 else f"{len(self.keys)} columns"
        return f"{self.records} records, {self.k}-anonymous in {keys}"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{group}</td><td>{escape(name)}</td><td style='text-align:right'>{figure}</td></tr>"
            for group, name, figure in self.rows()
        )
        notes = [f"skipped {name}: {reason}" for name, reason in self.skipped.items()]
        notes += [f"warning: {warning}" for warning in self.warnings]
        text = "".join(f"<p>{escape(note)}</p>" for note in notes)
        return f"<p>{escape(self._headline())}</p><table>{cells}</table>{text}"


def evaluate(
    original: Table,
    masked: Table,
    *,
    loss: Iterable[Measure] = LOSS,
    risk: Iterable[Measure] = RISK,
    known: Sequence[str] | str | None = None,
    loss_weights: Mapping[str, float] | None = None,
    risk_weights: Mapping[str, float] | None = None,
    combine: Combine = "mean",
    utility: Iterable[Measure] | None = None,
    columns: Iterable[str] | None = None,
    workers: MapLike = map,
    callback: Callback | None = None,
) -> Evaluation:
    """Run every measure that applies and gather the figures.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position (compare before `write_table` shuffles them).
    loss, risk
        The measures to run; all of the menus if not given. Freeze options with `functools.partial`.
    known
        The columns an intruder knows: all risks but interval disclosure rest on them. All compared columns,
        the worst case, if not given.
    loss_weights, risk_weights
        Weights of measures, by name, in information loss and disclosure risk; see Notes for the usual ones.
    combine
        The score: "mean" or "max" of information loss and disclosure risk, or the weight of the
        information loss as a number from 0 to 1.
    utility
        The old name of `loss`.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
    workers
        Any map-like callable; measures are independent.
    callback
        Called with `Progress` after every measure; returning True leaves out the rest.

    Returns
    -------
    Evaluation
        Prints as a table in a terminal and in a notebook; `.to_dict()`, `.to_json()`.

    Notes
    -----
    Information loss: `sse_loss` for numeric columns, the mean of `dbil`, `ctbil` and `ebil` for categorical
    ones, weighted by the number of columns of each; a loss above 100 counts 100. Disclosure risk: half
    `interval_risk`, a quarter each `distance_linkage_risk` and `probabilistic_linkage_risk`. Weights of
    measures that do not apply go to the others; measures without a weight are shown, not scored, unless none
    has a weight: then all count alike. A measure that has nothing to say is listed under `skipped` with its
    reason. Columns that masking turned from numbers into text only count in the risks of one file
    (k-anonymity and the like) and, if they are labels of the column's hierarchy, in `dbil`; else a warning
    says so. Cost: that of the measures.

    References
    ----------
    Domingo-Ferrer, Torra: A quantitative comparison of disclosure control methods for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table, microaggregate
    >>> from shoal.measures import distance_linkage_risk, interval_risk, sse_loss
    >>> table = as_table({"age": [20, 22, 61, 63]}, roles={"quasi": ["age"]})
    >>> masked = microaggregate(table, k=2)
    >>> print(evaluate(table, masked, loss=[sse_loss], risk=[interval_risk, distance_linkage_risk]))
    4 records, 2-anonymous in age
    loss  sse_loss                        0.237
    risk  interval_risk                   0.000
    risk  distance_linkage_risk          50.000
    total information loss                0.237
    total disclosure risk                16.667
    total score                           8.452
    """
    if utility is not None:
        warn_renamed("utility=", "loss=")
    check_combine(combine)
    names = compared_columns(original, masked, columns)
    keys = names if known is None else check_names(known, original.names())
    check_names(keys, masked.names(), what="column of the masked file")
    tasks = _tasks(original, masked, loss if utility is None else utility, risk, names, keys)
    found, skipped = _run(tasks, workers, callback)
    weights = {
        "loss_weights": _checked_weights(loss_weights, tasks, "loss")
        or _loss_weights(original, masked, names),
        "risk_weights": _checked_weights(risk_weights, tasks, "risk") or dict(RISK_WEIGHTS),
    }
    k = anonymity_level(masked, columns=keys)
    warnings = [*row_doubts(original, masked, names), *_text_warnings(original, masked, names)]
    return Evaluation(
        *found, skipped, len(original), k, tuple(keys), tuple(warnings), **weights, combine=combine
    )


def check_combine(combine: Combine) -> None:
    """Refuse anything but "mean", "max" or a weight from 0 to 1."""
    if isinstance(combine, str):
        check_choice("combine", combine, ("mean", "max"))
    else:
        check_number("combine", combine, 0, 1)


Task = tuple[str, Measure, Table, Table, list[str]]


def _tasks(
    original: Table,
    masked: Table,
    loss: Iterable[Measure],
    risk: Iterable[Measure],
    names: list[str],
    keys: list[str],
) -> list[Task]:
    """Every measure with the columns it looks at."""
    usable = [name for name in names if not became_text(original, masked, name)]
    comparable = [name for name in keys if not became_text(original, masked, name)]
    tasks: list[Task] = []
    for measure in loss:
        columns = names if measure_name(measure) == "dbil" else usable
        tasks.append(("loss", measure, original, masked, columns))
    for measure in risk:
        name = measure_name(measure)
        columns = keys if name in ONE_TABLE else usable if name == "interval_risk" else comparable
        tasks.append(("risk", measure, original, masked, columns))
    called = [measure_name(task[1]) for task in tasks]
    if len(set(called)) < len(called):
        twice = next(name for name in called if called.count(name) > 1)
        raise InvalidInput(f"The measure {twice} is named twice; run evaluate once for each of its settings.")
    return tasks


def measure_name(measure: Measure) -> str:
    """The name of a measure, also with frozen options.

    >>> measure_name(partial(LOSS[0], columns=["age"]))
    'sse_loss'
    """
    inner: Any = measure
    while isinstance(inner, partial):
        inner = inner.func
    return str(getattr(inner, "__name__", type(inner).__name__))


def _run(
    tasks: list[Task], workers: MapLike, callback: Callback | None
) -> tuple[tuple[dict[str, float], dict[str, float]], dict[str, str]]:
    """Losses and risks by name, and why the others have nothing to say."""
    found: dict[str, dict[str, float]] = {"loss": {}, "risk": {}}
    skipped = {measure_name(task[1]): STOPPED for task in tasks}
    for position, (task, (value, reason)) in enumerate(zip(tasks, workers(_measure, tasks), strict=False), 1):
        name = measure_name(task[1])
        del skipped[name]
        if reason:
            skipped[name] = reason
        else:
            found[task[0]][name] = value
        if callback is not None and callback(Progress(position / len(tasks), name)):
            break
    return (found["loss"], found["risk"]), skipped


def _measure(task: Task) -> tuple[float, str]:
    _, measure, original, masked, names = task
    options = measure.keywords if isinstance(measure, partial) else {}
    columns = {} if "columns" in options else {"columns": names}
    try:
        return float(measure(original, masked, **columns)), ""
    except NotApplicable as reason:
        return float("nan"), str(reason)


def _weighted(figures: Mapping[str, float], weights: Mapping[str, float]) -> float | None:
    """Mean of the figures, each at most 100, by weight; all alike if none has a weight."""
    if not figures:
        return None
    given = {name: weights.get(name, 0.0) for name in figures}
    if not sum(given.values()):
        given = dict.fromkeys(figures, 1.0)
    capped = [min(figures[name], 100.0) for name in given]
    return float(np.average(capped, weights=list(given.values())))


def _loss_weights(original: Table, masked: Table, names: list[str]) -> dict[str, float]:
    """The usual weights, by the number of numeric and of categorical columns that can be compared."""
    text = [name for name in names if became_text(original, masked, name)]
    numeric = sum(original.attribute(name).kind == "numeric" for name in names) - len(text)
    labelled = sum(named_by_hierarchy(original, masked, name) for name in text)
    share = numeric / max(len(names) - len(text) + labelled, 1)
    weights = {name: weight * share for name, weight in NUMERIC_LOSS.items()}
    weights |= {name: weight * (1 - share) for name, weight in CATEGORICAL_LOSS.items()}
    return {name: weight for name, weight in weights.items() if weight > 0}


def _checked_weights(weights: Mapping[str, float] | None, tasks: list[Task], group: str) -> dict[str, float]:
    if weights is None:
        return {}
    names = [measure_name(task[1]) for task in tasks if task[0] == group]
    check_names(weights, names, what=f"{group} measure")
    checked = {name: check_number(f"weight of {name}", weight, 0) for name, weight in weights.items()}
    if not sum(checked.values()):
        raise InvalidInput("All weights are 0; give at least one measure a positive weight.")
    return checked


def _text_warnings(original: Table, masked: Table, names: list[str]) -> Iterator[str]:
    for name in names:
        if became_text(original, masked, name) and not named_by_hierarchy(original, masked, name):
            yield (
                f"Column {name!r} was turned from numbers into text: only k-anonymity and the other risks of "
                "one file look at it, the comparisons leave it out."
            )
