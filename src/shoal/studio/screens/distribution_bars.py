"""The distribution of a column before and after, as bars side by side."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

WIDE, HIGH = 600, 120  # of the drawing, in its own units


def bars(shape: dict[str, Any] | None, tallest: float = 0.0) -> dict[str, Any] | None:
    """Two bars for every bin or category: before and after; drawings that share a scale give `tallest`.

    >>> shape = {"type": "categories", "labels": ["a", "b"], "before": [50.0, 50.0], "after": [100.0, 0.0]}
    >>> [bar["label"] for bar in bars(shape)["bars"]]
    ['a', 'b']
    """
    if shape is None or shape["before"] is None:
        return None
    if shape["type"] == "numbers":
        edges = shape["edges"]
        labels = [f"{low:g} – {high:g}" for low, high in pairwise(edges)]
    else:
        labels = list(shape["labels"])
    tallest = max(tallest, highest(shape))
    step = WIDE / len(labels)
    width = min(step * 0.42, 26.0)
    drawn = []
    for at, (label, before, after) in enumerate(zip(labels, shape["before"], shape["after"], strict=True)):
        middle = step * (at + 0.5)
        drawn.append(
            {
                "label": label,
                "before": before,
                "after": after,
                "x": round(middle - width, 1),
                "x2": round(middle, 1),
                "width": round(width * 0.94, 1),
                "h": round(HIGH * before / tallest, 1),
                "h2": round(HIGH * after / tallest, 1),
            }
        )
    return {"bars": drawn, "first": labels[0], "last": labels[-1], "numbers": shape["type"] == "numbers"}


def highest(shape: dict[str, Any] | None) -> float:
    """The largest share of a distribution before and after.

    >>> highest({"before": [40.0, 60.0], "after": [100.0, 0.0]})
    100.0
    """
    return 1e-9 if shape is None or shape["before"] is None else max(*shape["before"], *shape["after"], 1e-9)
