from __future__ import annotations

import warnings
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masking.clusters.test_c_median import small_tables
from shoal import Infeasible, InvalidInput, PrivacyWarning, as_table
from shoal.datasets import make_census
from shoal.masking import add_noise, c_median, global_median, microaggregate, mondrian, protect_clusters
from shoal.measures import anonymity_level

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
MASKERS = {
    "microaggregate": microaggregate,
    "mondrian": mondrian,
    "global_median": global_median,
}


@pytest.mark.slow
@pytest.mark.parametrize("masker", MASKERS.values(), ids=MASKERS)
@settings(max_examples=25)
@given(table=small_tables(), k=st.integers(2, 4), c=st.integers(1, 4), seed=st.integers(0, 9))
def test_the_file_is_k_anonymous_by_independent_count(masker, table, k, c, seed):
    if len(table) < k:
        return
    masked = protect_clusters(table, clusters=c, masker=partial(masker, k=k), rng=seed)
    assert min(Counter(masked.frame.rows()).values()) >= k
    assert masked.names() == table.names()
    assert [a.role for a in masked.attributes] == [a.role for a in table.attributes]


def test_each_cluster_is_masked_as_if_it_were_the_file():
    table = make_census(120, rng=1)
    labels = np.arange(120) % 3
    masker = partial(microaggregate, k=4)
    masked = protect_clusters(table, clusters=labels, masker=masker)
    for cluster in range(3):
        rows = np.flatnonzero(labels == cluster)
        assert masked.take(rows).frame.equals(masker(table.take(rows)).frame)


def test_one_cluster_is_no_clustering():
    table = make_census(80, rng=2)
    for masker in (partial(mondrian, k=4), partial(global_median, k=4)):
        masked = protect_clusters(table, clusters=1, masker=masker)
        assert masked.frame.equals(masker(table).frame)
        assert masked.attributes == masker(table).attributes


def test_clusters_by_function_get_columns_and_rng():
    table = make_census(100, rng=3)
    seen = {}

    def halves(table, *, columns, rng):
        seen.update(columns=columns, rng=rng)
        return np.arange(len(table)) // 50

    masked = protect_clusters(table, clusters=halves, masker=partial(mondrian, k=5), columns=["age", "sex"])
    assert seen["columns"] == ["age", "sex"]
    assert isinstance(seen["rng"], np.random.Generator)
    assert anonymity_level(masked, columns=["age", "sex"]) >= 5
    assert masked.frame["region"].equals(table.frame["region"])


def test_regions_of_some_clusters_only_become_text():
    table = as_table({"a": [1, 1, 5, 7]}, roles={"quasi": ["a"]})
    masked = protect_clusters(table, clusters=[0, 0, 1, 1], masker=partial(mondrian, k=2))
    assert masked.frame["a"].to_list() == ["1", "1", "[5, 7]", "[5, 7]"]
    assert masked.attribute("a").kind == "nominal"


def test_each_cluster_draws_its_own_noise_and_a_seed_repeats_it():
    table = as_table({"a": [1.0, 2.0, 1.0, 2.0] * 5}, roles={"quasi": ["a"]})
    labels = np.repeat([0, 1], 10)
    one, same, other = (
        protect_clusters(table, clusters=labels, masker=partial(add_noise, amount=0.5), rng=seed).frame["a"]
        for seed in (1, 1, 2)
    )
    assert one.equals(same)
    assert not one.equals(other)
    noise = (one - table.frame["a"]).to_numpy()
    assert not np.allclose(noise[:10], noise[10:])


def test_small_given_clusters_are_refused_and_found_ones_made_large_enough():
    table = as_table({"a": list(range(10))}, roles={"quasi": ["a"]})
    with pytest.raises(Infeasible, match=r"1 of 2 clusters .* k = 3 records \(the one of row 8 has 2\)"):
        protect_clusters(table, clusters=[0] * 8 + [1] * 2, masker=partial(microaggregate, k=3))
    masked = protect_clusters(table, clusters=9, masker=partial(microaggregate, k=3), rng=1)
    assert anonymity_level(masked) >= 3


def test_warnings_are_said_once_and_progress_is_told():
    table = make_census(200, rng=4)
    seen = []
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        protect_clusters(
            table,
            clusters=np.arange(200) % 4,
            masker=partial(microaggregate, k=4, missing="keep"),
            columns=["age", "occupation"],
            callback=seen.append,
        )
    assert [w.category for w in heard] == [PrivacyWarning]
    assert seen[-1].fraction == pytest.approx(1)
    assert all(0 <= p.fraction <= 1 for p in seen)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"clusters": [0, 1], "masker": mondrian}, "per record"),
        ({"clusters": 0, "masker": partial(mondrian, k=2)}, "`c` must be"),
        ({"clusters": 2, "masker": "mondrian"}, "`masker` must be a masker"),
        ({"clusters": 2, "masker": mondrian, "columns": ["b"]}, "no column 'b'"),
    ],
)
def test_faults_are_sentences(options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        protect_clusters(as_table({"a": [1, 2, 3]}, roles={"quasi": ["a"]}), **options)


@QUIET
def test_partial_c_median_is_a_function_of_clusters():
    table = make_census(150, rng=5)
    found = protect_clusters(
        table,
        clusters=partial(c_median, c=3, smallest=5, columns=["age"]),
        masker=partial(mondrian, k=5),
        rng=1,
    )
    assert anonymity_level(found) >= 5
