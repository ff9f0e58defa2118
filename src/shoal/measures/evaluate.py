"""evaluate: every measure that applies, and one score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_names, check_number
from shoal._door import takes_frames
from shoal._once import shared_work
from shoal._shared.options import warn_renamed
from shoal._shared.workers import as_map, pooled
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures import LOSS, RISK
from shoal.measures.column_covers import unread_cells
from shoal.measures.compared_columns import compared_columns, with_strata
from shoal.measures.description.column_losses import column_losses, is_unchanged, shared_columns
from shoal.measures.description.figure_words import words_of
from shoal.measures.evaluation import (
    CATEGORICAL_LOSS,
    NUMERIC_LOSS,
    RISK_WEIGHTS,
    ClassRisk,
    Combine,
    Evaluation,
)
from shoal.measures.released_numbers import with_numbers, with_values
from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.measures.row_order import Rows, row_doubts
from shoal.table import Table, with_roles_of
from shoal.types import Callback, MapLike, Measure, Progress, Workers

__all__ = [
    "CATEGORICAL_LOSS",
    "NUMERIC_LOSS",
    "RISK_WEIGHTS",
    "ClassRisk",
    "Combine",
    "Evaluation",
    "check_combine",
    "evaluate",
    "measure_name",
]

NUMBERS = {
    "sse_loss",
    "il1s",
    "il2",
    "il3",
    "il4",
    "il5",
    "il_loss",
    "pil_loss",
    "eigen_loss",
    "regression_loss",
}
ROW_BY_ROW = {"sse_loss", "il1s", "il_loss", "gcp", "dbil", "ebil", "interval_risk", "distance_linkage_risk"}
ROW_BY_ROW |= {"probabilistic_linkage_risk"}
STOPPED = "The evaluation was stopped before."
NOT_ALIGNED = "The rows of the two files do not correspond, so nothing is compared row by row."


@pooled
@takes_frames
@shared_work()
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
    threshold: float = 0.2,
    rows: Rows = "trusted",
    columns: Iterable[str] | None = None,
    workers: Workers = map,
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
    threshold
        Records with a higher chance than this (a fraction) to be picked out of their class are counted.
    rows
        "trusted": row i of both files is one record; "checked": where the rows seem shuffled, whatever
        compares row by row is left out, for files that lie about.
    columns
        The columns to compare; if not given losses look at the quasi-identifiers and every other column but
        identifiers that changed, risks at the quasi-identifiers (all but identifiers if there are none) and
        the strata.
    workers
        A number of new processes, or any map-like callable; measures are independent.
    callback
        Called with `Progress` before every measure; returning True leaves out it and the rest.

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
    reason. Coarser cells (intervals, sets, labels of a hierarchy of either table) count as what they may
    stand for, see `column_covers`; for probabilistic linkage as a value drawn from that. Cost:
    that of the measures.

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
    4 records
    k = 2: every record looks like at least 1 other in age.
    Someone who knows that a person is in the file, and age, picks the right record with a chance of at most \
50.0 %, on average 50.0 %; 4 records are above 20 %.
    An intruder who knows age links 50.0 of 100 records to the right one.
    Analysts lose 0.2 % of the information; most changed: age (other values, 0.2 % lost).
    loss  Spread of numbers lost                                 0.2
    risk  Values guessed closely                                 0.0
    risk  Records found by distance                             50.0
    total Information loss                                       0.2
    total Disclosure risk                                       16.7
    total Score                                                  8.5
    """
    mapped = as_map(workers)
    if utility is not None:
        warn_renamed("utility=", "loss=")
    check_combine(combine)
    check_choice("rows", rows, ("trusted", "checked"))
    check_number("threshold", threshold, 0, 1)
    masked = with_roles_of(original, masked)
    keys = compared_columns(original, masked, columns)
    names = keys if columns is not None else _changed_too(original, masked, keys)
    if known is not None:
        keys = check_names(known, original.names())
    elif columns is None:
        keys = with_strata(original, masked, keys)
    check_names(keys, masked.names(), what="column of the masked file")
    tasks = _tasks(original, masked, loss if utility is None else utility, risk, names, keys)
    weights = {
        "loss_weights": _checked_weights(loss_weights, tasks, "loss") or _loss_weights(original, names),
        "risk_weights": _checked_weights(risk_weights, tasks, "risk") or dict(RISK_WEIGHTS),
    }
    doubts = row_doubts(original, masked, names)
    aligned = not doubts or rows == "trusted"
    apart = [] if aligned else [task for task in tasks if measure_name(task[1]) in ROW_BY_ROW]
    kept = [task for task in tasks if aligned or measure_name(task[1]) not in ROW_BY_ROW]
    found, skipped = _run(kept, mapped, callback)
    sizes = counted_sizes(masked, columns=keys)
    return Evaluation(
        *found,
        skipped | {measure_name(task[1]): NOT_ALIGNED for task in apart},
        len(original),
        int(sizes.min()),
        tuple(keys),
        (*doubts, *(unread_cells(original, masked, names) if aligned else ())),
        **weights,
        combine=combine,
        columns=column_losses(original, masked, columns=names) if aligned else (),
        classes=_class_risk(sizes, threshold),
        aligned=aligned,
        households=bool(masked.names("household")),
    )


