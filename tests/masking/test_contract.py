"""What every masker on the menu promises."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import oracles
from frames import LIBRARIES, to_lists
from shoal import InvalidInput, Recipe, ShoalError, Stopped, as_table
from shoal.masking import MASKERS
from shoal.workflow.registry import bind_method

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
RNG = np.random.default_rng(2)
COLUMNS = {
    "age": RNG.integers(18, 90, 40).tolist(),
    "pay": RNG.normal(size=40).round(3).tolist(),
    "town": RNG.choice(["a", "b", "c"], 40).tolist(),
    "region": ["north", "south"] * 20,
    "secret": RNG.normal(size=40).tolist(),
}
QUASI = ["age", "pay", "town"]
# the least a masker has to be told, as a recipe would say it
OPTIONS: dict[str, dict] = {
    "add_noise": {"amount": 0.3},
    "bottom_code": {"quantile": 0.1},
    "global_median": {"k": 3},
    "global_recode": {"cuts": {"age": [30, 60]}, "merge": {"town": {"coast": ["a", "b"]}}},
    "individual_ranking": {"k": 3, "columns": ["age", "pay"]},
    "microaggregate": {"k": 3},
    "join_centres": {"k": 3, "centres": {"age": [30, 50, 70], "pay": [-1.0, 0.0, 1.0]}},
    "keep_edits": {"rules": "pay = age + age"},
    "mask_strata": {
        "masker": {"method": "add_noise", "amount": 0.3},
        "strata": ["region"],
        "options": [{"of": ["north"]}, {"of": ["south"], "amount": 0.2}],
    },
    "mondrian": {"k": 3},
    "multivariate_top_code": {"quantile": 0.9},
    "pram": {"matrices": {"method": "invariant_matrix", "p": 0.6}},
    "protect_clusters": {"clusters": 3, "masker": {"method": "microaggregate", "k": 3}},
    "rank_swap": {"percent": 20},
    "shuffle": {},
    "suppress_to_k": {"k": 3},
    "swap_records": {"rare": 2, "rate": 0.2, "areas": "town"},
    "top_code": {"quantile": 0.9},
}
EVERY = pytest.mark.parametrize("masker", MASKERS, ids=lambda f: f.__name__)


def having(option):
    maskers = [masker for masker in MASKERS if option in inspect.signature(masker).parameters]
    return pytest.mark.parametrize("masker", maskers, ids=lambda f: f.__name__)


def masked(masker, table, /, rng=0, callback=None, **more):
    options = {**OPTIONS[masker.__name__], **more}
    given = {"rng": rng} if "rng" in inspect.signature(masker).parameters else {}
    if callback is not None:
        given["callback"] = callback
    return bind_method({"method": masker.__name__, **options}, MASKERS)(table, **given)


@EVERY
def test_progress_comes_and_ends(masker):
    """Every masker says how far it is, up to the end, and gives the same file as without."""
    seen = []
    table = as_table(COLUMNS, roles={"quasi": QUASI})
    assert masked(masker, table, callback=seen.append) == masked(masker, table)
    fractions = [progress.fraction for progress in seen]
    assert fractions
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)


@EVERY
@pytest.mark.parametrize("calls", [1, 2])
def test_a_stop_leaves_nothing_half_done(masker, calls):
    """Returning True ends in a whole result, one that keeps its promise, or in Stopped."""
    seen = []
    table = as_table(COLUMNS, roles={"quasi": QUASI})
    before = table.frame.clone()

    def stop(progress):
        seen.append(progress)
        return len(seen) >= calls

    try:
        found = masked(masker, table, callback=stop)
    except Stopped:
        found = None
    assert table.frame.equals(before)
    assert len(seen) <= calls or found is not None
    if found is not None:
        assert found == masked(masker, table)


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
@EVERY
def test_rows_columns_and_untouched_values_stay(masker, make):
    table = as_table(make(COLUMNS), roles={"quasi": QUASI, "confidential": ["secret"]})
    result = masked(masker, table)
    assert type(result.frame) is type(table.frame)
    assert result.names() == table.names()
    assert len(result) == len(table)
    assert [a.role for a in result.attributes] == [a.role for a in table.attributes]
    for name in ("secret", "region"):
        assert to_lists(result.frame)[name] == COLUMNS[name]
    assert to_lists(table.frame) == COLUMNS, "the input is never changed"
    assert to_lists(result.frame) != COLUMNS, "something happened"


@EVERY
def test_all_frame_libraries_give_the_same_file(masker):
    results = [
        to_lists(masked(masker, as_table(make(COLUMNS), roles={"quasi": QUASI})).frame)
        for make in LIBRARIES.values()
    ]
    assert all(result == results[0] for result in results)


@EVERY
def test_same_call_same_file(masker):
    table = as_table(COLUMNS, roles={"quasi": QUASI})
    assert to_lists(masked(masker, table).frame) == to_lists(masked(masker, table).frame)


@having("rng")
def test_another_rng_gives_another_file_and_a_generator_is_advanced(masker):
    # these hand their rng on to a method that draws; MDAV does not, and few clusters are found from any start
    drawing = {
        "microaggregate": {"partition": {"method": "genetic", "generations": 5}},
        "protect_clusters": {"masker": {"method": "add_noise", "amount": 0.3, "columns": ["age"]}},
    }
    more = drawing.get(masker.__name__, {})
    table = as_table(COLUMNS, roles={"quasi": QUASI})
    assert to_lists(masked(masker, table, rng=1, **more).frame) != to_lists(
        masked(masker, table, rng=2, **more).frame
    )
    rng = np.random.default_rng(3)
    assert to_lists(masked(masker, table, rng=rng, **more).frame) != to_lists(
        masked(masker, table, rng=rng, **more).frame
    )


@having("strata")
def test_who_is_who_in_one_stratum_does_not_matter_in_another(masker):
    """The south's records change places among themselves; the north is released as before."""
    swapped = {name: list(values) for name, values in COLUMNS.items()}
    for name in QUASI:
        swapped[name][1::2] = swapped[name][1::2][::-1]
    released = [
        masked(masker, as_table(columns, roles={"quasi": QUASI}), strata="region").frame.rows()
        for columns in (COLUMNS, swapped)
    ]
    assert released[0][::2] == released[1][::2]
    assert released[0] != released[1]


