from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings

from graph.networks import networks
from shoal import InvalidInput
from shoal.graph import communities, from_networkx, make_social, structure_losses, switch_edges, to_networkx
from shoal.graph.losses.structure_losses import clustering, modularity


@pytest.mark.slow
@settings(max_examples=40)
@given(networks())
def test_clustering_and_modularity_as_networkx_counts_them(graph):
    other = to_networkx(graph)
    links = graph.links.tocsr()
    links.sort_indices()
    assert clustering(links) == pytest.approx(networkx.transitivity(other))
    groups = communities(graph, rng=1)
    names = graph.users["user"].to_list()
    parts = [{names[i] for i in np.flatnonzero(groups == g)} for g in range(groups.max() + 1)]
    if len(graph.edges):
        assert modularity(links, groups) == pytest.approx(networkx.community.modularity(other, parts))
    assert (structure_losses(graph, graph)["loss"] == 0).all()


@pytest.mark.slow
def test_more_change_loses_more_and_figures_are_those_of_the_networks():
    graph = from_networkx(networkx.relaxed_caveman_graph(30, 10, 0.1, seed=1))
    some, much = (structure_losses(graph, switch_edges(graph, share, rng=1)) for share in (0.05, 0.8))
    for measure in ("connections", "clustering", "communities", "spectrum"):
        rows = [frame.filter(measure=measure)["loss"][0] for frame in (some, much)]
        assert 0 < rows[0] < rows[1] <= 100, measure
    assert some.filter(measure="degrees")["loss"][0] == 0
    assert some.filter(measure="connections")["loss"][0] == pytest.approx(5, abs=0.5)
    values = np.linalg.eigvalsh(graph.links.toarray())
    assert some.filter(measure="spectrum")["before"][0] == pytest.approx(values[-1])


def test_other_users_cannot_be_compared():
    with pytest.raises(InvalidInput, match="20 and 30 users"):
        structure_losses(make_social(20, rng=1).graph(), make_social(30, rng=1).graph())
