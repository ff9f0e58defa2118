"""Files as individuals: mutation, crossover, and who stays."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table
from shoal.search import first_files
from shoal.search.files.coded_file import code_file
from shoal.search.files.file_fitness import count_sheet, edit
from shoal.search.files.file_population import Candidate, FilePopulation, cross

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(2)
COLUMNS = {
    "age": RNG.integers(18, 40, 60).tolist(),
    "town": RNG.choice(["a", "b", "c"], 60).tolist(),
    "size": RNG.choice(["s", "m", "l"], 60).tolist(),
    "secret": RNG.normal(size=60).tolist(),
}
QUASI = ["age", "town", "size"]
TABLE = as_table(COLUMNS, roles={"quasi": QUASI, "confidential": ["secret"]}, kinds={"size": ["s", "m", "l"]})
START = first_files(TABLE, rng=1)


def population_of(files, **options):
    coded = code_file(TABLE, QUASI, files)
    chosen = {"fitness": "mean", "children": 10, "crossover": 0.5, "workers": map} | options
    evolving = FilePopulation(coded, **chosen)
    return coded, evolving, evolving.first([coded.encode(file) for file in files])


def test_a_mutant_differs_in_one_cell_of_a_known_value():
    holes = as_table({**COLUMNS, "town": [None, *COLUMNS["town"][1:]]}, roles={"quasi": QUASI})
    coded = code_file(holes, QUASI, [])
    evolving = FilePopulation(coded, fitness="mean", children=200, crossover=0.0, workers=map)
    population = evolving.first([coded.rules.original])
    for child in evolving.vary(population, np.zeros(1), np.random.default_rng(1)):
        assert len(child.edits.rows) == 1
        (row,), (column,), (value,) = child.edits
        assert value != coded.rules.original[row, column]
        assert 0 <= value < len(coded.values[column])
        assert (row, QUASI[column]) != (0, "town"), "what is missing stays missing"


def test_crossover_exchanges_a_section_and_each_child_resembles_its_parent():
    coded, _, population = population_of(START[:2])
    one, other = (candidate.sheet.cells for candidate in population)
    born = 0
    for seed in range(30):
        for child in cross(population, 0, 1, np.random.default_rng(seed)):
            cells = edit(coded, child.sheet, child.edits).cells
            assert ((cells == one) | (cells == other)).all()
            parents = [(cells != one).sum(), (cells != other).sum()]
            assert parents[child.parent] == min(parents) > 0
            taken = (cells == [other, one][child.parent])[one != other]
            assert np.abs(np.diff(np.concatenate([taken, taken[:1]]).astype(int))).sum() == 2, "two points"
            born += 1
    assert born > 20


def test_a_child_takes_the_place_of_the_parent_it_resembles_only_if_it_is_not_worse():
    coded, evolving, population = population_of(START[:3])
    scores = evolving.measure(population)
    children = [Candidate(population[1].sheet, 1), Candidate(population[2].sheet, 2)]
    living, kept = evolving.survive(population, scores, children, np.array([scores[1] - 1, scores[2] + 1]))
    assert living == [population[0], children[0], population[2]] == evolving.alive
    assert kept.tolist() == [scores[0], scores[1] - 1, scores[2]]
    np.testing.assert_array_equal(count_sheet(coded, living[1].sheet.cells).tied, living[1].sheet.tied)
