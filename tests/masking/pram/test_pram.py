from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.stats import chisquare

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, NotApplicable, as_table
from shoal.masking.pram.frequencies import pram_frequencies
from shoal.masking.pram.matrices import frequency_matrix, invariant_matrix, inverse_frequency_matrix
from shoal.masking.pram.pram import pram, transitions

BUILDERS = {
    "frequency": partial(frequency_matrix, p=0.6),
    "inverse": partial(inverse_frequency_matrix, theta=0.5),
    "invariant": partial(invariant_matrix, p=0.6),
}
TOWNS = np.random.default_rng(3).choice(["a", "b", "c", "d"], 40_000, p=[0.6, 0.25, 0.1, 0.05]).tolist()


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_realised_transitions_follow_the_matrix(build):
    table = as_table({"town": TOWNS}, roles={"quasi": ["town"]})
    released = np.array(pram(table, matrices=build, rng=11).frame["town"].to_list())
    (transition,) = transitions(table, matrices=build)
    for code, category in enumerate(transition.categories):
        seen = [(released[np.array(TOWNS) == category] == other).sum() for other in transition.categories]
        expected = transition.frequencies[code] * transition.matrix[code]
        assert chisquare(seen, expected).pvalue > 0.001


def test_a_transition_of_probability_zero_never_happens():
    rng = np.random.default_rng(1)
    for _ in range(200):
        count = int(rng.integers(2, 6))
        P = rng.random((count, count)) * (rng.random((count, count)) < 0.5)
        P[np.arange(count), rng.integers(0, count, count)] += 0.01
        P /= P.sum(axis=1, keepdims=True)
        before = rng.integers(0, count, 300)
        table = as_table({"x": before}, roles={"quasi": ["x"]}, kinds={"x": list(range(count))})
        after = np.array(pram(table, matrices={"x": P}, rng=rng).frame["x"].to_list())
        assert (P[before, after] > 0).all()


class Highest:
    """A generator whose numbers are the largest below 1."""

    def random(self, size):
        return np.full(size, np.nextafter(1, 0))


def test_rounding_of_a_row_sum_leaves_no_room(monkeypatch):
    P = np.array([[0.1] * 10 + [0.0], *np.eye(11)[1:].tolist()])  # ten times 0.1 is less than 1 in floats
    table = as_table({"x": [0] * 5}, roles={"quasi": ["x"]}, kinds={"x": list(range(11))})
    monkeypatch.setattr(np.random, "default_rng", lambda rng: Highest())
    assert pram(table, matrices={"x": P}).frame["x"].to_list() == [9] * 5


def test_strata_have_their_own_categories_and_frequencies():
    columns = {"town": ["a", "b"] * 50 + ["c", "d", "d"] * 40, "region": ["n"] * 100 + ["s"] * 120}
    table = as_table(columns, roles={"quasi": ["town"]})
    build = partial(frequency_matrix, p=0.2)
    released = pram(table, matrices=build, strata="region", rng=1).frame["town"].to_list()
    assert set(released[:100]) == {"a", "b"}
    assert set(released[100:]) == {"c", "d"}
    first, second = transitions(table, matrices=build, strata="region")
    assert first.frequencies.tolist() == [50, 50]
    assert second.frequencies.tolist() == [40, 80]


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_missing_cells_stay_missing_and_are_not_counted(make):
    frame = make({"x": ["a", None, "b", "a"], "y": [1, 2, 3, 4]})
    table = as_table(frame, roles={"quasi": ["x"]})
    swap = {"x": {"a": {"b": 1}, "b": {"a": 1}}}
    assert to_lists(pram(table, matrices=swap).frame) == {"x": ["b", None, "a", "b"], "y": [1, 2, 3, 4]}
    assert transitions(table, matrices=swap)[0].frequencies.tolist() == [2, 1]


def test_an_empty_stratum_of_missing_cells_is_no_problem():
    table = as_table({"x": [None, None, "a"], "r": ["n", "n", "s"]}, roles={"quasi": ["x"]})
    assert pram(table, matrices=BUILDERS["invariant"], strata="r").frame["x"].to_list() == [None, None, "a"]


