"""PRAM matrices by evolution, and the loss and risk expected of them against drawn files."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, Recipe, as_table, pram
from shoal.masking import frequency_matrix, inverse_frequency_matrix, transitions
from shoal.search import evolve_pram, file_figures

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


def drawn_mean(table, names, matrices, count):
    files = [pram(table, matrices=matrices, columns=names, rng=seed) for seed in range(count)]
    return files, np.mean([file_figures(table, file, columns=names) for file in files], axis=0)


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
    found = quick(diagonal=(0.5, 0.8), invariant=False)
    seen = found["size"][:3, :3]  # nobody has the last one
    assert seen.diagonal().max() <= 0.8 + 1e-12
    assert found["size"][3].tolist() == [0, 0, 0, 1]
    assert found["size"][:3, 3].tolist() == [0, 0, 0]


def test_evolved_matrices_beat_the_builders_on_drawn_files():
    found = quick(generations=40, population=40, diagonal=(0.0, 1.0), fitness="max", invariant=False)
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
