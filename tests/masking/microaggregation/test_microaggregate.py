from __future__ import annotations

import sys
from collections import Counter
from functools import partial

import numpy as np
import pytest

from frames import LIBRARIES, to_lists
from shoal import (
    Infeasible,
    InvalidInput,
    PrivacyWarning,
    SizeWarning,
    as_table,
    group_records,
    mdav,
    microaggregate,
)
from shoal.encode import encode
from shoal.partition import blockwise, genetic, sizes

RNG = np.random.default_rng(5)
MIXED = {
    "age": RNG.integers(18, 90, 60).tolist(),
    "pay": (RNG.normal(size=60) * 900 + 2000).round(2).tolist(),
    "town": RNG.choice(["a", "b", "c"], 60).tolist(),
    "size": RNG.choice(["s", "m", "l"], 60).tolist(),
    "secret": RNG.integers(0, 9, 60).tolist(),
}
ROLES = {"quasi": ["age", "pay", "town", "size"], "confidential": ["secret"]}
KINDS = {"size": ["s", "m", "l"]}


def smallest_class(frame, names) -> int:
    """An independent count of k on the released values."""
    columns = to_lists(frame)
    return min(Counter(zip(*(columns[name] for name in names), strict=True)).values())


@pytest.mark.parametrize("k", [2, 3, 7, 30, 60])
def test_every_record_has_company_in_mixed_files(k):
    table = as_table(MIXED, roles=ROLES, kinds=KINDS)
    masked = microaggregate(table, k=k)
    assert smallest_class(masked.frame, ROLES["quasi"]) >= k
    assert to_lists(masked.frame)["secret"] == MIXED["secret"]
    assert masked.names() == table.names()


def test_all_frame_libraries_give_the_same_file():
    results = [
        to_lists(microaggregate(as_table(make(MIXED), roles=ROLES, kinds=KINDS), k=4).frame)
        for make in LIBRARIES.values()
    ]
    assert all(result == results[0] for result in results)


def test_row_order_is_kept_and_the_input_is_unchanged():
    table = as_table({"a": [9.0, 1.0, 8.0, 2.0]}, roles={"quasi": ["a"]})
    assert microaggregate(table, k=2).frame["a"].to_list() == [8.5, 1.5, 8.5, 1.5]
    assert table.frame["a"].to_list() == [9.0, 1.0, 8.0, 2.0]


def test_strata_are_never_crossed():
    table = as_table(MIXED, roles={"quasi": ["age", "pay"]})
    labels = group_records(table, k=3, strata=["town"])
    towns = np.array(MIXED["town"])
    assert all(len(set(towns[labels == group])) == 1 for group in range(labels.max() + 1))
    assert sizes(labels).min() >= 3


def test_a_small_stratum_is_refused_not_released():
    table = as_table({"a": [1.0, 2.0, 3.0, 4.0], "r": ["n", "n", "n", "s"]}, roles={"quasi": ["a"]})
    with pytest.raises(
        Infeasible, match=r"1 of 2 strata have fewer than k = 2 records \(the one of row 3 has 1\)"
    ):
        microaggregate(table, k=2, strata="r")


def test_a_missing_stratum_is_a_stratum():
    table = as_table({"a": [1.0, 2.0, 8.0, 9.0], "r": ["n", None, "n", None]}, roles={"quasi": ["a"]})
    assert group_records(table, k=2, strata="r").tolist() == [1, 0, 1, 0]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_missing_cells_stay_missing_and_take_no_part_in_means():
    table = as_table(
        {"a": [1.0, 3.0, None, 100.0, 102.0, 104.0], "b": [1.0, 1, 1, 9, 9, 9]}, roles={"quasi": ["a", "b"]}
    )
    masked = microaggregate(table, k=3, missing="keep")
    assert masked.frame["a"].to_list() == [2.0, 2.0, None, 102.0, 102.0, 102.0]


def test_missing_cells_that_stay_are_said_aloud():
    table = as_table({"a": [1.0, 3.0, None, 4.0]}, roles={"quasi": ["a"]})
    with pytest.warns(PrivacyWarning, match="Missing cells stay missing in a"):
        microaggregate(table, k=2, missing="keep")


@pytest.mark.parametrize("missing", ["together", "fill", "suppress"])
def test_missing_cells_need_not_break_k(missing):
    rng = np.random.default_rng(1)
    columns = {name: np.where(rng.random(40) < 0.3, np.nan, rng.normal(size=40)) for name in "abc"}
    masked = microaggregate(as_table(columns, roles={"quasi": list("abc")}), k=4, missing=missing)
    assert smallest_class(masked.frame, "abc") >= 4


