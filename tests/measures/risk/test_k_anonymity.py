"""k-anonymity: classes, levels and the list of violations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import oracles
import oracles_measures as slow
from frames import LIBRARIES, to_lists
from measures.files import MANY, files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import (
    anonymity_level,
    class_sizes,
    equivalence_classes,
    k_anonymity,
    violating_classes,
    violating_records,
)
from shoal.measures.risk.k_anonymity import class_totals


def rows_of(table) -> list[tuple]:
    return list(zip(*(slow.cells(table, name) for name in table.names()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("gaps", ["category", "wildcard"])
@MANY
@given(pair=files(most=12))
def test_class_sizes_agree_with_comparing_all_pairs(gaps, pair):
    original, masked = pair
    expected = oracles.class_sizes(rows_of(masked), gaps)
    assert class_sizes(masked, gaps=gaps).tolist() == expected
    assert k_anonymity(original, masked, gaps=gaps) == pytest.approx(100 / min(expected))
    assert violating_records(masked, 3, gaps=gaps).tolist() == [
        row for row, size in enumerate(expected) if size < 3
    ]


@pytest.mark.slow
@MANY
@given(pair=files(most=12))
def test_violating_classes_are_those_below_k(pair):
    masked = pair[1]
    found = violating_classes(masked, 3).rows()
    groups = slow.groups(masked, masked.names())
    assert {row[:-1]: row[-1] for row in found} == {
        key: len(rows) for key, rows in groups.items() if len(rows) < 3
    }
    assert [row[-1] for row in found] == sorted(row[-1] for row in found)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_gives_its_own_frame(library):
    table = as_table(LIBRARIES[library]({"age": [30, 30, 40, 50], "sex": ["f", "f", "m", "m"]}))
    found = violating_classes(table, 2, columns=["age", "sex"])
    assert type(found) is type(table.frame)
    assert to_lists(found) == {"age": [40, 50], "sex": ["m", "m"], "records": [1, 1]}
    assert equivalence_classes(table, columns=["age"]).tolist() == [0, 0, 1, 2]


def test_totals_sum_weights_of_look_alikes():
    table = as_table({"a": ["x", "x", None]}, roles={"quasi": ["a"]})
    weights = np.array([2.0, 3.0, 10.0])
    assert class_totals(table, weights).tolist() == [5, 5, 10]
    assert class_totals(table, weights, gaps="wildcard").tolist() == [15, 15, 15]


def test_an_index_is_never_consulted():
    import pandas as pd

    frame = pd.DataFrame({"a": ["x", "y", "y"]}, index=[5, 5, 9])
    assert class_sizes(as_table(frame, roles={"quasi": ["a"]})).tolist() == [1, 2, 2]


def test_minus_999_is_a_number_and_nan_is_missing():
    table = as_table({"a": [-999.0, float("nan"), None]}, roles={"quasi": ["a"]})
    assert class_sizes(table).tolist() == [1, 2, 2]
    assert anonymity_level(table) == 1


def test_a_column_may_be_called_as_the_count_is():
    table = as_table({"records": [1, 2]}, roles={"quasi": ["records"]})
    assert violating_classes(table, 2).columns == ["records", "records_"]


def test_faults_are_said():
    table = as_table({"records": [1, 2]}, roles={"quasi": ["records"]})
    with pytest.raises(InvalidInput, match="gaps"):
        class_sizes(table, gaps="maybe")
    with pytest.raises(InvalidInput, match="empty"):
        class_sizes(table, columns=[])
    with pytest.raises(NotApplicable, match="no records"):
        anonymity_level(table.take(np.array([], dtype=int)))
