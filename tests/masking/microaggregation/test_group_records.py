"""Groups of a table's records: those of the partitioner on the encoded columns."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table, group_records, microaggregate
from shoal.encode import encode
from shoal.partition import mdav, relabel, sizes

RNG = np.random.default_rng(0)
TABLE = as_table(
    {
        "age": RNG.integers(18, 90, 60),
        "hours": RNG.normal(size=60),
        "region": RNG.choice(["n", "s"], 60),
        "ill": RNG.choice(["yes", "no"], 60),
    },
    roles={"quasi": ["age", "hours"], "stratum": ["region"], "confidential": ["ill"]},
)


def test_groups_are_those_of_the_partitioner_on_what_is_encoded():
    found = group_records(TABLE, k=4, partition=mdav, strata=())
    np.testing.assert_array_equal(relabel(found), mdav(encode(TABLE), 4))


def test_strata_are_grouped_apart_and_microaggregate_groups_alike():
    labels = group_records(TABLE, k=3, strata="region")
    assert sizes(labels).min() >= 3
    for group in range(labels.max() + 1):
        assert len(set(TABLE.column("region")[labels == group])) == 1
    masked = microaggregate(TABLE, k=3, strata="region")
    for group in range(labels.max() + 1):
        assert len(set(masked.column("age")[labels == group])) == 1


def test_every_group_is_diverse():
    labels = group_records(TABLE, k=3, l_diversity=2, strata=())
    for group in range(labels.max() + 1):
        assert len(set(TABLE.column("ill")[labels == group])) == 2


def test_k_larger_than_the_file_is_one_sentence():
    with pytest.raises(InvalidInput, match="k"):
        group_records(TABLE, k=61)
