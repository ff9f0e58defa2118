"""Evolving protected files: what is promised, whatever the draws."""

from __future__ import annotations

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, PrivacyWarning, Recipe, ShoalError, as_table, microaggregate
from shoal.masking import suppress_to_k
from shoal.measures import anonymity_level
from shoal.search import SLOW_MASKERS, evolve_file, file_figures, first_files
from shoal.search.files.coded_file import code_file
from shoal.search.files.file_population import FilePopulation, grow
from shoal.workflow.registry import MENUS, options_of

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
quick = partial(evolve_file, TABLE, population=START, generations=10, children=20, crossover=0.1, rng=1)


def population_of(files, **options):
    coded = code_file(TABLE, QUASI, files)
    chosen = {"fitness": "mean", "children": 10, "crossover": 0.5, "workers": map} | options
    evolving = FilePopulation(coded, **chosen)
    return coded, evolving, evolving.first([coded.encode(file) for file in files])


@pytest.mark.parametrize("fitness", ["mean", "max"])
def test_the_result_is_better_than_the_best_first_file(fitness):
    best = min(file_figures(TABLE, file).score(fitness) for file in START)
    found = [
        file_figures(TABLE, quick(fitness=fitness, generations=count)).score(fitness) for count in (0, 10, 60)
    ]
    assert found[0] == pytest.approx(best)
    assert found == sorted(found, reverse=True)
    assert found[2] < best


def test_rows_and_untouched_columns_stay_and_values_are_valid():
    masked = quick()
    assert masked.names() == TABLE.names()
    assert to_lists(masked.frame)["secret"] == COLUMNS["secret"]
    assert set(to_lists(masked.frame)["town"]) <= {"a", "b", "c"}
    assert set(to_lists(masked.frame)["size"]) <= {"s", "m", "l"}
    assert masked.attributes == TABLE.attributes
    assert to_lists(TABLE.frame) == COLUMNS, "the input is never changed"


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_all_frame_libraries_give_the_same_file(make):
    table = as_table(make(COLUMNS), roles={"quasi": QUASI})
    masked = evolve_file(table, generations=2, maskers=[partial(microaggregate, k=k) for k in (3, 9)], rng=1)
    assert type(masked.frame) is type(table.frame)
    plain = as_table(COLUMNS, roles={"quasi": QUASI})
    again = evolve_file(plain, generations=2, maskers=[partial(microaggregate, k=k) for k in (3, 9)], rng=1)
    assert to_lists(masked.frame) == to_lists(again.frame)


def test_same_rng_same_file_with_any_workers():
    with ThreadPoolExecutor(2) as pool:
        threads = quick(workers=pool.map)
    assert to_lists(threads.frame) == to_lists(quick().frame) != to_lists(quick(rng=2).frame)


def test_a_child_can_be_sent_to_another_process():
    coded, evolving, population = population_of(START[:2])
    child = evolving.vary(population, evolving.measure(population), np.random.default_rng(1))[0]
    there = pickle.loads(pickle.dumps(partial(grow, coded)))
    figures = there(pickle.loads(pickle.dumps((child.sheet, child.edits))))[1]
    assert figures == grow(coded, (child.sheet, child.edits))[1]


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_crossover_makes_its_share_of_the_children(share):
    _, evolving, population = population_of(START, children=400, crossover=share)
    children = evolving.vary(population, evolving.measure(population), np.random.default_rng(1))
    crossed = sum(len(child.edits.rows) > 1 for child in children)
    assert crossed / len(children) == pytest.approx(share, abs=0.1)


def test_the_callback_sees_the_best_and_all_files_and_can_stop():
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 4

    masked = quick(callback=callback, fitness="mean")
    best = seen[-1].best
    assert to_lists(masked.frame) == to_lists(best.table().frame)
    assert best.score == pytest.approx(file_figures(TABLE, masked).score("mean"))
    assert f"loss {best.figures.information_loss:.2f}, risk" in seen[-1].message
    assert len(best.files()) == len(START) == len(best.file_figures())
    again = [file_figures(TABLE, file) for file in best.files()]
    assert np.array(again) == pytest.approx(np.array(best.file_figures()))
    assert min(one.score("mean") for one in again) == pytest.approx(best.score)


