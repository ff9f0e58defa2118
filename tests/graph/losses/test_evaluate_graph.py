"""Every loss and risk of a protected graph by name."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.graph import (
    evaluate_graph,
    make_social,
    protect_graph,
)

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@QUIET
def test_evaluation_gives_every_figure_by_name():
    graph = make_social(80, rng=6).graph()
    masked = protect_graph(graph, k=4, degrees=True, rng=1)
    facts = evaluate_graph(graph, masked).to_dict()
    assert facts["k"] >= 4
    assert facts["degree_k"] >= 4
    assert facts["information_loss"] == pytest.approx(np.mean([facts["aamil"], facts["cdil"], facts["dbil"]]))
    before, after = ({tuple(edge) for edge in g.edges.tolist()} for g in (graph, masked))
    assert (facts["edges_added"], facts["edges_removed"]) == (len(after - before), len(before - after))
    same = evaluate_graph(graph, graph).to_dict()
    assert [same[name] for name in ("aamil", "cdil", "dbil", "information_loss")] == [0, 0, 0, 0]