def test_gaps_swim_with_gaps():
    """Twenty gaps, not at random: none of the values beside them is lost, where `suppress` loses many."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 100))
    a[np.argsort(b + rng.normal(size=100))[:20]] = np.nan
    table = as_table({"a": a, "b": b}, roles={"quasi": ["a", "b"]})
    assert microaggregate(table, k=4).missing()["a"] == 20
    assert microaggregate(table, k=4, missing="suppress").missing()["a"] > 40


def test_column_groups_are_treated_apart_and_said_to_be():
    table = as_table(MIXED, roles={"quasi": ["age", "pay"]})
    with pytest.warns(PrivacyWarning, match="2 column groups were microaggregated apart"):
        masked = microaggregate(table, k=5, groups=[["age"], ["pay"]])
    for name in ("age", "pay"):
        assert smallest_class(masked.frame, [name]) >= 5
    with pytest.warns(PrivacyWarning):
        again = microaggregate(table, k=5, groups=lambda t: [[name] for name in t.names("quasi")])
    assert again.frame.equals(masked.frame)


def test_a_partitioner_that_breaks_its_promise_is_caught():
    table = as_table({"a": [1.0, 2.0, 3.0, 4.0]}, roles={"quasi": ["a"]})
    with pytest.raises(Infeasible, match="fewer than k = 3"):
        microaggregate(table, k=3, partition=lambda X, k: np.array([0, 0, 1, 1]))


def test_options_of_a_partitioner_are_frozen_by_partial():
    table = as_table({"a": [1.0, 2.0, 3.0, 10.0, 11.0]}, roles={"quasi": ["a"]})
    assert sizes(group_records(table, k=2, partition=partial(mdav, leftovers="nearest"))).tolist() == [3, 2]


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_a_large_offset_does_not_change_the_groups(offset):
    values = np.array([1.0, 1.5, 9.0, 9.5, 20.0, 20.5])
    labels = group_records(as_table({"a": values + offset}, roles={"quasi": ["a"]}), k=2)
    assert labels.tolist() == [0, 0, 1, 1, 2, 2]


def test_minus_999_is_an_amount_like_any_other():
    table = as_table({"a": [-999.0, -999.0, 5.0, 7.0]}, roles={"quasi": ["a"]})
    assert microaggregate(table, k=2).frame["a"].to_list() == [-999.0, -999.0, 6.0, 6.0]


@pytest.mark.parametrize(
    ("columns", "options", "sentence"),
    [
        ({"a": [1.0, 2.0]}, {"k": 3}, "from 2 to 2"),
        ({"a": [1.0]}, {"k": 2}, "only 1 record"),
        ({"a": []}, {"k": 2}, "no records"),
        ({"a": [1.0, float("inf")]}, {"k": 2}, "infinite value at row 1"),
        ({"a": [1.0, 2.0]}, {"k": 2, "columns": ["b"]}, "no column 'b'"),
        ({"a": [1.0, 2.0]}, {"k": 2, "columns": []}, "`columns` is empty"),
        ({"a": [1.0, 2.0]}, {"k": 2, "strata": "a"}, "both define strata and be protected"),
        ({"a": [1.0, 2.0]}, {"k": 2, "missing": "drop"}, "`missing` must be one of"),
        ({"a": [1.0, 2.0]}, {"k": 2, "scale": "log"}, "`scale` must be one of"),
        ({"a": [1.0, 2.0]}, {"k": 2, "groups": [["b"]]}, "no column 'b'"),
        ({"a": [1.0, 2.0]}, {"k": 2, "groups": []}, "leaves out column 'a'"),
    ],
)
def test_mistakes_are_one_sentence(columns, options, sentence):
    table = as_table(columns, roles={"quasi": ["a"]}, kinds={"a": "numeric"} if columns["a"] else None)
    with pytest.raises(InvalidInput, match=sentence):
        microaggregate(table, **options)


def test_roles_that_cannot_be_averaged():
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        microaggregate(as_table({"a": [1.0, 2.0]}), k=2)
    with pytest.raises(InvalidInput, match="'a' is an identifier"):
        microaggregate(as_table({"a": [1.0, 2.0]}, roles={"identifier": ["a"]}), k=2, columns=["a"])


def test_a_file_too_large_for_one_piece_is_grouped_in_blocks_and_said_to_be(monkeypatch):
    monkeypatch.setattr(sys.modules["shoal.masking.microaggregation.group_records"], "BLOCKED_FROM", 50)
    table = as_table(MIXED, roles={"quasi": ["age", "pay"]})
    with pytest.warns(SizeWarning, match="60 records are grouped in blocks"):
        masked = microaggregate(table, k=3)
    assert smallest_class(masked.frame, ["age", "pay"]) >= 3
    group_records(table, k=3, partition=partial(blockwise, block_size=20))  # chosen, so nothing to say


def test_a_partitioner_that_draws_repeats_with_the_same_rng():
    table = as_table(MIXED, roles={"quasi": ["age", "pay"]})
    search = partial(genetic, generations=20)
    first, again, other = (microaggregate(table, k=5, partition=search, rng=seed) for seed in (1, 1, 2))
    assert first.frame.equals(again.frame)
    assert not first.frame.equals(other.frame)


def test_progress_reaches_the_end_and_never_goes_back():
    seen = []
    table = as_table(MIXED, roles={"quasi": ["age", "pay"]})
    microaggregate(table, k=3, strata="town", callback=lambda p: seen.append(p.fraction))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_weights_decide_which_column_forms_the_groups():
    table = as_table({"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]}, roles={"quasi": ["a", "b"]})
    assert group_records(table, k=2, weights={"a": 9}).tolist() == [0, 0, 1, 1]
    assert group_records(table, k=2, weights={"b": 9}).tolist() == [0, 1, 0, 1]
    with pytest.raises(InvalidInput, match="no column 'c'"):
        microaggregate(table, k=2, weights={"c": 1})


def test_hierarchies_form_the_groups_and_the_centres():
    towns = {
        "town": [
            ["Vigo", "Galicia", "*"],
            ["Lugo", "Galicia", "*"],
            ["Rome", "Lazio", "*"],
            ["Ostia", "Lazio", "*"],
        ]
    }
    table = as_table({"town": ["Vigo", "Rome", "Lugo", "Ostia"]}, roles={"quasi": ["town"]})
    assert group_records(table, k=2, hierarchies=towns).tolist() == [0, 1, 0, 1]
    masked = microaggregate(table, k=2, hierarchies=towns, centre="ancestor")
    assert masked.frame["town"].to_list() == ["Galicia", "Lazio", "Galicia", "Lazio"]
    with pytest.raises(InvalidInput, match="Column 'town' has a value at row 0 that its hierarchy"):
        microaggregate(table, k=2, hierarchies={"town": towns["town"][1:]})


@pytest.mark.parametrize("options", [{"l_diversity": 3}, {"t_closeness": 0.15}])
def test_groups_keep_constraints(options):
    table = as_table(MIXED, roles=ROLES, kinds={**KINDS, "secret": "nominal"})
    masked = to_lists(microaggregate(table, k=3, **options).frame)
    groups = {}
    for row in zip(*masked.values(), strict=True):
        groups.setdefault(row[:4], []).append(row[4])
    assert min(map(len, groups.values())) >= 3
    for group in groups.values():
        gap = sum(abs(group.count(v) / len(group) - MIXED["secret"].count(v) / 60) for v in range(9)) / 2
        assert len(set(group)) >= options.get("l_diversity", 1)
        assert gap <= options.get("t_closeness", 1) + 1e-9


def test_mixed_reference_files_are_k_anonymous(reference):
    """R's Gower microaggregation leaves unique records; every partition here has k."""
    for name in ("german_credit", "solar_flare"):
        table = reference(name)
        masked = microaggregate(table, k=4, missing="fill")
        assert smallest_class(masked.frame, table.names("quasi")) >= 4


