"""Plain frames at every door: pandas, polars, pyarrow or a dict in, and the same out."""

from __future__ import annotations

import importlib
import inspect
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal import InvalidInput, Recipe, as_table, evaluate, microaggregate, suppress_to_k, write_table
from shoal.masking import MASKERS
from shoal.measures import LOSS, RISK
from shoal.workflow.registry import bind_method
from test_exports import FUNCTIONS

RNG = np.random.default_rng(3)
COLUMNS = {
    "age": RNG.integers(18, 90, 40).tolist(),
    "pay": RNG.normal(size=40).round(3).tolist(),
    "town": RNG.choice(["a", "b", "c"], 40).tolist(),
}
MAKERS = {"polars": pl.DataFrame, "pandas": pd.DataFrame, "pyarrow": pa.table, "dict": dict}
IN_EVERY = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
STEPS = {
    "add_noise": {"amount": 0.3, "columns": ["age", "pay"]},
    "bottom_code": {"quantile": 0.1, "columns": ["age"]},
    "global_median": {"k": 3, "columns": ["age", "town"]},
    "global_recode": {"cuts": {"age": [30, 60]}},
    "individual_ranking": {"k": 3, "columns": ["age", "pay"]},
    "microaggregate": {"k": 3, "columns": ["age", "town"]},
    "mondrian": {"k": 3, "columns": ["age", "town"]},
    "pram": {"matrices": {"method": "invariant_matrix", "p": 0.6}, "columns": ["town"]},
    "protect_clusters": {"clusters": 3, "masker": {"method": "mondrian", "k": 3}, "columns": ["age", "town"]},
    "rank_swap": {"percent": 20, "columns": ["age", "pay"]},
    "shuffle": {"columns": ["age"], "predictors": ["pay"]},
    "suppress_to_k": {"k": 3, "columns": ["age", "town"]},
    "top_code": {"quantile": 0.9, "columns": ["age"]},
}


def plain(frame) -> dict[str, list]:
    return {a.name: as_table(frame).cells(a.name).tolist() for a in as_table(frame).attributes}


def tables_of(function) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.annotation == "Table" or str(p.annotation).startswith("Table |")]


WITH_TABLES = [function for function in FUNCTIONS.values() if tables_of(function)]


@pytest.mark.parametrize("function", WITH_TABLES, ids=lambda f: f.__name__)
def test_every_public_function_that_takes_a_table_takes_frames(function):
    assert getattr(function, "takes_frames", False), "decorate it with takes_frames (shoal._door)"


@pytest.mark.parametrize("room", ["shoal.encode", "shoal.models", "shoal.workflow"])
def test_so_do_the_rooms_without_a_front(room):
    module = importlib.import_module(room)
    functions = [getattr(module, name) for name in getattr(module, "__all__", ())]
    assert all(f.takes_frames for f in functions if inspect.isfunction(f) and tables_of(f))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@IN_EVERY
@pytest.mark.parametrize("masker", [m for m in MASKERS if m.__name__ in STEPS], ids=lambda f: f.__name__)
def test_maskers_give_back_what_they_got(masker, make):
    step = bind_method({"method": masker.__name__, **STEPS[masker.__name__]}, MASKERS)
    given = {"rng": 1} if "rng" in inspect.signature(masker).parameters else {}
    frame = make(COLUMNS)
    released = step(frame, **given)
    assert type(released) is type(frame)
    assert plain(released) == plain(step(as_table(COLUMNS), **given).frame)
    assert plain(frame) == plain(COLUMNS)


@IN_EVERY
@pytest.mark.parametrize("measure", [*LOSS, *RISK], ids=lambda f: f.__name__)
def test_measures_say_the_same(measure, make):
    masked = microaggregate(COLUMNS, k=3, columns=["age", "pay"])
    given = {"rng": 1} if "rng" in inspect.signature(measure).parameters else {}
    call = partial(measure, columns=["age", "pay"], **given)
    try:
        expected = call(as_table(COLUMNS), as_table(masked))
    except shoal.ShoalError as error:
        with pytest.raises(type(error)):
            call(make(COLUMNS), make(masked))
    else:
        assert call(make(COLUMNS), make(masked)) == expected


@IN_EVERY
def test_a_whole_day_without_a_table(make, tmp_path):
    frame = make(COLUMNS)
    masked = suppress_to_k(frame, k=3, columns=["town"])
    assert type(masked) is type(frame)
    assert evaluate(frame, masked, columns=["town"]).k >= 3
    recipe = Recipe("r", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 3}])
    assert type(recipe.run(frame)) is type(frame)
    assert write_table(masked, tmp_path / "a.csv").exists()


def test_a_table_gives_a_table_and_what_is_no_frame_one_sentence():
    assert isinstance(microaggregate(as_table(COLUMNS), k=3, columns=["age"]), shoal.Table)
    with pytest.raises(InvalidInput, match="A frame of pandas, polars or pyarrow is needed, got str"):
        microaggregate("people.csv", k=3)
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        microaggregate(COLUMNS, k=3)
