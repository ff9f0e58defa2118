"""Expected figures of a PRAM matrix against drawn files."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import as_table, pram
from shoal.masking import frequency_matrix, invariant_matrix, inverse_frequency_matrix
from shoal.measures import dbil, ebil
from shoal.search import file_figures
from shoal.search.pram.evolve_pram import Sought
from shoal.search.pram.pram_fitness import expected_figures, expected_moves, pose_pram
from shoal.search.pram.pram_genes import random_genes

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(4)
COLUMNS = {
    "town": RNG.choice(["a", "b", "c", "d"], 200, p=[0.5, 0.3, 0.15, 0.05]).tolist(),
    "sex": RNG.choice(["f", "m"], 200).tolist(),
    "size": RNG.choice(["s", "m", "l"], 200, p=[0.2, 0.5, 0.3]).tolist(),
    "age": RNG.integers(20, 60, 200).tolist(),
}
QUASI = ["town", "sex", "size"]
TABLE = as_table(COLUMNS, roles={"quasi": list(COLUMNS)}, kinds={"size": ["s", "m", "l", "xl"]})
BUILDERS = [
    partial(frequency_matrix, p=0.9),
    partial(frequency_matrix, p=0.5),
    partial(inverse_frequency_matrix, theta=0.6),
    partial(invariant_matrix, p=0.7),
]


def whole(table, names, builder):
    """The builder's matrices for all categories of the order, as the search has them."""
    problem = pose_pram(table, names)
    frequencies = tuple(counts[:-1][counts[:-1] > 0] for counts in problem.counts)
    sought = Sought(problem, frequencies, (0.0, 1.0), False, "mean")
    return problem, sought.express(tuple(builder(t) for t in frequencies))


def drawn_mean(table, names, matrices, count):
    files = [pram(table, matrices=matrices, columns=names, rng=seed) for seed in range(count)]
    return files, np.mean([file_figures(table, file, columns=names) for file in files], axis=0)


def assert_close(expected, drawn):
    """Figures agree; the ebil of few records is below that of their matrix, as its docstring says."""
    limits = np.array([0.5, 0.5, 2.5, 0.0, 1.0, 1.0, 1.0, 1.0])
    assert (np.abs(np.array(expected) - drawn) <= limits).all(), (expected, drawn)


@pytest.mark.parametrize("builder", BUILDERS, ids=["p=0.9", "p=0.5", "theta=0.6", "invariant"])
def test_expected_figures_are_those_of_drawn_files(builder):
    problem, matrices = whole(TABLE, QUASI, builder)
    files, drawn = drawn_mean(TABLE, QUASI, matrices, 60)
    expected = expected_figures(problem, matrices)
    assert expected.dbil == pytest.approx(np.mean([dbil(TABLE, f, columns=QUASI) for f in files]), abs=0.5)
    by_matrix = [ebil(TABLE, file, matrices=matrices, columns=QUASI) for file in files]
    assert expected.ebil == pytest.approx(np.mean(by_matrix), abs=0.5)
    assert_close(expected, drawn)


@pytest.mark.parametrize("name", ["german_credit", "solar_flare"])
def test_expected_figures_are_those_of_drawn_reference_files(reference, name):
    table = reference(name)
    names = [n for n in table.names(role="quasi") if table.attribute(n).kind != "numeric"]
    for builder in BUILDERS[::2]:
        problem, matrices = whole(table, names, builder)
        expected, (_, drawn) = expected_figures(problem, matrices), drawn_mean(table, names, matrices, 6)
        # only linkage, for a sample of the records, is off by more than the draws are
        np.testing.assert_allclose(np.delete(expected, 5), np.delete(drawn, 5), atol=1.0)
        assert expected.distance_linkage_risk == pytest.approx(drawn[5], abs=3.5)


def test_missing_cells_stay_missing_in_expectation_too():
    holes = as_table(
        {name: [None if (i + len(name)) % 4 == 0 else v for i, v in enumerate(values)]
         for name, values in COLUMNS.items()},
        roles={"quasi": QUASI},
    )  # fmt: skip
    problem, matrices = whole(holes, QUASI, BUILDERS[1])
    assert_close(expected_figures(problem, matrices), drawn_mean(holes, QUASI, matrices, 60)[1])


def test_doing_nothing_loses_nothing():
    problem = pose_pram(TABLE, QUASI)
    identity = {name: np.eye(len(problem.coded.values[c])) for c, name in enumerate(QUASI)}
    expected = expected_figures(problem, identity)
    np.testing.assert_allclose(expected, file_figures(TABLE, TABLE, columns=QUASI), atol=1e-9)


@settings(max_examples=60)
@given(st.integers(0, 12), st.floats(0, 1), st.floats(0, 8), st.integers(0, 10**6))
def test_expected_moves_are_those_of_drawn_counts(count, stay, arrive, seed):
    rng = np.random.default_rng(seed)
    left, came = rng.binomial(count, 1 - stay, 40_000), rng.poisson(arrive, 40_000)
    expected = expected_moves(
        np.array([float(count)]),
        np.array([count * stay + arrive]),
        np.array([count * stay**2]),
        np.array([stay]),
    )
    assert expected[0] == pytest.approx(np.abs(came - left).mean(), abs=0.08)


def test_many_moves_are_about_normal():
    rng = np.random.default_rng(1)
    new = rng.binomial(500, 0.8, 40_000) + rng.binomial(1000, 0.12, 40_000)
    squares = 500 * 0.8**2 + 1000 * 0.12**2
    expected = expected_moves(*(np.array([x]) for x in (500.0, 500 * 0.8 + 120, squares, 0.8)))
    assert expected[0] == pytest.approx(np.abs(new - 500).mean(), rel=0.02)


def test_the_fitness_can_be_sent_to_another_process():
    problem = pose_pram(TABLE, QUASI)
    sought = Sought(problem, tuple(c[:-1][c[:-1] > 0] for c in problem.counts), (0.0, 1.0), False, "max")
    genes = random_genes(sought.frequencies, np.random.default_rng(1))
    assert pickle.loads(pickle.dumps(sought.score))(genes) == sought.score(genes)