def _changed_too(original: Table, masked: Table, keys: list[str]) -> list[str]:
    """The keys and every other column that both files have and that changed, in the order of the file."""
    shared = shared_columns(original, masked)
    kept = [name for name in shared if name in keys or not is_unchanged(original, masked, name)]
    return [*kept, *(name for name in keys if name not in kept)]


def _class_risk(sizes: NDArray[np.intp], threshold: float) -> ClassRisk:
    chances = 1.0 / sizes
    above = int((chances > threshold).sum())
    return ClassRisk(100.0 * float(chances.max()), 100.0 * float(chances.mean()), above, 100.0 * threshold)


def check_combine(combine: Combine) -> None:
    """Refuse anything but "mean", "max" or a weight from 0 to 1.

    >>> check_combine("max")
    >>> check_combine(2)
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: `combine` must be a number from 0 to 1, got 2.
    """
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
    numbers = with_numbers(original, masked, names)
    values = with_values(original, numbers, keys, np.random.default_rng(0))
    tasks: list[Task] = []
    for measure in loss:
        released = numbers if measure_name(measure) in NUMBERS else masked
        tasks.append(("loss", measure, original, released, names))
    for measure in risk:
        name = measure_name(measure)
        if name == "interval_risk":
            tasks.append(("risk", measure, original, numbers, names))
        else:
            released = (
                values if name == "probabilistic_linkage_risk" else masked
            )  # the other one reads labels
            tasks.append(("risk", measure, original, released, keys))
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
    results = iter(workers(_measure, tasks))
    for position, task in enumerate(tasks):
        name = measure_name(task[1])
        if callback is not None and callback(Progress(position / len(tasks), words_of(name).name)):
            break
        value, reason = next(results)
        del skipped[name]
        if reason:
            skipped[name] = reason
        else:
            found[task[0]][name] = value
    return (found["loss"], found["risk"]), skipped


def _measure(task: Task) -> tuple[float, str]:
    _, measure, original, masked, names = task
    options = measure.keywords if isinstance(measure, partial) else {}
    columns = {} if "columns" in options else {"columns": names}
    try:
        return float(measure(original, masked, **columns)), ""
    except NotApplicable as reason:
        return float("nan"), str(reason)


def _loss_weights(original: Table, names: list[str]) -> dict[str, float]:
    """The usual weights, by the number of numeric and of categorical columns."""
    share = sum(original.attribute(name).kind == "numeric" for name in names) / max(len(names), 1)
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
