"""Who is still at risk: sizes of the classes of records that look alike, and the most exposed of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import NotApplicable
from shoal.measures import equivalence_classes, interval_risk
from shoal.measures.evaluate import Evaluation
from shoal.measures.risk.k_anonymity import counted_sizes
from shoal.table import Table

SIZES = (1, 2, 3, 5, 10, 20, 50, 100)  # where bins of class sizes begin
MOST_CLASSES = 10  # shown of all
MOST_VARIABLES = 10  # shown of all

Facts = dict[str, Any]
Sizes = NDArray[np.intp]


def group_facts(original: Table, masked: Table, keys: Sequence[str]) -> Facts:
    """How many records, or households where they are known, share their keys with how many; by record."""
    before, after = counted_sizes(original, columns=keys), counted_sizes(masked, columns=keys)
    return {
        "keys": list(keys),
        "counted": "households" if masked.names("household") else "records",
        "bins": [_bin_name(at) for at in range(len(SIZES))],
        "before": _percent_by_size(before),
        "after": _percent_by_size(after),
        "smallest": int(after.min()),
        "median": float(np.median(after)),
        "largest": int(after.max()),
        "classes": int(equivalence_classes(masked, columns=keys).max()) + 1,
        "alone_before": int((before == 1).sum()),
        "alone": int((after == 1).sum()),
    }


def _bin_name(at: int) -> str:
    if at + 1 == len(SIZES):
        return f"{SIZES[at]}+"
    last = SIZES[at + 1] - 1
    return str(last) if last == SIZES[at] else f"{SIZES[at]}-{last}"


def _percent_by_size(sizes: Sizes) -> list[float]:
    places = np.searchsorted(SIZES, sizes, side="right") - 1
    counts = np.bincount(places, minlength=len(SIZES))
    return [float(share) for share in 100 * counts / len(sizes)]


def risk_facts(original: Table, masked: Table, evaluation: Evaluation, names: Sequence[str]) -> Facts:
    """The smallest classes with the values they are released with, and the variables that give away most."""
    return {
        "classes": _smallest_classes(masked, evaluation.keys),
        "variables": _most_disclosed(original, masked, names),
        "measures": sorted(evaluation.risk, key=lambda name: -evaluation.risk[name])[:3],
    }


def _smallest_classes(masked: Table, keys: Sequence[str]) -> list[Facts]:
    """Values of the masked file only, and how many records (or households) have them."""
    first = np.unique(equivalence_classes(masked, columns=keys), return_index=True)[1]
    counts = counted_sizes(masked, columns=keys)[first]
    smallest = np.argsort(counts, kind="stable")[:MOST_CLASSES]
    rows = masked.select(keys).take(first[smallest])
    columns: Mapping[str, list[Any]] = {name: rows.column(name).tolist() for name in keys}
    return [
        {"records": int(counts[label]), "values": {name: plain(columns[name][at]) for name in keys}}
        for at, label in enumerate(smallest)
    ]


def plain(value: Any) -> str:
    """A cell as text.

    >>> plain(43.5000000001), plain(None), plain("a")
    ('43.5', 'missing', 'a')
    """
    if value is None or value != value:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _most_disclosed(original: Table, masked: Table, names: Sequence[str]) -> list[Facts]:
    """`interval_risk` of every variable alone: how often the released value nearly gives the true one."""
    found = []
    for name in names:
        try:
            risk = interval_risk(original, masked, columns=[name])
        except NotApplicable:
            continue
        found.append({"name": name, "interval_risk": float(risk)})
    return sorted(found, key=lambda fact: -float(str(fact["interval_risk"])))[:MOST_VARIABLES]
