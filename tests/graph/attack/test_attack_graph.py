from __future__ import annotations

from functools import partial

import pytest

from shoal import InvalidInput
from shoal.graph import (
    as_graph,
    attack_graph,
    evaluate_graph,
    make_social,
    protect_graph,
    semantic_linkage_risk,
    structure_losses,
)
from shoal.graph.attack.degree_attack import degree_attack
from shoal.graph.attack.neighbour_attack import neighbour_attack

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


@pytest.mark.parametrize(
    "compare", [attack_graph, evaluate_graph, structure_losses, degree_attack, neighbour_attack]
)
def test_a_directed_network_is_not_compared_with_one_that_is_not(compare):
    users, links = {"user": ["a", "b", "c"]}, {"a": ["a", "c"], "b": ["b", "a"]}
    with pytest.raises(InvalidInput, match="Only the connections of the original network have directions"):
        compare(as_graph(users, links, directed=True), as_graph(users, links))
    with pytest.raises(InvalidInput, match="3 and 2 users"):
        compare(as_graph(users, links), as_graph({"user": ["a", "c"]}, {"a": ["a"], "b": ["c"]}))
