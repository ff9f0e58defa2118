from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.partition import mdav, relabel, sizes
from shoal.partition._anneal.spatial_file import spatial_file
from shoal.partition._anneal.split_file import cut_file, join_parts, part_of


@given(st.integers(0, 1_000), st.integers(1, 5))
def test_parts_hold_whole_groups_and_every_row_once(seed, count):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 2))
    labels = mdav(X, 3)
    parts = cut_file(X, labels, rng.normal(size=2), count)
    assert sorted(np.concatenate(parts).tolist()) == list(range(24))
    groups = [set(labels[rows].tolist()) for rows in parts]
    assert sum(map(len, groups)) == labels.max() + 1
    assert max(map(len, groups)) - min(map(len, groups)) <= 1


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("same", [False, True])
def test_a_part_knows_what_the_file_knows_of_it(d, same):
    X = np.ones((200, d)) if same else np.random.default_rng(1).normal(size=(200, d))
    file = spatial_file(X, 3, 5, around=8, read=8)
    labels = relabel(mdav(X, 3)[file.order])
    for rows in cut_file(file.X, labels, np.ones(d), 2):
        part, inside = part_of(file, labels, rows)
        np.testing.assert_array_equal(part.X, file.X[rows])
        np.testing.assert_array_equal(part.temperature_unit, file.temperature_unit[rows])
        np.testing.assert_array_equal(inside, relabel(labels[rows]))
        outside = ~np.isin(file.near[rows], rows)
        np.testing.assert_array_equal(part.near[outside], np.nonzero(outside)[0])
        np.testing.assert_array_equal(rows[part.near][~outside], file.near[rows][~outside])
        assert 96 <= len(rows) <= 104


def test_labels_of_the_parts_do_not_collide():
    X = np.random.default_rng(1).normal(size=(90, 2))
    labels = mdav(X, 3)
    parts = cut_file(X, labels, np.ones(2), 2)
    np.testing.assert_array_equal(join_parts(parts, [labels[rows] for rows in parts], 90), labels)
    all_one = join_parts(parts, [0 * rows for rows in parts], 90)
    np.testing.assert_array_equal(np.sort(sizes(all_one)), [45, 45])
