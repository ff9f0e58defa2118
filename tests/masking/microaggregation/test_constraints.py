from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, as_table
from shoal.masking.microaggregation.constraints import group_constraint

VALUES = st.none() | st.sampled_from(["a", "b", "c", "d"])


def distance(kind, group, everyone):
    """Earth mover's distance over ranks, or half the absolute differences, by the definition."""
    order = sorted(set(everyone), key=str)
    if kind != "nominal":
        order = [value for value in order if value is not None]
        group, everyone = ([v for v in values if v is not None] for values in (group, everyone))
    if not group:
        return 0.0
    gap = [group.count(v) / len(group) - everyone.count(v) / len(everyone) for v in order]
    if kind == "nominal":
        return sum(map(abs, gap)) / 2
    return sum(abs(sum(gap[: i + 1])) for i in range(len(gap))) / max(len(order) - 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
@settings(max_examples=150)
@given(st.data())
def test_verdicts_agree_with_the_definitions(kind, data):
    n = data.draw(st.integers(2, 15))
    values = ["a", "b", *data.draw(st.lists(VALUES, min_size=n, max_size=n))]
    table = as_table({"x": values}, roles={"confidential": ["x"]}, kinds={"x": kind})
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, n + 1), min_size=1))))
    labels = np.unique(
        np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))),
        return_inverse=True,
    )[1]
    t = data.draw(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]))
    diverse = group_constraint(table, l_diversity=2)(rows, labels)
    close = group_constraint(table, t_closeness=t)(rows, labels)
    both = group_constraint(table, l_diversity=2, t_closeness=t)(rows, labels)
    for group in range(labels.max() + 1):
        inside = [values[row] for row, label in zip(rows, labels, strict=True) if label == group]
        assert diverse[group] == (len(Counter(inside).keys() - {None}) >= 2)
        assert close[group] == (distance(kind, inside, values) <= t + 1e-12)
        assert both[group] == (diverse[group] and close[group])


def test_every_confidential_column_counts():
    table = as_table({"x": ["a", "b", "a", "b"], "y": [1, 1, 2, 3]}, roles={"confidential": ["x", "y"]})
    groups = np.array([0, 0, 1, 1])
    assert group_constraint(table, l_diversity=2)(np.arange(4), groups).tolist() == [False, True]
    assert group_constraint(table, l_diversity=2, confidential="x")(np.arange(4), groups).all()


def test_nothing_asked_nothing_to_check():
    assert group_constraint(as_table({"x": [1]})) is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"l_diversity": 1}, "`l_diversity` must be a number at least 2"),
        ({"l_diversity": 4}, "asks for 4 different values of 'x', which has 2"),
        ({"t_closeness": 1.5}, "`t_closeness` must be a number from 0 to 1"),
        ({"t_closeness": 0.5, "confidential": ["y"]}, "no column 'y'"),
        ({"t_closeness": 0.5, "confidential": []}, "need a confidential column"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        group_constraint(as_table({"x": ["a", "b"]}, roles={"confidential": ["x"]}), **options)
