"""Slow, obvious versions to compare the real ones with."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np


def mdav(X: np.ndarray, k: int, leftovers: str = "group") -> list[int]:
    """MDAV record by record, with nothing clever: lists, sums and the lowest row position on ties."""
    X = (X - X.mean(axis=0)).tolist()
    left = list(range(len(X)))
    total = np.array(X).sum(axis=0)
    groups: list[list[int]] = []

    def distance(row: int, point: list[float]) -> float:
        difference = np.array(X[row]) - np.array(point)
        return float(np.einsum("i,i->", difference, difference))

    def farthest(point: list[float]) -> int:
        return max(left, key=lambda row: (distance(row, point), -row))

    def take(row: int) -> None:
        nonlocal total
        group = sorted(left, key=lambda other: (distance(other, X[row]), other))[:k]
        for member in group:
            left.remove(member)
        total = total - np.array([X[member] for member in sorted(group)]).sum(axis=0)
        groups.append(group)

    while len(left) >= (3 if leftovers == "group" else 2) * k:
        r = farthest((total / len(left)).tolist())
        take(r)
        take(farthest(X[r]))
    if leftovers == "group" and len(left) >= 2 * k:
        take(farthest((total / len(left)).tolist()))
    if len(left) >= k:
        groups.append(left)
    else:
        means = [np.mean([X[row] for row in group], axis=0).tolist() for group in groups]
        for row in left:
            groups[min(range(len(means)), key=lambda g: distance(row, means[g]))].append(row)
    labels = [next(g for g, group in enumerate(groups) if row in group) for row in range(len(X))]
    return [list(dict.fromkeys(labels)).index(label) for label in labels]


def sse(X: np.ndarray, labels: np.ndarray) -> float:
    """Sum of squared distances to group means, in exact summation."""
    squares = []
    for group in set(labels.tolist()):
        rows = X[labels == group]
        for column in rows.T:
            mean = math.fsum(column) / len(column)
            squares += [(value - mean) ** 2 for value in column]
    return math.fsum(squares)


def class_sizes(rows: list[tuple], missing: str = "category") -> list[int]:
    """For every record, how many records look like it, by comparing all pairs."""
    if missing == "category":
        count = Counter(rows)
        return [count[row] for row in rows]
    return [
        sum(all(a is None or b is None or a == b for a, b in zip(row, other, strict=True)) for other in rows)
        for row in rows
    ]


def centre(kind: str, values: list, order: list) -> object:
    """Mean, lower median or first mode of the values that are there; None if there are none."""
    values = [value for value in values if value is not None]
    if not values:
        return None
    if kind == "numeric":
        return math.fsum(values) / len(values)
    ranks = sorted(order.index(value) for value in values)
    if kind == "ordinal":
        return order[ranks[(len(ranks) - 1) // 2]]
    count = Counter(ranks)
    return order[min(count, key=lambda rank: (-count[rank], rank))]
