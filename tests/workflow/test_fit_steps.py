"""Fitted steps: learned on one half of a file, the same on the other."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, Recipe, as_table
from shoal.masking import FITTERS, MASKERS, RUN_ANEW
from shoal.workflow.fit_steps import LEARNING as FITTED
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
    "mondrian": {"k": 5, "columns": ["age", "pay", "town"], "hierarchies": HIERARCHY},
    "multivariate_top_code": {"quantile": 0.9, "columns": ["age", "pay"]},
    "recode_to_k": {
        "k": 3,
        "suppression": 0.3,
        "columns": ["age", "town"],
        "hierarchies": {**HIERARCHY, "age": {"widths": [10, 20]}},
    },
}


def test_every_masker_says_what_it_learns_or_that_it_learns_nothing():
    for masker in MASKERS:
        name = masker.__name__
        assert (name in FITTERS) != (name in RUN_ANEW), name
    assert set(LEARNING) == set(FITTED)
    assert set(FITTERS) < set(FITTED)


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


def by_region(seed, regions=("n", "s")):
    table = file(seed)
    frame = table.frame.with_columns(region=np.resize(np.array(regions), len(table)))
    return as_table(frame, roles={"quasi": table.names("quasi")}, kinds={"code": "nominal", "age": "numeric"})


@pytest.mark.parametrize("method", ["top_code", "bottom_code", "pram", "add_noise", "mondrian"])
def test_every_stratum_keeps_its_own(method):
    step = {"method": method, **LEARNING[method], "strata": "region"}
    first, (fixed,), (words,) = fit_steps([step], by_region(1), rng=1)
    assert "run anew" not in words
    assert fit_steps([fixed], by_region(2), rng=1)[1] == [fixed], "nothing is learned anew"
    text = Recipe("r", {"quasi": first.names("quasi")}, [fixed]).to_toml()
    assert Recipe.from_toml(text).steps == [fixed]
    with pytest.raises(InvalidInput, match=r"Row 2 is in a stratum"):
        fit_steps([fixed], by_region(2, ("n", "s", "w")), rng=1)


def test_thresholds_by_stratum_are_those_of_the_first_file():
    step = {"method": "top_code", "quantile": 0.9, "columns": ["pay"], "strata": ["region"]}
    _, (fixed,), _ = fit_steps([step], by_region(1))
    done, _, _ = fit_steps([fixed], by_region(2))
    for place, region in enumerate(("n", "s")):
        limit = fixed["options"][place]["threshold"]["pay"]
        before = by_region(1).column("pay")[by_region(1).column("region") == region]
        assert (before <= limit).mean() == pytest.approx(0.9)
        mine = done.column("region") == region
        assert np.array_equal(done.column("pay")[mine], np.minimum(by_region(2).column("pay")[mine], limit))


def test_levels_of_a_search_are_kept():
    step = {"method": "recode_to_k", **LEARNING["recode_to_k"]}
    first, (fixed,), _ = fit_steps([step], file(1))
    second, _, _ = fit_steps([fixed], file(2))
    assert set(fixed["levels"]) == {"age", "town"}
    labels = [{v for v in t.frame["age"].to_list() if v is not None} for t in (first, second)]
    assert all(text.startswith("[") or text == "*" for found in labels for text in map(str, found))
    assert len({len(text) for text in labels[0] | labels[1]}) == 1, "intervals of one width"
    _, (again,), (words,) = fit_steps([{**step, "scheme": "local", "suppression": 0.0}], file(1))
    assert again["scheme"] == "local"
    assert "anew" in words


@pytest.mark.parametrize("options", [{}, {"strata": "region"}, {"missing": "keep"}, {"release": "centres"}])
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_the_regions_of_a_file_are_found_again_in_it(gaps, options):
    table = by_region(3)
    gone = np.random.default_rng(1).random(len(table)) < gaps
    cells = table.cells("age")
    cells[gone] = None
    table = table.assign(age=cells)
    step = {"method": "mondrian", "k": 4, "columns": ["age", "pay", "town", "code"], **options}
    first, (fixed,), _ = fit_steps([step], table)
    again, _, _ = fit_steps([fixed], table)
    assert again.frame.equals(first.frame)


@pytest.mark.parametrize("seed", range(6))
def test_regions_of_an_earlier_file_keep_their_borders_and_k(seed):
    step = {"method": "mondrian", "k": 4, "columns": ["age", "pay", "town", "code"]}
    _, (fixed,), _ = fit_steps([step], file(seed))
    table = file(seed + 50)
    second = Recipe("r", {"quasi": step["columns"]}, [fixed], {"age": "numeric", "code": "nominal"}).run(
        table
    )
    rows = second.frame.select(step["columns"]).rows()
    assert min(rows.count(row) for row in set(rows)) >= 4
    for name in ("age", "pay"):  # whoever falls into a region is inside of it
        for value, text in zip(table.column(name), second.frame[name].to_list(), strict=True):
            low, high = (
                (float(part) for part in text.strip("[]").split(", ")) if "," in text else (float(text),) * 2
            )
            assert low <= value <= high


def test_few_records_of_a_region_go_with_the_other_part_and_too_few_are_refused():
    columns = {"age": [20, 21, 22, 60, 61, 62], "sex": ["f", "m", "f", "m", "f", "m"]}
    table = as_table(columns, roles={"quasi": "age"}, kinds={"age": "numeric"})
    _, (fixed,), _ = fit_steps([{"method": "mondrian", "k": 3}], table)
    next_year = as_table({"age": [25, 58, 59, 61]}, roles={"quasi": "age"}, kinds={"age": "numeric"})
    done, _, _ = fit_steps([fixed], next_year)
    assert done.frame["age"].to_list() == ["[20, 61]"] * 4
    with pytest.raises(InvalidInput, match="kept cuts are of the columns age, not of age, sex"):
        fit_steps([{**fixed, "columns": ["age", "sex"]}], table)
    texts = as_table({"age": ["a", "b", "c", "d"]}, roles={"quasi": "age"})
    with pytest.raises(InvalidInput, match="'age' holds text, unlike the file"):
        fit_steps([fixed], texts)
    broken = {
        **fixed,
        "cuts": [{**fixed["cuts"][0], "cuts": [{"column": "age", "from": 44, "below": 1, "above": 2}]}],
    }
    with pytest.raises(InvalidInput, match="name a value or a column that no region has"):
        fit_steps([broken], table)


def test_new_names_are_refused_by_row_or_join_others():
    step = {"method": "mondrian", "k": 2, "columns": ["town"]}
    table = as_table({"town": ["a", "a", "c", "c"]}, roles={"quasi": "town"})
    _, (fixed,), _ = fit_steps([step], table)
    new = as_table({"town": ["a", "a", "b", "c", "c"]}, roles={"quasi": "town"})
    with pytest.raises(InvalidInput, match="'town' has a value at row 2 that the kept cuts do not know"):
        fit_steps([fixed], new)
    done, _, _ = fit_steps(with_unknown_values([fixed], new), new)
    assert sorted(set(done.frame["town"].to_list())) == ["c", "{a, b}"]


def test_hierarchies_of_the_recipe_are_used_and_kept():
    table = as_table({"town": ["a", "b", "c"]}, roles={"quasi": "town"})
    steps = [{"method": "global_recode", "levels": {"town": 1}}]
    recipe = Recipe("r", {"quasi": ["town"]}, steps, hierarchies=HIERARCHY)
    masked, fitted = recipe.fit(table)
    assert masked.frame.equals(recipe.run(table).frame)
    assert list(fitted.recipe.hierarchies["town"]) == ["rows"]
    new = as_table({"town": ["a", "z"]})
    assert fitted.apply(new, unknown="top").frame["town"].to_list() == ["coast", "*"]
    with pytest.raises(InvalidInput, match="at row 1 that its hierarchy does not name"):
        fitted.apply(new)


def test_centres_of_households_are_not_kept():
    table = as_table(
        {"home": [1, 1, 2, 2, 3, 3, 4, 4], "rooms": [1, 1, 2, 2, 5, 5, 6, 6]},
        roles={"quasi": "rooms", "household": "home"},
        kinds={"rooms": "numeric"},
    )
    step = {"method": "microaggregate", "k": 2}
    assert fit_steps([step], table, keep_centres=True)[1] == [step]
    with pytest.raises(NotApplicable, match="'rooms' is the same for all members of a household"):
        fit_steps([{"method": "join_centres", "k": 2, "centres": {"rooms": [1.5, 5.5]}}], table)
