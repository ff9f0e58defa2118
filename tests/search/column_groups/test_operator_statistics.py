"""How the operators of a search do, by hand."""

from __future__ import annotations

import pytest

from search.column_groups.generations import one_generation, started
from shoal.search.column_groups.operator_statistics import efficiency, monitor


def test_history_of_two_generations_by_hand():
    first, breeding = started([4.0, 4.0], {"element_move": 2})
    _, survivors = one_generation(breeding, first, [3.0, 5.0])
    one_generation(breeding, survivors, [4.0, 2.0])
    history = monitor(breeding)
    assert history["generation"].to_list() == [0, 1, 2]
    assert history["operator"].to_list() == ["start", "element_move", "element_move"]
    assert history["children"].to_list() == [2, 2, 2]
    assert history["discarded"].to_list() == [0, 1, 1]
    # of the first two one dies in each generation; the 3.0 lives on, the 5.0 and the 4.0 never did
    assert history["lifetime"].to_list() == [1.5, 0.5, 0.0]
    assert history["best"].to_list() == [4.0, 3.0, 2.0]
    assert history["best_child"].to_list() == [4.0, 3.0, 2.0]
    assert history["improved"].to_list()[:2] == [0, 1]
    assert history["worsened"].to_list()[:2] == [0, 1]
    assert history["mean_improvement"].to_list()[:2] == [None, 25.0]
    assert history["most_worsening"].to_list()[:2] == pytest.approx([None, -20.0])
    assert history["unused"].to_list()[2] == 2  # the last generation has no time to be used
    assert history["mean_groups"][0] == 3.0


@pytest.mark.parametrize(
    ("cost", "expected", "percent"),
    [
        (5.0, 10.0, 50.0),
        (10.0, 5.0, -50.0),
        (3.0, 3.0, 0.0),
        (0.0, 2.0, 100.0),
        (2.0, 0.0, -100.0),
        (0.0, 0.0, 0.0),
    ],
)
def test_efficiency_is_formula_4_3(cost, expected, percent):
    assert efficiency(cost, expected) == percent
