"""Probabilistic information loss against a slow, obvious version."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import as_table, measures

NUMERIC = files(kinds=("numeric",), least=2)


def varying(original, masked) -> list:
    return [c for c in slow.standardised(original, masked) if not c[2]]


@pytest.mark.slow
@MANY
@given(pair=NUMERIC)
def test_probabilistic_loss_agrees_with_the_slow_version(pair):
    assume(varying(*pair))
    found, expected = measures.pil_parts(*pair), slow.pil_parts(*pair)
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-4)
    assert measures.pil_loss(*pair) == pytest.approx(np.mean(list(found.values())))


def test_probabilistic_loss_grows_with_the_file_but_stays_bounded():
    rng = np.random.default_rng(1)
    x, noise = rng.normal(size=20_000), rng.normal(size=20_000)
    losses = [
        measures.pil_loss(as_table({"a": x[:n]}), as_table({"a": (x + 0.2 * noise)[:n]}))
        for n in (50, 1000, 20_000)
    ]
    assert losses == sorted(losses)
    assert losses[-1] <= 100
