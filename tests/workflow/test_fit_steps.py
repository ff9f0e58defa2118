"""Fitted steps: learned on one half of a file, the same on the other."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, Recipe, as_table
from shoal.masking import FITTERS, MASKERS, RUN_ANEW
from shoal.workflow.fit_steps import fit_steps, with_unknown_values

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def file(seed, n=120):
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(18, 90, n),
        "pay": rng.normal(100, 20, n).round(2),
        "town": rng.choice(["a", "b", "c"], n).tolist(),
        "code": rng.integers(1, 4, n),
    }
    return as_table(columns, roles={"quasi": list(columns)}, kinds={"code": "nominal", "age": "numeric"})


HIERARCHY = {"town": {"edges": {"a": "coast", "b": "coast", "c": "inland", "coast": "*", "inland": "*"}}}
LEARNING = {
    "top_code": {"quantile": 0.9, "columns": ["age", "pay"], "replacement": "mean"},
    "bottom_code": {"quantile": 0.1, "columns": ["age"]},
    "global_recode": {"levels": {"town": 1}, "hierarchies": HIERARCHY},
    "pram": {"matrices": {"method": "invariant_matrix", "p": 0.6}, "columns": ["town", "code"]},
    "add_noise": {"amount": 0.1, "correlated": True, "columns": ["age", "pay"]},
}


def test_every_masker_says_what_it_learns_or_that_it_learns_nothing():
    for masker in MASKERS:
        name = masker.__name__
        assert (name in FITTERS) != (name in RUN_ANEW), name
    assert set(LEARNING) == set(FITTERS)


@pytest.mark.parametrize("method", LEARNING)
def test_nothing_is_computed_anew_on_the_next_file(method):
    step = {"method": method, **LEARNING[method]}
    _, (fixed,), (words,) = fit_steps([step], file(1), rng=3)
    assert "keeps its" in words
    _, (again,), _ = fit_steps([fixed], file(2), rng=3)
    assert again == fixed, "a fitted step learns nothing new from another file"
    roles = {"quasi": ["age", "pay", "town", "code"]}
    text = Recipe("next year", roles, [fixed]).to_toml()
    assert Recipe.from_toml(text).steps == [fixed], "what was learned can be written down"


def test_thresholds_and_means_are_those_of_the_first_file():
    step = {"method": "top_code", **LEARNING["top_code"]}
    first, (fixed,), _ = fit_steps([step], file(1))
    second = Recipe("r", {"quasi": ["age", "pay"]}, [fixed]).run(file(2))
    for name in ("age", "pay"):
        top, limit = fixed["replacement"][name], fixed["threshold"][name]
        for before, after in ((file(1), first), (file(2), second)):
            values, released = before.column(name), after.column(name)
            assert np.allclose(released[values > limit], top)
            assert np.array_equal(released[values <= limit], values[values <= limit])


def test_noise_has_the_moments_of_the_first_file():
    first, (fixed,), _ = fit_steps([{"method": "add_noise", **LEARNING["add_noise"]}], file(1, 4000), rng=1)
    pay = file(1, 4000).column("pay")
    assert fixed["moments"]["centre"]["pay"] == pytest.approx(pay.mean())
    assert fixed["moments"]["covariance"]["pay"]["pay"] == pytest.approx(pay.var(ddof=1))
    narrow = as_table({"age": [50] * 4000, "pay": [1.0] * 4000}, roles={"quasi": ["age", "pay"]})
    narrow = as_table(narrow, roles={"quasi": ["age", "pay"]}, kinds={"age": "numeric"})
    noisy = Recipe("r", {"quasi": ["age", "pay"]}, [fixed], {"age": "numeric"}).run(narrow, rng=1)
    assert noisy.column("pay").std() == pytest.approx(0.1 * pay.std(), rel=0.1)
    assert len(first) == 4000


def test_matrices_work_where_a_category_is_missing_next_year():
    step = {"method": "pram", **LEARNING["pram"]}
    _, (fixed,), _ = fit_steps([step], file(1), rng=1)
    small = file(2).take(np.flatnonzero(file(2).column("code") != 3))
    done = Recipe("r", {"quasi": ["town", "code"]}, [fixed], {"code": "nominal"}).run(small, rng=1)
    assert set(done.frame["code"].to_list()) <= {1, 2, 3}


def test_evolved_matrices_are_kept():
    step = {"method": "pram", "columns": ["town"], "matrices": {"method": "evolve_pram", "generations": 2}}
    _, (fixed,), (words,) = fit_steps([step], file(1), rng=1)
    assert words == "pram keeps its matrices."
    assert set(fixed["matrices"]["town"]) == {"a", "b", "c"}


def test_centres_are_kept_on_request_and_shared_by_k():
    step = {"method": "microaggregate", "k": 5, "columns": ["age", "pay"]}
    first, (fixed,), (words,) = fit_steps([step], file(1), keep_centres=True)
    assert "keeps the centres" in words
    assert fit_steps([step], file(1))[1] == [step]
    second = Recipe("r", {"quasi": ["age", "pay"]}, [fixed], {"age": "numeric"}).run(file(2))
    rows = second.frame.select("age", "pay").rows()
    assert set(rows) <= set(first.frame.select("age", "pay").rows())
    assert min(rows.count(row) for row in set(rows)) >= 5


def test_unknown_values_are_refused_by_row_or_go_to_the_top():
    step = {"method": "global_recode", **LEARNING["global_recode"]}
    _, (fixed,), _ = fit_steps([step], file(1))
    new = as_table({"town": ["a", "z"]}, roles={"quasi": "town"})
    with pytest.raises(InvalidInput, match="'town' has a value at row 1 that its hierarchy does not name"):
        Recipe("r", {"quasi": ["town"]}, [fixed]).run(new)
    wider = with_unknown_values([fixed], new)
    assert Recipe("r", {"quasi": ["town"]}, wider).run(new).frame["town"].to_list() == ["coast", "*"]


@pytest.mark.parametrize("method", ["top_code", "pram", "add_noise"])
def test_strata_have_their_own_and_are_run_anew(method):
    step = {"method": method, **LEARNING[method], "strata": "region"}
    table = file(1)
    frame = table.frame.with_columns(region=np.array(["n", "s"] * 60))
    table = as_table(frame, roles={"quasi": ["age", "pay", "town", "code"]}, kinds={"code": "nominal"})
    table = as_table(table, roles={"quasi": ["age", "pay", "town", "code"]}, kinds={"age": "numeric"})
    _, (fixed,), (words,) = fit_steps([step], table, rng=1)
    assert fixed == step
    assert "is run anew" in words