@EVERY
@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_missing_values_do_no_harm(masker):
    holes = {
        name: [None if (row + len(name)) % 5 == 0 and name in QUASI else v for row, v in enumerate(values)]
        for name, values in COLUMNS.items()
    }
    table = as_table(holes, roles={"quasi": QUASI})
    result = masked(masker, table)
    assert len(result) == 40
    assert to_lists(result.frame)["secret"] == COLUMNS["secret"]
    assert to_lists(table.frame) == holes


@having("k")
@pytest.mark.parametrize("share", [0.03, 0.3, 0.9])
def test_gaps_do_not_break_k_and_no_value_is_invented(masker, share):
    rng = np.random.default_rng(5)
    holes = {
        name: [None if name in QUASI and rng.random() < share else value for value in values]
        for name, values in COLUMNS.items()
    }
    table = as_table(holes, roles={"quasi": QUASI}, kinds={"age": "numeric", "town": "nominal"})
    released = to_lists(masked(masker, table).frame)
    wanted = OPTIONS[masker.__name__].get("columns", list(OPTIONS[masker.__name__].get("centres", QUASI)))
    together = [list(wanted)] if masker.__name__ != "individual_ranking" else [[name] for name in wanted]
    for names in together:
        rows = list(zip(*(released[name] for name in names), strict=True))
        assert min(oracles.class_sizes(rows, "category")) >= 3
    for name in wanted:
        assert all(
            after is None for before, after in zip(holes[name], released[name], strict=True) if before is None
        )


@EVERY
@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_minus_999_is_a_value(masker):
    table = as_table({**COLUMNS, "age": [-999, *COLUMNS["age"][1:]]}, roles={"quasi": QUASI})
    more = {"missing": "fill"} if masker.__name__ in ("microaggregate", "mondrian") else {}
    if masker.__name__ != "suppress_to_k":
        assert masked(masker, table, **more).missing()["age"] == 0


@EVERY
def test_no_records_are_refused_or_stay_none(masker):
    table = as_table(COLUMNS, roles={"quasi": QUASI}).take(np.array([], dtype=np.intp))
    try:
        count = len(masked(masker, table))
    except ShoalError:
        count = 0
    assert count == 0


@having("columns")
def test_identifiers_and_unknown_columns_are_refused(masker):
    table = as_table(COLUMNS, roles={"identifier": ["age"]})
    with pytest.raises(InvalidInput, match="'age' is an identifier"):
        masked(masker, table, columns=["age"])
    with pytest.raises(InvalidInput, match="no column 'agee'"):
        masked(masker, table, columns=["agee"])
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        masked(masker, table, columns=None)


@having("hierarchies")
def test_a_value_that_the_hierarchy_does_not_name_is_refused(masker):
    table = as_table(COLUMNS, roles={"quasi": QUASI})
    row = COLUMNS["town"].index("c")
    with pytest.raises(InvalidInput, match=f"Column 'town' has a value at row {row} that its hierarchy"):
        masked(masker, table, hierarchies={"town": {"rows": [["a", "*"], ["b", "*"]]}})


@EVERY
def test_recipes_reach_it_by_name(masker):
    recipe = Recipe("one step", {"quasi": QUASI}, [{"method": masker.__name__, **OPTIONS[masker.__name__]}])
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert Recipe.from_json(recipe.to_json()) == recipe
    table = as_table(COLUMNS)
    assert to_lists(recipe.run(table, rng=1).frame) == to_lists(recipe.run(table, rng=1).frame)
    compile(recipe.to_python(), "recipe", "exec")


TREAT_STRATA = pytest.mark.parametrize(
    "masker",
    [m for m in MASKERS if {"k", "strata"} <= set(inspect.signature(m).parameters)],
    ids=lambda f: f.__name__,
)


@TREAT_STRATA
def test_columns_with_the_role_stratum_are_treated_apart(masker):
    table = as_table(COLUMNS, roles={"quasi": QUASI})
    with_role = as_table(COLUMNS, roles={"quasi": QUASI, "stratum": "region"})
    found = masked(masker, with_role)
    assert to_lists(found.frame) == to_lists(masked(masker, table, strata="region").frame)
    assert found.frame["region"].to_list() == COLUMNS["region"]
    recipe = Recipe("r", {"quasi": QUASI, "stratum": ["region"]}, [{"method": masker.__name__, "k": 3}])
    first, fitted = recipe.fit(table, rng=0)
    assert to_lists(fitted.apply(table, rng=0).frame) == to_lists(first.frame)


@TREAT_STRATA
def test_a_stratum_below_k_is_refused(masker):
    columns = {**COLUMNS, "region": ["north"] * 38 + ["south"] * 2}
    table = as_table(columns, roles={"quasi": QUASI, "stratum": "region"})
    with pytest.raises(ShoalError, match="1 of 2 strata have fewer than k = 3 records"):
        masked(masker, table)
