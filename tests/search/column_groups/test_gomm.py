from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from shoal import InvalidInput, NotApplicable, PrivacyWarning, Progress, Recipe, as_table, microaggregate
from shoal.datasets import make_scattered
from shoal.partition import mdav, v_mdav
from shoal.search import (
    SEARCHES,
    all_together,
    correlated_apart,
    correlated_together,
    d_gomm,
    each_alone,
    gomm,
    grouping_cost,
)
from shoal.search.column_groups.grouping_genes import canonical

SMALL = {"population": 12, "crossovers": 3, "mutations": 2, "generations": 6}
small_gomm, small_d_gomm = partial(gomm, **SMALL), partial(d_gomm, **SMALL)


@pytest.fixture(scope="module")
def table():
    return make_scattered(60, d=6, rng=1)


def partitions(items):
    """All groupings of a few items."""
    if not items:
        yield []
        return
    first, *rest = items
    for groups in partitions(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda f: f.__name__)
def test_it_finds_the_best_of_all_groupings(search):
    table = make_scattered(40, d=4, rng=2)
    best = min(grouping_cost(table, groups, k=8).score for groups in partitions(table.names()))
    found = search(table, k=8, population=20, generations=15, rng=1)
    assert found.cost.score == pytest.approx(best)


@pytest.mark.parametrize("search", [small_gomm, small_d_gomm])
def test_groups_hold_every_column_once_and_the_cost_is_theirs(search, table):
    found = search(table, k=5, rng=1)
    assert sorted(name for group in found for name in group) == sorted(table.names())
    assert found.cost == grouping_cost(table, found, k=5)
    assert len(found) == len(found.groups)
    assert found[0] == found.groups[0]
    assert list(found) == list(found.groups)


@pytest.mark.parametrize("search", [small_gomm, small_d_gomm])
def test_same_rng_same_result_with_any_workers(search, table):
    plain, again = search(table, k=5, rng=7), search(table, k=5, rng=7)
    with ThreadPoolExecutor(3) as pool:
        threads = search(table, k=5, rng=7, workers=pool.map)
    assert plain == again == threads
    assert plain.history.equals(threads.history)
    assert not plain.history.equals(search(table, k=5, rng=8).history)


def test_a_generator_is_used_and_advanced(table):
    rng = np.random.default_rng(1)
    assert not small_gomm(table, k=5, rng=rng).history.equals(small_gomm(table, k=5, rng=rng).history)


def test_more_generations_are_never_worse(table):
    scores = [gomm(table, k=5, **SMALL | {"generations": g}, rng=3).cost.score for g in (0, 2, 6, 12)]
    assert scores == sorted(scores, reverse=True)


def test_the_start_is_never_lost(table):
    hand_made = [
        all_together(table),
        each_alone(table),
        correlated_together(table, size=2),
        correlated_apart(table, size=3),
    ]
    found = small_gomm(table, k=5, initial=hand_made, rng=1)
    assert found.cost.score <= min(grouping_cost(table, groups, k=5).score for groups in hand_made)
    nothing = gomm(table, k=5, population=4, generations=0, initial=hand_made, rng=1)
    assert nothing.cost.score == min(grouping_cost(table, groups, k=5).score for groups in hand_made)


def test_microaggregate_hands_on_what_it_has_and_keeps_what_is_frozen(table):
    seen = {}

    def groups(table, *, k, partition, columns, rng, callback, size=1):
        seen.update(k=k, partition=partition, columns=columns, draw=rng.random(), size=size)
        callback(Progress(1.0))
        return [columns]

    told = []
    frozen = partial(groups, size=3, partition=mdav)
    microaggregate(
        table, k=5, groups=frozen, columns=["x1", "x2"], partition=v_mdav, rng=4, callback=told.append
    )
    draw = np.random.default_rng(4).random()
    assert seen == {"k": 5, "partition": mdav, "columns": ["x1", "x2"], "draw": draw, "size": 3}
    assert told[0].fraction == 0.5
    assert told[-1].fraction == 1.0


