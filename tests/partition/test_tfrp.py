from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from shoal.errors import InvalidInput
from shoal.partition import members, relabel, sse, tfrp
from shoal.partition._shared.prepare import prepare
from shoal.partition.labels import assign_to_nearest
from small_files import make, small_files


def first_stage(X, k):
    corners = X.min(), X.max()
    free, labels, group = list(range(len(X))), np.full(len(X), -1), 0
    while len(free) >= k:
        away = np.einsum("ij,ij->i", X - corners[group % 2], X - corners[group % 2])
        e = max(free, key=lambda i: (away[i], -i))
        near = {i: sum((a - b) ** 2 for a, b in zip(X[i].tolist(), X[e].tolist(), strict=True)) for i in free}
        chosen = sorted(free, key=lambda i: (near[i], i))[:k]
        labels[chosen] = group
        free = [i for i in free if i not in chosen]
        group += 1
    return assign_to_nearest(X, labels)


def total(X, groups):
    return sum(((X[rows] - X[rows].mean(axis=0)) ** 2).sum() for rows in groups)


def second_stage(X, labels, k):
    """Dissolve groups from the loosest on where the sum of squares over all groups falls."""
    groups = {g: list(rows) for g, rows in enumerate(members(labels))}
    for g in sorted(groups, key=lambda g: -total(X, [groups[g]])):
        others = {h: list(rows) for h, rows in groups.items() if h != g}
        means = {h: X[rows].mean(axis=0) for h, rows in others.items()}
        for i in groups[g] if others else []:
            others[min(means, key=lambda h: ((means[h] - X[i]) ** 2).sum())].append(i)
        if others and total(X, others.values()) < total(X, groups.values()):
            groups = others
    labels = labels.copy()
    for g, rows in groups.items():
        labels[rows] = g
    unused = max(groups) + 1
    for rows in groups.values():
        if len(rows) >= 2 * k:
            rows = sorted(rows)
            labels[rows] = unused + first_stage(X[rows], k)
            unused = labels.max() + 1
    return labels


@settings(max_examples=150)
@given(small_files(most=25))
def test_the_first_stage_is_that_of_the_paper(file):
    X, k = prepare(*file)
    np.testing.assert_array_equal(tfrp(X, k, stages=1), relabel(first_stage(prepare(X, k)[0], k)))


@settings(max_examples=150)
@given(small_files(sorts=("normal", "clusters"), most=30))
def test_the_second_stage_is_that_of_the_paper(file):
    X, k = prepare(*file)
    X, _ = prepare(X, k)
    np.testing.assert_array_equal(tfrp(X, k), relabel(second_stage(X, first_stage(X, k), k)))


@settings(max_examples=100)
@given(small_files())
def test_the_second_stage_never_loses_more(file):
    X, k = prepare(*file)
    assert sse(X, tfrp(X, k)) <= sse(X, tfrp(X, k, stages=1)) * (1 + 1e-9) + 1e-30


def test_the_second_stage_can_gain():
    X = make("clusters", 60, 2, 2)
    assert sse(X, tfrp(X, 3)) < sse(X, tfrp(X, 3, stages=1))


def test_a_wrong_stage_is_one_sentence():
    with pytest.raises(InvalidInput, match="`stages` must be one of 1, 2, got 3"):
        tfrp(np.ones((5, 1)), 2, stages=3)