def test_integer_codes_stay_integer_codes():
    table = as_table({"x": [1, 2, 1, 2]}, roles={"quasi": ["x"]}, kinds={"x": "nominal"})
    released = pram(table, matrices={"x": {1: {2: 1}, "2": {"1": 1}}}).frame["x"]
    assert released.to_list() == [2, 1, 2, 1]
    assert released.dtype.is_integer()


def test_a_matrix_may_bring_new_categories():
    table = as_table({"x": ["a", "b"]}, roles={"quasi": ["x"]})
    matrix = {"a": {"rest": 1}, "b": {"b": 1}}
    assert pram(table, matrices={"x": matrix}).frame["x"].to_list() == ["rest", "b"]


def test_columns_default_to_the_categorical_quasi_identifiers():
    table = as_table(
        {"x": ["a", "b"] * 20, "y": [1, 2] * 20, "z": ["a", "b"] * 20}, roles={"quasi": ["x", "y"]}
    )
    released = pram(table, matrices=partial(frequency_matrix, p=0), rng=1)
    assert released.frame["x"].to_list() == ["b", "a"] * 20
    assert released.select(["y", "z"]).frame.equals(table.select(["y", "z"]).frame)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"matrices": {"w": [[1]]}}, "no column 'w'"),
        ({"matrices": {"x": [[1]]}}, "The matrix for column 'x' must have 2 rows and columns"),
        ({"matrices": {"x": [[1, 1], [0, 1]]}}, "Row 0 of the matrix for column 'x'"),
        (
            {"matrices": {"x": {"a": {"a": 1}}}},
            "Column 'x' has a category at row 1 that its matrix does not name",
        ),
        ({"matrices": {"x": {"a": {"c": 0.5}, "b": {"b": 1}}}}, "Row 0 of the matrix for column 'x'"),
        ({"matrices": {"x": [[1, 0], [0, 1]]}, "columns": ["x", "z"]}, "`matrices` has none for column 'z'"),
        ({"matrices": {"z": {"1": {"c": 1}, "2": {"2": 1}}}}, "whose categories are no text"),
        ({"matrices": partial(frequency_matrix, p=3)}, "`p` must be"),
        ({"matrices": lambda counts: np.ones((2, 2))}, "Row 0 of the matrix for column 'x'"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence):
    table = as_table({"x": ["a", "b"], "z": [1, 2]}, roles={"quasi": ["x", "z"]}, kinds={"z": "nominal"})
    with pytest.raises(InvalidInput, match=sentence):
        pram(table, **options)


def test_numbers_are_not_for_pram():
    table = as_table({"x": [1.0, 2.0]}, roles={"quasi": ["x"]})
    with pytest.raises(NotApplicable, match="No quasi-identifier is nominal or ordinal"):
        pram(table, matrices=BUILDERS["invariant"])
    with pytest.raises(NotApplicable, match="Column 'x' is numeric"):
        pram(table, matrices=BUILDERS["invariant"], columns=["x"])


def test_on_german_credit(reference):
    table = reference("german_credit")
    matrices = BUILDERS["invariant"]
    names = ["savings", "employment_since", "housing"]
    masked = pram(table, matrices=matrices, columns=names, rng=2)
    for found in pram_frequencies(table, masked, matrices=matrices, columns=names):
        assert found.expected == pytest.approx(found.original, abs=1e-9), "invariant"
        assert np.abs(found.realised - found.original).max() < 4 * np.sqrt(len(table))


@pytest.mark.parametrize("matrices", [0.8, True, [[1.0]]])
def test_matrices_that_are_none_are_refused_in_a_sentence(matrices):
    table = as_table({"sex": ["f", "m"]}, roles={"quasi": ["sex"]})
    with pytest.raises(InvalidInput, match="mapping from column names"):
        pram(table, matrices=matrices)