def test_it_is_an_option_of_microaggregate_and_of_recipes(table):
    search = partial(small_gomm, k=5, rng=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        masked = microaggregate(table, k=5, groups=search)
        assert masked.frame.equals(microaggregate(table, k=5, groups=search(table)).frame)
        step = {"method": "microaggregate", "k": 5, "groups": {"method": "gomm", "k": 5, **SMALL}}
        recipe = Recipe("r", {"quasi": table.names()}, [step])
        assert not recipe.run(table).frame.equals(table.frame)
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert "partial(gomm, k=5, population=12" in recipe.to_python()
    assert "from shoal.search import gomm" in recipe.to_python()


def test_columns_may_be_named(table):
    found = small_gomm(table, k=5, columns=["x4", "x2"], rng=1)
    assert sorted(name for group in found for name in group) == ["x2", "x4"]


def test_one_column_has_one_grouping():
    found = small_gomm(make_scattered(20, d=1, rng=1), k=4, rng=1)
    assert found.groups == (("x1",),)
    assert found.effort.groups_microaggregated == 1


def test_records_that_are_all_alike():
    table = as_table({"a": [1.0] * 8, "b": [2.0] * 8}, roles={"quasi": ["a", "b"]})
    assert small_gomm(table, k=2, rng=1).cost == (0.0, 100.0, 0.0)


def test_history_tells_every_operator_of_every_generation(table):
    found = small_gomm(table, k=5, rng=1)
    history = found.history
    operators = [
        "crossover",
        "group_create",
        "group_eliminate",
        "group_split",
        "element_swap",
        "element_move",
    ]
    assert history["operator"].to_list() == ["start", *operators * 6]
    assert history["children"].to_list() == [12, *[6, 2, 2, 2, 2, 2] * 6]
    assert found.effort.groupings_asked == history["children"].sum()
    born = history.filter(pl.col("generation") > 0)
    assert (born["improved"] + born["worsened"] + born["unchanged"] == born["children"]).all()
    assert (born["discarded"] <= born["unused"]).all()
    assert born.filter(pl.col("generation") == 6)["unused"].sum() == 16
    best = history.unique("generation", maintain_order=True)["best"].to_list()
    assert all(later <= earlier for earlier, later in pairwise(best))
    assert best[-1] == found.cost.score


def test_one_operator_alone(table):
    found = gomm(table, k=5, population=10, crossovers=0, mutations={"group_create": 7}, generations=3, rng=1)
    assert found.history["operator"].to_list() == ["start", *["group_create"] * 3]
    assert found.history["children"].to_list() == [10, 7, 7, 7]


def test_the_first_population_is_random_groupings(table):
    history = gomm(table, k=5, population=300, generations=0, rng=1).history
    rng = np.random.default_rng(1)
    drawn = [max(canonical(rng.integers(6, size=6).tolist())) + 1 for _ in range(300)]
    assert history["mean_groups"].to_list() == [pytest.approx(np.mean(drawn))]


def test_d_gomm_drops_operators_and_then_ends(table):
    found = d_gomm(table, k=5, population=20, generations=400, rng=1)
    assert found.stopped == "no children"
    last = found.history.group_by("operator").agg(pl.col("generation").max())
    assert last["generation"].n_unique() > 2, "operators end in different generations"
    for operator, end in last.filter(pl.col("operator") != "start").iter_rows():
        rows = found.history.filter((pl.col("operator") == operator) & (pl.col("generation") > end - 5))
        assert (rows["discarded"] == rows["children"]).all()
        assert len(rows) == 5


def test_d_gomm_is_gomm_until_something_is_dropped(table):
    options = {"k": 5, "population": 20, "generations": 60, "rng": 4}
    dropping, keeping = d_gomm(table, **options).history, gomm(table, **options).history
    first_drop = (
        dropping.filter(pl.col("generation") > 0).group_by("operator").agg(pl.col("generation").max())
    )
    shared = pl.col("generation") <= first_drop["generation"].min()
    columns = ["generation", "operator", "best", "mean_groups", "best_child"]
    assert dropping.filter(shared).select(columns).equals(keeping.filter(shared).select(columns))
    assert len(dropping) < len(keeping)


def test_ways_to_stop(table):
    assert small_gomm(table, k=5, rng=1).stopped == "generations"
    assert gomm(table, k=5, **SMALL | {"generations": 500}, patience=2, rng=1).stopped == "patience"
    assert small_gomm(table, k=5, seconds=0, rng=1).stopped == "seconds"
    assert gomm(table, k=5, **SMALL | {"crossovers": 0, "mutations": 0}, rng=1).stopped == "no children"


def test_callback_sees_groups_and_may_stop(table):
    seen = []
    found = small_gomm(table, k=5, rng=1, callback=lambda p: seen.append(p) or len(seen) == 3)
    assert found.stopped == "callback"
    assert [p.fraction for p in seen] == [0, 1 / 6, 2 / 6]
    assert seen[-1].best == found.groups
    assert seen[-1].message == (
        f"generation 2 of 6, score {found.cost.score:.2f}, groups of columns: {len(found.groups)}"
    )


def test_memory_saves_most_of_the_work(table):
    calls = []

    def counting(X, k):
        calls.append(1)
        return mdav(X, k)

    found = gomm(table, k=5, partition=counting, population=30, generations=20, rng=1)
    assert found.effort.groups_microaggregated == len(calls) <= 2**6 - 1
    assert found.effort.groupings_measured < found.effort.groupings_asked == 30 + 20 * 100
    assert found.effort.groups_asked > found.effort.groupings_asked


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"k": 1}, "`k` must be"),
        ({"population": 1}, "`population` must be a number at least 2, got 1"),
        ({"crossovers": -1}, "`crossovers` must be a whole number of at least 0, got -1"),
        ({"mutations": 2.5}, "`mutations` must be a whole number of at least 0, got 2.5"),
        ({"mutations": {"group_creat": 1}}, "no mutation 'group_creat'. Did you mean 'group_create'"),
        ({"generations": -1}, "`generations` must be"),
        ({"initial": [[["x1"]]]}, "leaves out column 'x2'"),
        ({"initial": [["x1", "x2"]]}, "list of lists"),
        ({"population": 2, "initial": [[[f"x{j}" for j in range(1, 7)]]] * 3}, "3 groupings, more than"),
        ({"columns": ["x9"]}, "no column 'x9'"),
    ],
)
def test_faults_are_one_sentence(table, options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        gomm(table, **{"k": 5, **SMALL, **options})


def test_idle_must_be_a_count(table):
    with pytest.raises(InvalidInput, match="`idle` must be"):
        small_d_gomm(table, k=5, idle=0)


def test_missing_values_and_names_are_refused():
    table = as_table({"a": [1, 2, None, 4], "b": [1, 2, 3, 4]}, roles={"quasi": ["a", "b"]})
    with pytest.raises(InvalidInput, match="'a' has a missing value at row 2"):
        gomm(table, k=2)
    table = as_table({"a": [1, 2, 3, 4], "b": ["x"] * 4}, roles={"quasi": ["a", "b"]})
    with pytest.raises(NotApplicable, match="'b' is nominal"):
        gomm(table, k=2)


def test_ranks_that_may_be_amounts_are_said():
    table = as_table({"rooms": [1, 2, 3, 4] * 30, "pay": [float(x) for x in range(120)]})
    with pytest.raises(NotApplicable, match="declare it numeric if they are amounts"):
        gomm(table, k=5, columns=["rooms", "pay"])
