"""Published networks: their sizes, and what is said where they are not."""

from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.graph import read_reference_graph


@pytest.mark.parametrize(
    ("name", "users", "edges"), [("polblogs", 1490, 16705), ("ego_facebook", 4039, 88234)]
)
def test_reference_networks_have_their_published_sizes(name, users, edges):
    try:
        graph = read_reference_graph(name)
    except InvalidInput as error:
        pytest.skip(str(error))
    assert (len(graph), len(graph.edges)) == (users, edges)
    assert graph.users["topics"].null_count() < 0.01 * users


def test_reference_networks_that_are_not_here_say_where_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setattr("shoal.graph.io.reference_graphs.find_reference", lambda reference: None)
    with pytest.raises(InvalidInput, match=r"not on this machine; get it from .* SHOAL_DATA"):
        read_reference_graph("polblogs")
