from __future__ import annotations

import warnings
from collections import Counter
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frames import LIBRARIES, to_lists
from masking.recoding.files import HIERARCHY, small_tables
from shoal import Infeasible, InvalidInput, PrivacyWarning, as_table, microaggregate
from shoal.datasets.reference import _folders
from shoal.masking.recoding.mondrian import RULES, _axis, mondrian
from shoal.masking.recoding.mondrian_cuts import cut_regions
from shoal.measures import anonymity_level, l_diversity, t_closeness


@pytest.mark.slow
@pytest.mark.parametrize("release", ["regions", "centres"])
@pytest.mark.parametrize("missing", ["together", "fill", "suppress"])
@settings(max_examples=60)
@given(small_tables(), st.integers(2, 4), st.booleans(), st.sampled_from(["gain", "widest"]), st.booleans())
def test_every_record_has_company(release, missing, table, k, strict, cut, hierarchy):
    hierarchies = HIERARCHY if hierarchy and "town" in table.names() else None
    masked = mondrian(
        table, k=k, cut=cut, strict=strict, release=release, missing=missing, hierarchies=hierarchies
    )
    columns = to_lists(masked.frame)
    rows = list(zip(*(columns[name] for name in table.names("quasi")), strict=True))
    assert min(Counter(rows).values()) >= k
    assert columns["sick"] == to_lists(table.frame)["sick"]


@settings(max_examples=40)
@given(small_tables())
def test_relaxed_regions_are_never_larger(table):
    axes = [_axis(table, name, "regions") for name in table.names("quasi")]
    everyone = np.zeros(len(table), dtype=np.intp)
    strict, relaxed = (cut_regions(axes, 2, everyone, RULES["gain"], s, None) for s in (True, False))
    assert relaxed.max() >= strict.max()
    assert np.bincount(relaxed).min() >= 2


def test_equal_values_stay_together_if_strict_and_not_if_relaxed():
    table = as_table({"a": [1, 1, 1, 1, 1, 1, 1, 2]}, roles={"quasi": ["a"]})
    assert set(mondrian(table, k=2).frame["a"].to_list()) == {"[1, 2]"}
    assert Counter(mondrian(table, k=2, strict=False).frame["a"].to_list()) == {"1": 6, "[1, 2]": 2}


def test_regions_of_every_kind():
    columns = {"age": [20, 25, 61, 67], "town": ["a", "b", "c", "d"], "size": ["s", "m", "l", "l"]}
    table = as_table(columns, roles={"quasi": list(columns)}, kinds={"size": ["s", "m", "l"]})
    assert mondrian(table, k=2).frame.rows()[::2] == [
        ("[20, 25]", "{a, b}", "[s, m]"),
        ("[61, 67]", "{c, d}", "l"),
    ]
    hierarchies = {**HIERARCHY, "age": {"widths": [10, 50]}}
    released = mondrian(table, k=2, hierarchies=hierarchies).frame.rows()[::2]
    assert released == [("[20, 30)", "A", "[s, m]"), ("[60, 70)", "C", "l")]
    centres = mondrian(table, k=2, release="centres").frame.rows()[::2]
    assert centres == [(22.5, "a", "s"), (64.0, "c", "l")]


def test_strata_are_never_crossed():
    rng = np.random.default_rng(4)
    columns = {"a": rng.normal(size=90), "r": rng.choice(["n", "s", None], 90).tolist()}
    table = as_table(columns, roles={"quasi": ["a"]})
    released = mondrian(table, k=4, strata="r").frame["a"].to_list()
    inside = {}
    for value, region in zip(released, columns["r"], strict=True):
        inside.setdefault(value, set()).add(region)
    assert all(len(regions) == 1 for regions in inside.values())


def test_missing_values_are_cut_off_first():
    table = as_table({"a": [None, None, 1.0, 2.0, 3.0, 4.0]}, roles={"quasi": ["a"]})
    assert mondrian(table, k=2).frame["a"].to_list() == [None, None, "[1, 2]", "[1, 2]", "[3, 4]", "[3, 4]"]


def test_missing_values_that_stay_are_said_aloud():
    table = as_table({"a": [None, 1.0, 2.0, 3.0]}, roles={"quasi": ["a"]})
    with pytest.warns(PrivacyWarning, match="Missing cells stay missing in a"):
        assert mondrian(table, k=2, missing="keep").frame["a"].to_list()[0] is None


def test_l_diversity_and_t_closeness_hold_in_every_region():
    rng = np.random.default_rng(7)
    columns = {"a": rng.normal(size=300), "b": rng.normal(size=300), "sick": rng.choice(["x", "y", "z"], 300)}
    table = as_table(columns, roles={"quasi": ["a", "b"], "confidential": ["sick"]})
    for options in ({"l_diversity": 3}, {"t_closeness": 0.2}, {"l_diversity": 2, "t_closeness": 0.3}):
        rows = mondrian(table, k=3, strict=False, **options).frame.rows()
        groups = {}
        for a, b, sick in rows:
            groups.setdefault((a, b), []).append(sick)
        whole = Counter(columns["sick"].tolist())
        for group in groups.values():
            assert len(set(group)) >= options.get("l_diversity", 1)
            gap = sum(abs(group.count(v) / len(group) - whole[v] / 300) for v in whole) / 2
            assert gap <= options.get("t_closeness", 1) + 1e-9
        assert len(groups) > 3


