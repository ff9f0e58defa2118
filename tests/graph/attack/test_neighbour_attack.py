from __future__ import annotations

import numpy as np
import pytest

from shoal.graph import as_graph, make_social, neighbour_attack, switch_edges


@pytest.mark.parametrize("directed", [False, True])
def test_before_protection_it_finds_who_has_a_surrounding_of_their_own(directed):
    social = make_social(120, friends=4, rng=2)
    graph = as_graph(social.users.select("user"), social.edges, directed=directed)
    out, into = (np.bincount(end, minlength=120).tolist() for end in graph.edges.T)
    kinds = []
    for user in range(120):
        to = sorted((out[b], into[b]) for a, b in graph.edges.tolist() if a == user)
        come = sorted((out[a], into[a]) for a, b in graph.edges.tolist() if b == user)
        plain = sorted(
            out[x] + into[x] for pair in graph.edges.tolist() if user in pair for x in pair if x != user
        )
        kinds.append(str((to, come) if directed else plain))
    assert neighbour_attack(graph, graph) == pytest.approx(100 * len(set(kinds)) / 120)


def test_switching_hides_more_and_more():
    graph = make_social(300, rng=1).graph()
    found = [neighbour_attack(graph, switch_edges(graph, share, rng=1)) for share in (0, 0.1, 0.8)]
    assert found[0] > found[1] > found[2]
