from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from shoal import InvalidInput, NotApplicable, PrivacyWarning, as_table
from shoal.masking.swapping.shuffle import shuffle

N = 10_000
RNG = np.random.default_rng(1)
X = RNG.normal(size=N)
Y = np.exp(0.8 * X + 0.6 * RNG.normal(size=N))
Z = 0.5 * np.log(Y) + RNG.normal(size=N)
TABLE = as_table({"x": X, "y": Y, "z": Z}, roles={"quasi": ["y", "z"]})


def test_rank_correlations_with_predictors_and_among_themselves_are_kept():
    released = shuffle(TABLE, predictors=["x"], rng=2)
    for first, second in (("x", "y"), ("x", "z"), ("y", "z")):
        before = spearmanr(TABLE.column(first), TABLE.column(second)).statistic
        assert spearmanr(released.column(first), released.column(second)).statistic == pytest.approx(
            before, abs=0.04
        )
    assert np.array_equal(np.sort(released.column("y")), np.sort(Y)), "the same values"
    assert np.array_equal(released.column("x"), X)


def test_given_the_predictors_the_old_value_says_nothing():
    released = shuffle(TABLE, predictors=["x"], rng=2)
    old, new = np.log(Y) - 0.8 * X, np.log(released.column("y")) - 0.8 * X
    assert abs(np.corrcoef(old, new)[0, 1]) < 0.05


def test_without_predictors_the_relation_to_other_columns_is_gone():
    released = shuffle(TABLE, rng=2)
    assert abs(spearmanr(released.column("x"), released.column("y")).statistic) < 0.05
    assert spearmanr(released.column("y"), released.column("z")).statistic == pytest.approx(
        spearmanr(Y, Z).statistic, abs=0.04
    )


@settings(max_examples=100)
@given(st.lists(st.none() | st.integers(-5, 5), min_size=1, max_size=30), st.integers(0, 99))
def test_values_stay_in_the_file_and_gaps_stay_gaps(values, seed):
    values = [1, 2, *values]
    released = shuffle(as_table({"x": values}, roles={"quasi": ["x"]}), rng=seed).frame["x"].to_list()
    assert Counter(released) == Counter(values)
    assert [v is None for v in released] == [v is None for v in values]


def test_strata_keep_their_values():
    columns = {"y": Y[:200], "r": ["n", "s"] * 100}
    released = shuffle(as_table(columns, roles={"quasi": ["y"]}), strata="r", rng=1).column("y")
    assert np.array_equal(np.sort(released[::2]), np.sort(Y[:200:2]))
    assert not np.array_equal(released, Y[:200])


def test_predictors_that_say_everything_are_said_aloud():
    table = as_table({"x": X, "y": 2 * X}, roles={"quasi": ["y"]})
    with pytest.warns(PrivacyWarning, match="y hardly changed"):
        shuffle(table, predictors="x", rng=1)
    with pytest.warns(PrivacyWarning, match="y hardly changed"):
        shuffle(as_table({"y": [1, 2, 3], "r": ["n", "n", "s"]}, roles={"quasi": ["y"]}), strata="r", rng=1)


def test_missing_predictors_count_as_average():
    table = as_table({"x": [None, 1.0, 2.0, 3.0], "y": [4.0, 1.0, 2.0, 3.0]}, roles={"quasi": ["y"]})
    assert sorted(shuffle(table, predictors="x", rng=1).column("y")) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"predictors": ["y"]}, InvalidInput, "both be shuffled and be a predictor"),
        ({"predictors": ["town"]}, NotApplicable, "'town' is nominal and has no ranks"),
        ({"predictors": ["w"]}, InvalidInput, "no column 'w'"),
        ({"columns": ["town"]}, NotApplicable, "Column 'town' is nominal"),
    ],
)
def test_mistakes_are_one_sentence(options, error, sentence):
    table = as_table({"y": [1.0, 2.0], "town": ["a", "b"]}, roles={"quasi": ["y"]})
    with pytest.raises(error, match=sentence):
        shuffle(table, **options)
