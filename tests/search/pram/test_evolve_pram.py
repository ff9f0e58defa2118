"""PRAM matrices by evolution, and the loss and risk expected of them against drawn files."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, NotApplicable, PrivacyWarning, Recipe, as_table, pram
from shoal.masking import frequency_matrix, invariant_matrix, inverse_frequency_matrix, transitions
from shoal.measures import dbil, ebil
from shoal.search import evolve_pram, file_figures
from shoal.search.pram.evolve_pram import Sought
from shoal.search.pram.pram_fitness import expected_figures, expected_moves, pose_pram
from shoal.search.pram.pram_genes import cross_rows, made_invariant, mutate_row, random_genes, within_limits
from shoal.search.risk_warnings import reads_backwards

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
quick = partial(evolve_pram, TABLE, columns=QUASI, population=12, generations=8, rng=1)
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


def rows_add_up(matrices):
    for P in matrices.values():
        assert (P >= 0).all()
        np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("fitness", ["mean", "max"])
@pytest.mark.parametrize("invariant", [False, True])
def test_evolution_improves_and_keeps_what_was_asked_for(fitness, invariant):
    found = quick(fitness=fitness, invariant=invariant, diagonal=(0.6, 1.0))
    rows_add_up(found)
    assert list(found) == QUASI
    assert found.score < found.history[0].best
    assert found.score == pytest.approx(found.figures.score(fitness))
    for name in QUASI:
        assert found[name].diagonal().min() >= 0.6 - 1e-12
        if invariant:
            codes = [COLUMNS[name].count(c) for c in ("abcd", "fm", ("s", "m", "l", "xl"))[QUASI.index(name)]]
            np.testing.assert_allclose(codes @ found[name], codes, atol=1e-9)


def test_an_upper_limit_makes_every_category_doubtful():
    found = quick(diagonal=(0.5, 0.8))
    seen = found["size"][:3, :3]  # nobody has the last one
    assert seen.diagonal().max() <= 0.8 + 1e-12
    assert found["size"][3].tolist() == [0, 0, 0, 1]
    assert found["size"][:3, 3].tolist() == [0, 0, 0]


def test_evolved_matrices_beat_the_builders_on_drawn_files():
    found = quick(generations=40, population=40, diagonal=(0.0, 1.0), fitness="max")
    evolved = drawn_mean(TABLE, QUASI, found, 20)[1]
    for build, name in ((frequency_matrix, "p"), (inverse_frequency_matrix, "theta")):
        for share in (0.1, 0.3, 0.5, 0.7, 0.9):
            built = drawn_mean(TABLE, QUASI, partial(build, **{name: share}), 20)[1]
            assert max(evolved[6:]) < max(built[6:])


def test_same_rng_same_matrices_with_any_workers():
    with ThreadPoolExecutor(2) as pool:
        threads = quick(workers=pool.map)
    for name in QUASI:
        np.testing.assert_array_equal(threads[name], quick()[name])
    assert quick(rng=2).score != quick().score


def test_the_fitness_can_be_sent_to_another_process():
    problem = pose_pram(TABLE, QUASI)
    sought = Sought(problem, tuple(c[:-1][c[:-1] > 0] for c in problem.counts), (0.0, 1.0), False, "max")
    genes = random_genes(sought.frequencies, np.random.default_rng(1))
    assert pickle.loads(pickle.dumps(sought.score))(genes) == sought.score(genes)


def test_pram_takes_the_matrices_the_search_itself_and_a_recipe():
    found = quick()
    direct = pram(TABLE, matrices=found, rng=7)
    assert direct.frame["age"].to_list() == COLUMNS["age"]
    assert direct.frame["town"].to_list() != COLUMNS["town"]
    search = partial(evolve_pram, population=12, generations=8, rng=1)
    assert pram(TABLE, matrices=search, columns=QUASI, rng=7).frame.equals(direct.frame)
    assert transitions(TABLE, matrices=search, columns=QUASI)[0].matrix == pytest.approx(found["town"])
    step = {"method": "pram", "matrices": {"method": "evolve_pram", "population": 4, "generations": 2}}
    recipe = Recipe("evolved", {"quasi": QUASI}, [step])
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert recipe.run(TABLE, rng=1).frame.equals(recipe.run(TABLE, rng=1).frame)
    compile(recipe.to_python(), "recipe", "exec")


def test_the_callback_sees_matrices_and_stops():
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 3

    found = quick(callback=callback)
    assert found.stopped == "callback"
    rows_add_up(seen[-1].best)
    assert "score" in seen[-1].message


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_rows_stay_stochastic_whatever_happens(seed, size):
    rng = np.random.default_rng(seed)
    t = [rng.integers(1, 50, size).astype(float), np.array([3.0, 1.0])]
    one, other = random_genes(t, rng), random_genes(t, rng)
    for _ in range(5):
        one, other = cross_rows(mutate_row(one, rng), other, rng)
    for P, counts in zip(one, t, strict=True):
        rows_add_up({"P": P, "limited": within_limits(P, 0.3, 0.7), "kept": made_invariant(P, counts, 0.2)})
        np.testing.assert_allclose(counts @ made_invariant(P, counts, 0.2), counts)


def test_a_matrix_that_can_be_read_backwards_is_said_aloud():
    assert reads_backwards(np.array([[0.02, 0.98], [0.95, 0.05]]), np.array([40.0, 60.0]))
    assert not reads_backwards(np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([99.0, 1.0])), "known before"
    swap = {"sex": np.array([[0.0, 1.0], [1.0, 0.0]])}
    from shoal.search.risk_warnings import warn_of_backwards

    with pytest.warns(PrivacyWarning, match="matrix of sex can be read backwards"):
        warn_of_backwards(swap, [np.array([100.0, 100.0])])


def test_wrong_calls_are_one_sentence():
    with pytest.raises(InvalidInput, match="`fitness` must be one of"):
        quick(fitness="least")
    with pytest.raises(InvalidInput, match="`population` must be a number at least 2"):
        quick(population=1)
    with pytest.raises(InvalidInput, match=r"`diagonal` must be \(lowest, highest\)"):
        quick(diagonal=(0.9, 0.2))
    with pytest.raises(InvalidInput, match="`diagonal` must be two numbers"):
        quick(diagonal=0.5)
    with pytest.raises(InvalidInput, match="no upper limit"):
        quick(invariant=True, diagonal=(0.2, 0.8))
    with pytest.raises(NotApplicable, match="Column 'age' is numeric"):
        evolve_pram(TABLE, columns=["age"])
