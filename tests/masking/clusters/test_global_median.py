from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masking.clusters.test_c_median import TOWNS, small_tables
from shoal import Infeasible, InvalidInput, as_table
from shoal.datasets import make_census
from shoal.masking import global_median, mondrian


@pytest.mark.slow
@settings(max_examples=80)
@given(small_tables(), st.integers(2, 4), st.booleans(), st.sampled_from(["gain", "widest"]))
def test_regions_release_their_median_record(table, k, strict, cut):
    if len(table) < k:
        return
    masked = global_median(table, k=k, strict=strict, cut=cut, hierarchies={"town": TOWNS})
    rows = masked.frame.rows()
    assert min(Counter(rows).values()) >= k
    assert [a.kind for a in masked.attributes] == [a.kind for a in table.attributes]
    order = ["low", "middle", "high"]
    for looks in set(rows):
        mine = table.frame.rows()
        same = [row for row, released in zip(mine, rows, strict=True) if released == looks]
        for place, value in enumerate(looks):
            assert value is None or value in [row[place] for row in same], "a value of the region"
    for row, released in zip(table.frame.rows(), rows, strict=True):
        assert all(cell is not None or out is None for cell, out in zip(row, released, strict=True))
    assert set(masked.frame["rank"].drop_nulls()) <= set(order)


def test_one_region_releases_lower_medians_and_the_mode():
    columns = {"age": [10, 1, 1000, 3], "sex": ["m", "f", "m", "x"], "pay": [0.5, 2.5, 1.5, 9.0]}
    table = as_table(columns, roles={"quasi": list(columns)})
    masked = global_median(table, k=4)
    assert masked.frame.rows() == [(3, "m", 1.5)] * 4
    assert masked.frame.dtypes == table.frame.dtypes, "types stay"


def test_ordinal_files_are_as_mondrian_with_centres():
    rng = np.random.default_rng(1)
    names = ["a", "b", "c"]
    columns = {name: rng.choice(["low", "middle", "high"], 60).tolist() for name in names}
    table = as_table(
        columns, kinds={name: ["low", "middle", "high"] for name in names}, roles={"quasi": names}
    )
    assert global_median(table, k=5).frame.equals(mondrian(table, k=5, release="centres").frame)


def test_huge_values_do_not_decide_where_to_cut():
    one = {"age": [1, 2, 3, 4, 5, 6]}
    other = {"age": [1, 2, 3, 4, 5, 6_000_000]}
    found = [
        global_median(as_table(columns, roles={"quasi": ["age"]}), k=3).frame["age"].to_list()
        for columns in (one, other)
    ]
    assert found[0] == found[1] == [2, 2, 2, 5, 5, 5]


def test_strata_constraints_and_faults_are_those_of_mondrian():
    table = make_census(200, rng=1)
    columns = ["age", "education"]
    masked = global_median(table, k=4, strata="sex", columns=columns, l_diversity=2, confidential="income")
    for sex in set(table.frame["sex"]):
        rows = np.flatnonzero(table.frame["sex"].to_numpy() == sex)
        counts = Counter(masked.take(rows).frame.select(columns).rows())
        assert min(counts.values()) >= 4, "every stratum by itself"
    with pytest.raises(InvalidInput, match="`k` must be an integer"):
        global_median(table, k=1)
    with pytest.raises(InvalidInput, match="infinite value at row 0"):
        global_median(as_table({"a": [np.inf, 1.0]}, roles={"quasi": ["a"]}), k=2)


def test_small_strata_are_refused_even_where_all_is_missing():
    table = as_table({"a": [None, None, None], "s": ["x", "x", "y"]}, roles={"quasi": ["a"]})
    with pytest.raises(Infeasible, match="1 of 2 strata have fewer than k = 2 records"):
        global_median(table, k=2, strata="s")


def test_l_is_asked_for_where_every_key_is_missing():
    columns = {"age": [None] * 6, "ill": ["flu"] * 6}
    table = as_table(columns, roles={"quasi": ["age"], "confidential": ["ill"]})
    with pytest.raises(InvalidInput, match="l_diversity"):
        global_median(table, k=3, l_diversity=2)
    columns = {"age": [None] * 6, "ill": ["flu", "flu", "flu", "flu", "gout", "gout"], "town": list("aaabbb")}
    table = as_table(columns, roles={"quasi": ["age"], "confidential": ["ill"]})
    with pytest.raises(Infeasible, match="even as a whole"):
        global_median(table, k=3, l_diversity=2, strata="town")
    with pytest.raises(Infeasible, match="even as a whole"):
        global_median(table, k=3, t_closeness=0.1, strata="town")
    assert global_median(table, k=3, l_diversity=2).frame.equals(table.frame)
