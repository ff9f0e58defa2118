from __future__ import annotations

import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import as_graph, read_graph, write_graph


def test_arcs_edges_and_lists(tmp_path):
    path = tmp_path / "x.net"
    path.write_text('*Vertices 4\n1 "ana maria" 0.1 0.2\n2 pau\n% a remark\n*Arcs\n1 2 3\n*Edges\n3 4\n')
    with pytest.warns(InputWarning, match="an edge counts as two arcs"):
        graph = read_graph(path)
    assert graph.users["user"].to_list() == ["ana maria", "pau", "3", "4"]
    assert graph.edges.tolist() == [[0, 1], [2, 3], [3, 2]]
    assert graph.weights.tolist() == [3.0, 1.0, 1.0]
    path.write_text("*Vertices 3\n*Edgeslist\n1 2 3\n")
    graph = read_graph(path)
    assert graph.edges.tolist() == [[0, 1], [0, 2]]
    assert graph.weights is None
    assert not graph.directed


def test_names_with_apostrophes_and_quotes(tmp_path):
    path = tmp_path / "x.net"
    path.write_text('*Vertices 3\n1 "Jo O\'Brien" ic Red\n2 D\'Arcy\n3 "open\n*Edges\n1 2\n')
    assert read_graph(path).users["user"].to_list() == ["Jo O'Brien", "D'Arcy", '"open']
    graph = as_graph({"user": ["O'Brien", 'Jo "J" Doe']}, {"a": ["O'Brien"], "b": ['Jo "J" Doe']})
    with pytest.warns(InputWarning, match="1 name is written with single ones"):
        write_graph(graph, path, identifiers=True, shuffle=False, overwrite=True)
    assert read_graph(path).users["user"].to_list() == ["O'Brien", "Jo 'J' Doe"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2\n", "must begin with"),
        ("*Vertices\n", "how many vertices"),
        ("*Vertices 2\n3 x\n", "vertex beyond the 2"),
        ("*Vertices 2\n*Edges\n1 3\n", "does not name two"),
        ("*Vertices 2\n*Edges\n1 2 x\n", "does not name two"),
        ("*Vertices 2\n*Matrix\n0 1\n", "needs .Vertices and then"),
    ],
)
def test_broken_pajek_is_one_sentence(text, sentence, tmp_path):
    (tmp_path / "x.net").write_text(text)
    with pytest.raises(InvalidInput, match=sentence):
        read_graph(tmp_path / "x.net")
