from __future__ import annotations

from functools import partial

import pytest

from shoal.graph import as_graph, attack_graph, make_social, protect_graph, semantic_linkage_risk

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@pytest.mark.slow
@QUIET
def test_every_attack_is_run_before_and_after():
    graph = make_social(150, rng=1).graph()
    how = partial(protect_graph, k=5, degrees=True, rng=1)
    masked = how(graph)
    found = attack_graph(graph, masked, protect=how, rng=1)
    assert found["attack"].to_list() == ["attributes", "degree", "neighbours", "planted accounts"]
    assert found["after"][0] == semantic_linkage_risk(graph, masked)
    assert (found["before"] >= found["after"]).all()
    assert found["guessing"].to_list() == [pytest.approx(100 / 150)] * 4


def test_nothing_to_know_is_no_attack():
    assert attack_graph(*[as_graph({"user": ["a", "b"]}, {"a": [], "b": []})] * 2).height == 0
