from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, PrivacyWarning, as_table
from shoal.masking.noise.add_noise import add_noise

N = 20_000
RNG = np.random.default_rng(1)
A = RNG.normal(50, 10, N)
B = 1e9 + 0.8 * A + RNG.normal(0, 6, N)
TABLE = as_table({"a": A, "b": B, "c": RNG.normal(size=N)}, roles={"quasi": ["a", "b"]})


def noise(released, name):
    return released.column(name) - TABLE.column(name)


@pytest.mark.parametrize("correlated", [False, True])
def test_noise_has_the_size_and_correlation_asked_for(correlated):
    released = add_noise(TABLE, amount=0.3, correlated=correlated, rng=2)
    a, b = noise(released, "a"), noise(released, "b")
    assert abs(a.mean()) < 0.1
    assert a.std() == pytest.approx(0.3 * A.std(), rel=0.03)
    assert b.std() == pytest.approx(0.3 * B.std(), rel=0.03)
    expected = np.corrcoef(A, B)[0, 1] if correlated else 0.0
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(expected, abs=0.03)
    assert abs(np.corrcoef(a, A)[0, 1]) < 0.03, "noise knows nothing about the values"
    assert np.array_equal(released.column("c"), TABLE.column("c"))


def test_correlated_noise_can_keep_all_covariances():
    released = add_noise(TABLE, amount=0.5, correlated=True, keep_variance=True, rng=3)
    after = np.cov(released.column("a"), released.column("b"))
    assert after == pytest.approx(np.cov(A, B), rel=0.03)
    assert released.column("a").mean() == pytest.approx(A.mean(), abs=0.3)


def test_strata_have_their_own_variance():
    columns = {
        "a": np.concatenate([RNG.normal(0, 1, 5000), RNG.normal(0, 100, 5000)]),
        "r": [0] * 5000 + [1] * 5000,
    }
    table = as_table(columns, roles={"quasi": ["a"]}, kinds={"r": "nominal"})
    change = add_noise(table, amount=0.2, strata="r", rng=1).column("a") - columns["a"]
    assert change[:5000].std() == pytest.approx(0.2, rel=0.1)
    assert change[5000:].std() == pytest.approx(20, rel=0.1)


@pytest.mark.parametrize("correlated", [False, True])
def test_missing_cells_stay_missing(correlated):
    table = as_table({"a": [1.0, None, 3.0, 9.0], "b": [2.0, 5.0, None, 1.0]}, roles={"quasi": ["a", "b"]})
    released = add_noise(table, amount=0.1, correlated=correlated, rng=1)
    assert [v is None for v in released.frame["a"].to_list()] == [False, True, False, False]
    assert [v is None for v in released.frame["b"].to_list()] == [False, False, True, False]


def test_integers_stay_integers_if_asked():
    table = as_table({"a": [10, 20, 30, None]}, roles={"quasi": ["a"]})
    assert add_noise(table, amount=0.5, round=True, rng=1).frame["a"].dtype.is_integer()
    assert add_noise(table, amount=0.5, rng=1).frame["a"].dtype.is_float()


def test_a_constant_column_is_said_aloud():
    table = as_table({"a": [0.1, 0.1, 0.1], "b": [1.0, 2.0, 3.0]}, roles={"quasi": ["a", "b"]})
    with pytest.warns(PrivacyWarning, match="No noise was added in a where"):
        add_noise(table, amount=0.5, rng=1)


def test_collinear_columns_do_no_harm():
    table = as_table({"a": A, "b": 2 * A}, roles={"quasi": ["a", "b"]})
    released = add_noise(table, amount=0.2, correlated=True, rng=1)
    assert released.column("b") == pytest.approx(2 * released.column("a"), rel=1e-6)


def test_what_it_is_not_for():
    with pytest.raises(NotApplicable, match="No quasi-identifier is numeric"):
        add_noise(as_table({"x": ["a"]}, roles={"quasi": ["x"]}), amount=0.1)
    for amount in (0, -1, "x"):
        with pytest.raises(InvalidInput, match="`amount` must be a number at least"):
            add_noise(TABLE, amount=amount)
    with pytest.raises(InvalidInput, match="infinite value at row 1"):
        add_noise(as_table({"x": [1.0, float("inf")]}, roles={"quasi": ["x"]}), amount=0.1)