def test_a_population_is_gone_on_with():
    seen = []
    quick(callback=lambda progress: seen.append(progress.best))
    resumed = []
    quick(population=seen[-1].files(), rng=5, callback=lambda progress: resumed.append(progress.best))
    assert resumed[0].score == pytest.approx(seen[-1].score)
    assert resumed[-1].score <= seen[-1].score


def test_k_is_not_kept_and_that_is_said_aloud():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        masked = quick(population=[microaggregate(TABLE, k=5)])
    assert anonymity_level(masked) < 5
    text = " ".join(str(w.message) for w in said if issubclass(w.category, PrivacyWarning))
    assert f"is {anonymity_level(masked)}-anonymous, although it started from files that are up to" in text
    assert anonymity_level(suppress_to_k(masked, k=5)) >= 5


def test_a_file_that_is_hardly_masked_is_said_aloud():
    with pytest.warns(PrivacyWarning, match=r"disclosure risk of \d+ %"):
        evolve_file(TABLE, population=[TABLE], generations=0)


def test_missing_cells_do_no_harm():
    holes = {name: [None if (i + len(name)) % 5 == 0 else v for i, v in enumerate(values)]
             for name, values in COLUMNS.items()}  # fmt: skip
    table = as_table(holes, roles={"quasi": QUASI})
    masked = evolve_file(table, generations=3, rng=1)
    assert len(masked) == 60
    assert to_lists(masked.frame)["secret"] == holes["secret"]


@pytest.mark.parametrize(
    ("columns", "rows"), [({"a": ["x"]}, 1), ({"a": ["x", "x", "x"]}, 3), ({"a": [1.5, 1.5, 1.5]}, 3)]
)
def test_tiny_and_constant_files_give_an_answer(columns, rows):
    table = as_table(columns, roles={"quasi": ["a"]})
    assert len(evolve_file(table, population=[table], generations=3, rng=1)) == rows


def test_wrong_calls_are_one_sentence():
    with pytest.raises(InvalidInput, match="`fitness` must be one of"):
        quick(fitness="least")
    with pytest.raises(InvalidInput, match="`crossover` must be a number from 0 to 1"):
        quick(crossover=2)
    with pytest.raises(InvalidInput, match="`children` must be a whole number"):
        quick(children=0)
    with pytest.raises(InvalidInput, match="File 1 of `population` has 10 records"):
        quick(population=[TABLE, TABLE.take(np.arange(10))])
    with pytest.raises(InvalidInput, match="no file to start from"):
        quick(population=[])
    with pytest.raises(InvalidInput, match="`maskers` is empty"):
        quick(population=None, maskers=[])
    empty = as_table({"a": [None, None], "b": ["x", "y"]}, roles={"quasi": ["a", "b"]})
    with pytest.raises(InvalidInput, match="has no value"):
        evolve_file(empty, population=[empty])
    with pytest.raises(ShoalError):
        evolve_file(TABLE.take(np.array([], dtype=np.intp)))
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        evolve_file(as_table(COLUMNS))


def test_too_many_categories_are_refused_by_name():
    wide = {name: [f"{i % 1400}" for i in range(1500)] for name in ("p", "q")}
    with pytest.raises(InvalidInput, match=r"too large .* column 'p'"):
        evolve_file(as_table(wide, roles={"quasi": ["p", "q"]}), generations=0)


@pytest.mark.parametrize("masker", SLOW_MASKERS, ids=lambda f: f.__name__)
def test_recipes_reach_it_by_name(masker):
    assert masker in MENUS["slow maskers"]
    assert "k" not in options_of(masker)
    step = {"method": masker.__name__, "generations": 2, "children": 5, "fitness": "max"}
    recipe = Recipe("one step", {"quasi": QUASI}, [step])
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    table = as_table(COLUMNS)
    assert to_lists(recipe.run(table, rng=1).frame) == to_lists(recipe.run(table, rng=1).frame) != COLUMNS
    compile(recipe.to_python(), "recipe", "exec")
