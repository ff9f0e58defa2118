"""Samples: whole households, every stratum its share, weights that estimate the same total."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal import InvalidInput, as_table
from shoal.masking import sample_records


def households(seed):
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(200), rng.integers(1, 5, 200))
    region = np.where(home < 40, "north", "south")
    weight = rng.uniform(1, 9, 200)[home]
    return as_table(
        {"home": home, "region": region, "w": weight, "age": rng.integers(0, 90, len(home))},
        roles={"household": "home", "stratum": "region", "weight": "w"},
    )


@pytest.mark.parametrize("seed", range(20))
def test_whole_households_of_every_stratum_are_drawn_in_order(seed):
    table = households(seed)
    sample = sample_records(table, share=0.25, rng=seed)
    homes = sample.frame.group_by("region").agg(pl.col("home").n_unique()).rows()
    assert dict(homes) == {"north": 10, "south": 40}
    whole = table.frame.filter(pl.col("home").is_in(sample.frame["home"].unique().to_list()))
    assert sample.frame.drop("w").equals(whole.drop("w")), "members complete, order kept"
    assert np.allclose(sample.frame["w"], whole["w"] * 4)


def test_without_roles_every_record_is_drawn_by_itself():
    sample = sample_records(as_table({"age": range(50)}), share=0.5, rng=1)
    assert len(sample) == 25
    assert sample.frame["age"].is_sorted()
    assert len(sample_records(as_table({"age": range(50)}), share=1, rng=1)) == 50
    assert len(sample_records(as_table({"age": range(50)}), share=0.001, rng=1)) == 1


def test_a_household_in_two_strata_is_refused():
    table = as_table({"home": [1, 1], "region": ["a", "b"]})
    with pytest.raises(InvalidInput, match="household of row 1 lies in two strata"):
        sample_records(table, share=0.5, household="home", strata="region")


@pytest.mark.parametrize("share", [0, 1.1, "much"])
def test_bad_shares_are_one_sentence(share):
    with pytest.raises(InvalidInput, match="`share` must be a number from"):
        sample_records(as_table({"age": [1, 2]}), share=share)
