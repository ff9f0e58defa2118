"""Where another Python package computes the same thing, it gets the same figure."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

from shoal import as_table
from shoal.measures import anonymity_level, closeness, diversity_level
from shoal.measures.risk.probabilistic_linkage_risk import agreement_patterns

KEYS = ["age", "sex", "town"]


def frame(seed, n=300):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    rng = np.random.default_rng(seed)
    return pandas.DataFrame(
        {
            "age": rng.integers(2, 5, n) * 10,
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(list("abc"), n),
            "ill": rng.choice(["flu", "cold", "none", "cough"], n, p=[0.1, 0.2, 0.6, 0.1]),
            "pay": rng.integers(1, 30, n) * 100,
        }
    )


@pytest.mark.parametrize("seed", range(5))
def test_pycanon_counts_the_same_levels(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own deprecations are not ours
        pycanon = pytest.importorskip("pycanon.anonymity", reason="pycanon is not installed")
    given = frame(seed)
    table = as_table(given, roles={"quasi": KEYS})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert anonymity_level(table, columns=KEYS) == pycanon.k_anonymity(given.copy(), KEYS)
        for secret, distance in (("ill", "equal"), ("pay", "ordered")):
            level = partial(diversity_level, table, confidential=secret, columns=KEYS)
            assert level() == pycanon.l_diversity(given.copy(), KEYS, [secret])
            entropy = pycanon.entropy_l_diversity(given.copy(), KEYS, [secret])
            assert int(level(kind="entropy") + 1e-9) == entropy
            found = closeness(table, confidential=secret, distance=distance, columns=KEYS)
            assert found == pytest.approx(pycanon.t_closeness(given.copy(), KEYS, [secret]))


def test_recordlinkage_sees_the_same_agreements():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        recordlinkage = pytest.importorskip("recordlinkage", reason="recordlinkage is not installed")
    before, after = frame(0, 60), frame(1, 60)
    index = recordlinkage.Index()
    index.full()
    compare = recordlinkage.Compare()
    for name in KEYS:
        compare.exact(name, name, label=name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vectors = compare.compute(index.index(before, after), before, after)
    expected = np.bincount((vectors[KEYS].to_numpy() * [1, 2, 4]).sum(axis=1).astype(int), minlength=8)
    codes = [np.unique(np.concatenate([before[n], after[n]]), return_inverse=True)[1] for n in KEYS]
    A, B = (np.column_stack([c[side] for c in codes]) for side in (slice(60), slice(60, None)))
    assert agreement_patterns(A, B).tolist() == expected.tolist()
