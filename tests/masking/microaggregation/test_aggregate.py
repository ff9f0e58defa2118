from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal import InvalidInput, aggregate, as_table
from shoal.hierarchy import with_hierarchies
from shoal.partition import relabel

CELLS = {
    "numeric": st.none() | st.integers(-5, 5).map(float) | st.floats(-1e6, 1e6),
    "ordinal": st.none() | st.sampled_from(["s", "m", "l"]),
    "nominal": st.none() | st.sampled_from(["a", "b", "c"]),
}
ORDER = {"numeric": [], "ordinal": ["s", "m", "l"], "nominal": ["a", "b", "c"]}


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["together", "keep", "fill", "suppress"])
@pytest.mark.parametrize("kind", CELLS)
@settings(max_examples=60)
@given(st.data())
def test_centres_agree_with_the_oracle(kind, missing, data):
    n = data.draw(st.integers(1, 14))
    values = data.draw(st.lists(CELLS[kind], min_size=n, max_size=n))
    labels = relabel(np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))))
    values[0] = (
        values[0]
        if values[0] is not None
        else ("a" if kind == "nominal" else "s" if kind == "ordinal" else 1.0)
    )
    table = as_table({"x": values}, kinds={"x": ["s", "m", "l"]} if kind == "ordinal" else None)
    released = aggregate(table, labels, missing=missing, columns=["x"]).frame["x"].to_list()
    for row, value in enumerate(released):
        group = [values[other] for other in range(n) if labels[other] == labels[row]]
        expected = oracles.centre(kind, group, ORDER[kind])
        if (missing == "keep" and values[row] is None) or (
            missing in ("together", "suppress") and None in group
        ):
            expected = None
        assert value == (
            pytest.approx(expected, rel=1e-9, abs=1e-9)
            if kind == "numeric" and expected is not None
            else expected
        )


def test_equal_values_stay_exact_and_offsets_do_no_harm():
    table = as_table({"a": [0.1, 0.1, 0.1, 1e9 + 0.25, 1e9 + 0.75, 1e9 + 0.5]})
    released = aggregate(table, np.array([0, 0, 0, 1, 1, 1]), columns=["a"]).frame["a"].to_list()
    assert released == [0.1] * 3 + [1e9 + 0.5] * 3


def test_integers_stay_integer_only_if_asked():
    table = as_table({"a": [1, 2, 4, None], "b": [1.0, 2.0, 4.0, 5.0]})
    labels = np.array([0, 0, 1, 1])
    assert aggregate(table, labels, missing="keep", columns=["a"]).frame["a"].to_list() == [
        1.5,
        1.5,
        4.0,
        None,
    ]
    rounded = aggregate(table, labels, round=True, missing="keep", columns=["a", "b"]).frame
    assert rounded["a"].to_list() == [2, 2, 4, None]
    assert rounded["a"].dtype.is_integer()
    assert rounded["b"].to_list() == [1.5, 1.5, 4.5, 4.5]


def test_values_too_large_to_average_are_refused():
    with pytest.raises(InvalidInput, match="Column 'a' has values too large"), np.errstate(over="ignore"):
        aggregate(as_table({"a": [1.7e308, -1.7e308]}), np.array([0, 0]), columns=["a"])


def test_labels_must_fit():
    with pytest.raises(InvalidInput, match="one group per record"):
        aggregate(as_table({"a": [1.0, 2.0]}), np.array([0]), columns=["a"])


PATHS = {"a": "aA*", "b": "bA*", "c": "cB*", "d": "dB*"}
HIERARCHY = {"x": [list(path) for path in PATHS.values()]}


def levels_apart(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(PATHS[one], PATHS[other], strict=True))


@settings(max_examples=100)
@given(st.data())
def test_centres_with_a_hierarchy_agree_with_the_oracle(data):
    n = data.draw(st.integers(1, 14))
    values = ["a", *data.draw(st.lists(st.none() | st.sampled_from("abcd"), min_size=n, max_size=n))]
    labels = relabel(np.array(data.draw(st.lists(st.integers(0, 3), min_size=n + 1, max_size=n + 1))))
    table = with_hierarchies(as_table({"x": values}), HIERARCHY)
    typical = aggregate(table, labels, missing="fill", columns=["x"]).frame["x"].to_list()
    ancestor = aggregate(table, labels, centre="ancestor", missing="fill", columns=["x"]).frame["x"].to_list()
    for row in range(n + 1):
        group = [v for v, label in zip(values, labels, strict=True) if label == labels[row] and v is not None]
        if not group:
            assert typical[row] is ancestor[row] is None
            continue
        assert typical[row] == min(sorted(set(group)), key=lambda v: sum(levels_apart(v, w) for w in group))
        lines = [{PATHS[v][level] for v in group} for level in range(3)]
        assert ancestor[row] == next(line for line in lines if len(line) == 1).pop()


def test_numbers_and_ranks_take_their_ancestor_only_if_asked():
    table = as_table({"age": [18, 22, 61, 67], "size": ["s", "m", "l", "l"]}, kinds={"size": ["s", "m", "l"]})
    table = with_hierarchies(
        table, {"age": {"widths": [10, 50]}, "size": [["s", "?"], ["m", "?"], ["l", "?"]]}
    )
    labels = np.array([0, 0, 1, 1])
    assert aggregate(table, labels, columns=["age", "size"]).frame.rows()[::2] == [(20.0, "s"), (64.0, "l")]
    result = aggregate(table, labels, centre="ancestor", columns=["age", "size"])
    assert result.frame.rows()[::2] == [("[0, 50)", "?"), ("[60, 70)", "l")]
    assert [a.kind for a in result.attributes] == ["nominal", "nominal"]
