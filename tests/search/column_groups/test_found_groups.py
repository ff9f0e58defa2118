"""What a search for groups gives back."""

from __future__ import annotations

import pickle
from functools import partial

import pytest

from shoal.datasets import make_scattered
from shoal.search import (
    d_gomm,
    gomm,
)

SMALL = {"population": 12, "crossovers": 3, "mutations": 2, "generations": 6}
small_gomm, small_d_gomm = partial(gomm, **SMALL), partial(d_gomm, **SMALL)


@pytest.fixture(scope="module")
def table():
    return make_scattered(60, d=6, rng=1)


def test_the_result_can_be_printed_and_kept(table):
    found = small_gomm(table, k=5, rng=1)
    assert str(found).startswith(f"{len(found)} group")
    assert all(name in str(found) for name in table.names())
    assert pickle.loads(pickle.dumps(found)) == found
    assert "seed" not in repr(found)
