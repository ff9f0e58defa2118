"""What masking did to every variable: losses, moments and correlations, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal.measures import column_changes
from shoal.report.distributions import MIN_PUBLIC_RECORDS, distribution
from shoal.table import Table
from shoal.types import Matrix

MOST_PICTURES = 24  # distributions drawn; tables show every variable
MOST_CORRELATED = 16  # columns of a picture that can still be read
BANDS = (0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0)  # of percent of change, the borders of colours

DESIGN = ("household", "weight")  # roles that say how people were drawn; their numbers correlate with nothing
BY_ROW = ("changed", "suppressed")  # facts that mean nothing where the rows do not correspond

Facts = dict[str, Any]


def reported_columns(original: Table, masked: Table, compared: Sequence[str]) -> list[str]:
    """The compared columns first, then every other that both files have; identifiers never."""
    both = [
        a.name
        for a in original.attributes
        if a.role != "identifier"
        and a.name in masked.names()
        and masked.attribute(a.name).role != "identifier"
    ]
    return [*(name for name in both if name in compared), *(name for name in both if name not in compared)]


def variable_facts(
    original: Table, masked: Table, names: Sequence[str], lost: Mapping[str, float] | None
) -> list[Facts]:
    """One row per variable with everything there is to say, most changed first.

    `lost` is the loss of every column that changed; None where the rows do not correspond.
    """
    with np.errstate(
        invalid="ignore"
    ):  # a column not compared may hold infinite values: no mean, no variance
        rows = column_changes(original, masked, columns=names).to_dicts()
    gone = {"before": original.missing(), "after": masked.missing()}
    facts = [_one(original, masked, row, gone) for row in rows]
    if lost is None:
        return [fact | dict.fromkeys((*BY_ROW, "loss")) for fact in facts]
    facts = [fact | {"loss": lost.get(fact["name"], 0.0)} for fact in facts]
    return sorted(facts, key=lambda fact: -fact["loss"])


def with_distributions(original: Table, masked: Table, facts: Sequence[Facts]) -> list[Facts]:
    """The rows with the distributions of the most changed variables; of an unchanged one there is none."""
    changed = [fact["name"] for fact in facts if fact["changed"] != 0 or fact["suppressed"]][:MOST_PICTURES]
    return [
        fact | {"distribution": distribution(original, masked, name, False) if name in changed else None}
        for fact in facts
        for name in [fact["name"]]
    ]


def _one(original: Table, masked: Table, row: Facts, gone: dict[str, dict[str, int]]) -> Facts:
    name = row["column"]
    attribute = original.attribute(name)
    figures = {key: _finite(value) for key, value in row.items() if key != "column"}
    return {
        "name": name,
        "label": attribute.label or name,
        "role": attribute.role,
        **figures,
        "quartiles_before": _quartiles(original, name),
        "quartiles_after": _quartiles(masked, name),
        "missing_before": gone["before"][name],
        "missing_after": gone["after"][name],
    }


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _quartiles(table: Table, name: str) -> list[float] | None:
    """Lower quartile, median and upper quartile of numbers."""
    if table.attribute(name).kind != "numeric":
        return None
    seen = table.column(name)
    seen = seen[np.isfinite(seen)]
    return [float(value) for value in np.quantile(seen, [0.25, 0.5, 0.75])] if len(seen) else None


def correlation_facts(original: Table, masked: Table, names: Sequence[str], least: int = 2) -> Facts | None:
    """Pairwise correlations of the numeric variables before and after; None if there are fewer than two."""
    numeric = [n for n in names if original.attribute(n).kind == masked.attribute(n).kind == "numeric"]
    numeric = [n for n in numeric if original.attribute(n).role not in DESIGN and _varies(original.column(n))]
    shown = numeric[:MOST_CORRELATED]
    if len(shown) < 2:
        return None
    before, after = (
        correlations(np.column_stack([t.column(n) for n in shown]), least) for t in (original, masked)
    )
    return {
        "names": shown,
        "left_out": len(numeric) - len(shown),
        "before": _plain(before),
        "after": _plain(after),
    }


def _varies(values: Matrix) -> bool:
    seen = values[np.isfinite(values)]
    return len(seen) > 0 and bool(np.ptp(seen) > 0)


def correlations(X: Matrix, least: int = 2) -> Matrix:
    """Correlations over the records where both columns are present; NaN for fewer than the least number.

    NaN also where a column does not vary.

    >>> correlations(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [np.nan, 9.0]])).round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    here = np.isfinite(X)
    with np.errstate(invalid="ignore"):
        centre = np.where(here, X, 0.0).sum(axis=0) / np.maximum(here.sum(axis=0), 1)
    Z = np.where(here, X - centre, 0.0)
    spread = np.sqrt((Z * Z).sum(axis=0) / np.maximum(here.sum(axis=0), 1))
    Z = Z / np.where(spread > 0, spread, 1.0)
    H = here.astype(np.float64)
    n, first, second = H.T @ H, Z.T @ H, (Z * Z).T @ H
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = second / n - (first / n) ** 2
        variance = np.where((variance > 1e-12) & (n >= least), variance, np.nan)
        covariance = Z.T @ Z / n - (first / n) * (first.T / n)
        return np.clip(covariance / np.sqrt(variance * variance.T), -1.0, 1.0)


def _plain(matrix: Matrix) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in matrix]


def public_facts(original: Table, masked: Table, facts: Sequence[Facts], order: Sequence[str]) -> list[Facts]:
    """What may be said in public about every variable: its masked distribution, and changes in wide bands."""
    by_name = {fact["name"]: fact for fact in facts}
    said = []
    for place, name in enumerate(n for n in order if original.attribute(n).role not in DESIGN):
        fact = by_name[name]
        seen = len(masked) - max(fact["missing_after"], fact["missing_before"])
        told = {key: fact[key] for key in ("name", "label", "kind")}
        told |= (
            _public_changes(fact)
            if seen >= MIN_PUBLIC_RECORDS
            else {"mean_shift": None, "spread_change": None}
        )
        drawn = place < MOST_PICTURES
        told["distribution"] = distribution(original, masked, name, True) if drawn else None
        said.append(told)
    return said


def _public_changes(fact: Facts) -> Facts:
    """How far the mean moved, in percent of a standard deviation, and how the deviation changed, as bands."""
    sd = fact["sd_before"]
    if not sd or fact["mean_after"] is None or fact["sd_after"] is None:
        return {"mean_shift": None, "spread_change": None}
    shift = 100 * abs(fact["mean_after"] - fact["mean_before"]) / sd
    return {"mean_shift": band(shift), "spread_change": band(100 * abs(fact["sd_after"] / sd - 1))}


def band(value: float) -> str:
    """The wide band a figure lies in, as words.

    >>> band(0.3), band(7), band(170)
    ('under 1', '5 to 10', '100 or more')
    """
    if value < BANDS[1]:
        return f"under {BANDS[1]:g}"
    above = [edge for edge in BANDS if edge > value]
    if not above:
        return f"{BANDS[-1]:g} or more"
    return f"{max(edge for edge in BANDS if edge <= value):g} to {above[0]:g}"
