"""A file written in its old order, or back to front, is caught; a shuffled one is not."""

from __future__ import annotations

import numpy as np
import pytest

from measures.attack.releases import persons, scene
from shoal import InvalidInput, NotApplicable, mondrian
from shoal.measures.attack.unshuffle import unshuffle


def released():
    table = persons()
    return table, mondrian(table, k=5)


@pytest.mark.parametrize("step", [1, -1])
def test_the_old_order_is_caught(step):
    table, masked = released()
    found = unshuffle(scene(table, masked, written=masked.take(np.arange(400)[::step])))
    assert found.found
    assert found.success == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_shuffled_file_is_not(seed):
    table, masked = released()
    order = np.random.default_rng(seed).permutation(400)
    assert not unshuffle(scene(table, masked, written=masked.take(order))).found


def test_it_needs_the_written_file():
    table, masked = released()
    with pytest.raises(NotApplicable, match="written"):
        unshuffle(scene(table, masked))
    with pytest.raises(InvalidInput, match="400"):
        unshuffle(scene(table, masked, written=masked.take(np.arange(3))))