@pytest.mark.parametrize("seed", range(5))
def test_many_strata_are_searched_together_and_never_crossed(seed):
    rng = np.random.default_rng(seed)
    stratum = rng.integers(0, 30, 600)
    stratum = stratum[np.bincount(stratum)[stratum] >= 3]
    columns = {"a": rng.normal(size=len(stratum)), "b": rng.integers(0, 4, len(stratum)), "s": stratum}
    table = as_table(columns, roles={"quasi": ["a", "b"]}, kinds={"b": "numeric", "s": "nominal"})
    together = group_records(table, k=3, strata="s")
    apart = group_records(table, k=3, strata="s", partition=mdav)
    assert all(len(set(stratum[together == group])) == 1 for group in range(together.max() + 1))
    assert np.bincount(together).min() >= 3
    X = encode(table, ["a", "b"])

    def loss(labels):
        return sum(
            ((X[labels == g] - X[labels == g].mean(axis=0)) ** 2).sum() for g in range(labels.max() + 1)
        )

    assert loss(together) <= loss(apart) + 1e-9


def test_a_partitioner_that_returns_more_than_labels_is_named():
    table = as_table({"a": [1.0, 2.0, 3.0, 4.0]}, roles={"quasi": ["a"]})
    with pytest.raises(InvalidInput, match="returned Search instead of labels"):
        microaggregate(table, k=2, partition=partial(genetic, details=True, generations=2))