@pytest.mark.parametrize("masker", [mondrian, microaggregate], ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_the_measures_find_what_was_asked_for(masker, kind):
    rng = np.random.default_rng(3)
    sick = [None if rng.random() < 0.1 else str(v) for v in rng.integers(0, 5, 200)]
    columns = {"a": rng.normal(size=200), "b": rng.choice(list("xyz"), 200), "sick": sick}
    roles = {"quasi": ["a", "b"], "confidential": ["sick"]}
    table = as_table(columns, roles=roles, kinds={"sick": kind})
    masked = masker(table, k=3, l_diversity=3, t_closeness=0.25)
    assert l_diversity(table, masked) <= 100 / 3
    assert t_closeness(table, masked) <= 25 + 1e-9


def test_a_stratum_that_breaks_the_constraint_is_refused():
    columns = {"a": [1.0, 2.0, 3.0, 4.0], "s": ["x", "y", "x", "x"], "r": ["n", "n", "s", "s"]}
    table = as_table(columns, roles={"quasi": ["a"], "confidential": ["s"]})
    with pytest.raises(Infeasible, match=r"1 of 2 strata break the constraint .* row 2"):
        mondrian(table, k=2, l_diversity=2, strata="r")
    with pytest.raises(Infeasible, match="fewer than k = 3"):
        mondrian(table, k=3, strata="r")


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_all_frame_libraries_give_the_same_file(make):
    columns = {"age": [20, 25, 61, 67, 33, 21], "town": ["a", "b", "c", "d", "a", "a"]}
    expected = mondrian(as_table(columns, roles={"quasi": ["age", "town"]}), k=2)
    released = mondrian(as_table(make(columns), roles={"quasi": ["age", "town"]}), k=2)
    assert to_lists(released.frame) == to_lists(expected.frame)


def test_huge_tiny_and_infinite_numbers():
    for values in (
        [-1.7e308, -1.6e308, 1.6e308, 1.7e308],
        [0.0, 5e-324, 1e-300, 2e-300],
        [7.0, 7.0, 7.0, 7.0],
    ):
        table = as_table({"a": values}, roles={"quasi": ["a"]})
        assert len(set(mondrian(table, k=2).frame["a"].to_list())) == (1 if values[0] == 7 else 2)
    with pytest.raises(InvalidInput, match="infinite value at row 1"):
        mondrian(as_table({"a": [1.0, float("inf")]}, roles={"quasi": ["a"]}), k=2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"k": 9}, "`k` must be an integer from 2 to 4"),
        ({"k": 2, "cut": "best"}, "`cut` must be one of"),
        ({"k": 2, "release": "centers"}, "Did you mean 'centres'"),
        ({"k": 2, "missing": "drop"}, "`missing` must be one of"),
        ({"k": 2, "strata": "a"}, "both define strata and be protected"),
        ({"k": 2, "hierarchies": {"a": [["1", "*"]]}}, "Column 'a' has a value at row 1 that its hierarchy"),
        ({"k": 2, "l_diversity": 2}, "need a confidential column"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        mondrian(as_table({"a": [1, 2, 3, 4]}, roles={"quasi": ["a"]}), **options)


def mean_extent(table, masked):
    """GCP: how much of a column's range (or categories) a region covers, mean over cells."""
    extents = []
    for name in table.names("quasi"):
        before, after = to_lists(table.frame)[name], to_lists(masked.frame)[name]
        groups = {}
        for value, region in zip(before, zip(*to_lists(masked.frame).values(), strict=True), strict=True):
            groups.setdefault(region[:8], set()).add(value)
        assert len(after) == len(before)
        if table.attribute(name).kind == "numeric":
            whole = max(before) - min(before)
            sizes = {region: (max(group) - min(group)) / whole for region, group in groups.items()}
        else:
            whole = len(set(before)) - 1
            sizes = {region: (len(group) - 1) / whole for region, group in groups.items()}
        regions = [region[:8] for region in zip(*to_lists(masked.frame).values(), strict=True)]
        extents.append(np.mean([sizes[region] for region in regions]))
    return float(np.mean(extents))


def test_adult(reference):
    table = reference("adult_arx")
    masked = mondrian(table, k=5)
    assert anonymity_level(masked) >= 5
    assert mean_extent(table, masked) < 0.031


def test_adult_with_hierarchies(reference):
    table = reference("adult_arx")
    folder = next(f for f in _folders() if (f / "adult" / "hierarchies").is_dir()) / "adult" / "hierarchies"
    hierarchies = {name: str(folder / f"{name}.csv") for name in table.names("quasi")}
    masked = mondrian(table, k=5, hierarchies=hierarchies, l_diversity=2)
    assert anonymity_level(masked) >= 5
    assert set(masked.frame["workclass"].unique()) <= set(masked.attribute("workclass").hierarchy.labels)


@pytest.mark.parametrize("dtype", [pl.Null, pl.String, pl.Float64])
@pytest.mark.parametrize("masker", [mondrian, partial(mondrian, release="centres"), microaggregate])
def test_columns_without_a_single_value_stay_missing(masker, dtype):
    kind = "numeric" if dtype == pl.Float64 else "nominal"
    frame = pl.DataFrame({"a": pl.Series([None] * 4, dtype=dtype)})
    table = as_table(frame, roles={"quasi": ["a"]}, kinds={"a": kind})
    hierarchies = {} if kind == "numeric" else {"a": [["x", "all"], ["y", "all"]]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        assert masker(table, k=2, hierarchies=hierarchies).frame["a"].to_list() == [None] * 4


def test_a_column_of_gaps_alone_may_have_a_hierarchy():
    """Found by the fuzz: suppressed as a whole, it still has labels to cut between."""
    table = as_table({"age": [1, 2, 3, 4], "town": [None] * 4}, roles={"quasi": ["age", "town"]})
    rows = [["a", "north", "*"], ["b", "south", "*"]]
    masked = mondrian(table, k=2, hierarchies={"town": {"rows": rows}}, missing="suppress", release="centres")
    assert anonymity_level(masked) >= 2
