from __future__ import annotations

import gzip

import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import read_graph

BLOGS = """Creator "someone on a day"
graph [
  directed 1
  # a remark
  node [ id 0 label "a.com" value 1 graphics [ x 1.5 y 2 ] ]
  node [ id 1 label "b.com" value 0 ]
  node [ id 7 label "c.com" value 0 ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 0 value 3 ]
  edge [ source 7 target 1 ]
  edge [ source 7 target 7 ]
]
"""


def test_gml_as_newman_writes_it(tmp_path):
    path = tmp_path / "blogs.gml.gz"
    path.write_bytes(gzip.compress(BLOGS.replace(" value 3", "").encode("cp1252")))
    with pytest.warns(InputWarning) as heard:
        graph = read_graph(path)
    assert graph.directed
    assert graph.users["user"].to_list() == ["a.com", "b.com", "c.com"]
    assert graph.edges.tolist() == [[0, 1], [1, 0], [2, 1]]
    assert graph.others.column("value").tolist() == [1, 0, 0]
    said = " ".join(str(warning.message) for warning in heard)
    assert "Nested attributes" in said
    assert "1 connection is left out" in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("graph [ node [ id 1 ] node [ id 1 ] ]", "several nodes with the same id"),
        ("graph [ node [ id 1", "broken or no GML"),
        ("graph [ node [ id 1 ]", "ends within a bracket"),
        ("hello world", "no block `graph"),
        ("graph [ node [ label 1 ] ]", "node without id"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "edge to a node that is not there"),
        ("]", "broken or no GML"),
    ],
)
def test_broken_gml_is_one_sentence(text, sentence, tmp_path):
    (tmp_path / "x.gml").write_text(text)
    with pytest.raises(InvalidInput, match=sentence):
        read_graph(tmp_path / "x.gml")


def test_labels_that_repeat_are_no_names(tmp_path):
    (tmp_path / "x.gml").write_text('graph [ node [ id 4 label "a" ] node [ id 5 label "a" ] ]')
    assert read_graph(tmp_path / "x.gml").users["user"].to_list() == ["4", "5"]
