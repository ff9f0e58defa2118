from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.losses.test_network_losses import other_values
from graph.networks import network, networks, present, slow_risk
from shoal.graph import make_social, protect_graph, semantic_linkage_risk
from shoal.graph.attack import linkage_risk as linkage


@pytest.mark.slow
@settings(max_examples=60)
@given(networks(), st.integers(0, 99))
def test_risk_is_that_of_the_slow_version(graph, seed):
    if present(graph):
        for masked in (graph, other_values(graph, seed)):
            expected = pytest.approx(slow_risk(graph, masked))
            assert semantic_linkage_risk(graph, masked) == expected
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(linkage, "BLOCK", 1 + seed % 3)
                assert semantic_linkage_risk(graph, masked) == expected


def test_ties_are_shared():
    graph = network(["Nice", "Nice", "Rome", "Kyoto"], [None] * 4, [])
    assert semantic_linkage_risk(graph, graph) == pytest.approx(75)
    everybody = network(["World"] * 4, [None] * 4, [])
    assert semantic_linkage_risk(graph, everybody) == pytest.approx(25)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_no_user_is_found_with_a_chance_above_one_in_k(monkeypatch):
    graph = make_social(120, rng=1).graph()
    whole = [semantic_linkage_risk(graph, protect_graph(graph, k=k)) for k in (2, 4, 8, 30)]
    assert all(risk <= 100 / k + 1e-9 for risk, k in zip(whole, (2, 4, 8, 30), strict=True))
    assert whole == sorted(whole, reverse=True)
    monkeypatch.setattr(linkage, "BLOCK", 2)  # many small blocks, most of them too far away
    assert semantic_linkage_risk(graph, protect_graph(graph, k=4)) == pytest.approx(whole[1])
