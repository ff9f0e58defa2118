from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput
from shoal.graph import make_social


def test_the_same_rng_gives_the_same_network_and_another_another():
    one, same, other = (make_social(80, rng=seed) for seed in (1, 1, 2))
    for name in ("users", "posts", "edges"):
        assert getattr(one, name).equals(getattr(same, name))
        assert not getattr(one, name).equals(getattr(other, name))
    rng = np.random.default_rng(3)
    assert not make_social(80, rng=rng).edges.equals(make_social(80, rng=rng).edges)


def test_shapes_are_those_asked_for():
    made = make_social(300, friends=7, posts=2, rng=1)
    assert (made.users.height, made.posts.height, made.edges.height) == (300, 600, 1050)
    graph = made.graph()
    assert len(graph.edges) == 1050, "no loops, no repetitions"
    assert made.users["location"].null_count() < 60


def test_friends_are_alike_and_some_have_many():
    graph = make_social(2000, rng=1).graph()
    place = graph.users["location"].fill_null("?").to_numpy()
    ends = graph.edges
    mixed = np.random.default_rng(0).permutation(ends[:, 1])
    alike, by_chance = (np.mean(place[ends[:, 0]] == place[other]) for other in (ends[:, 1], mixed))
    assert alike > 3 * by_chance
    assert graph.degrees.max() > 5 * graph.degrees.mean()


def test_tiny_and_complete_networks():
    assert make_social(2, friends=0.5, rng=1).edges.height == 0
    assert len(make_social(3, friends=0, rng=1).graph().edges) == 0
    assert make_social(6, friends=2.5, rng=1).edges.height == round(6 * 2.5 / 2)
    for n, friends in ((1, None), (10, 5), (10, -1)):
        with pytest.raises(InvalidInput, match="friends on average"):
            make_social(n, friends=friends)
