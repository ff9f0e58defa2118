from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from shoal.graph import main_directions as directions


def test_many_coordinates_give_the_directions_of_few(monkeypatch):
    rng = np.random.default_rng(1)
    dense = rng.normal(size=(300, 40)) * np.linspace(5, 0.1, 40) * (rng.random((300, 40)) < 0.5)
    X = csr_array(dense)
    few = directions.main_directions(X)
    monkeypatch.setattr(directions, "DENSE", 10)
    many = directions.main_directions(X)
    assert few.shape == many.shape == (300, 16)
    same = np.abs(np.sum(few * many, axis=0)) / np.linalg.norm(few, axis=0) / np.linalg.norm(many, axis=0)
    assert (same[:10] > 0.999).all()


def test_blocks_are_all_rows_once_in_multiples_of_k():
    Z = np.random.default_rng(2).normal(size=(101, 3))
    blocks = list(directions.halved(Z, 101, 4, 20))
    assert sorted(np.concatenate(blocks).tolist()) == list(range(101))
    assert sorted(len(block) % 4 for block in blocks)[:-1] == [0] * (len(blocks) - 1)
    assert max(map(len, blocks)) <= 20
    assert [len(block) for block in directions.halved(None, 7, 2, 3)] == [7]
