from __future__ import annotations

import gzip
import warnings

import networkx
import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import read_graph
from shoal.graph.io.edge_list import read_edge_list


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("0 1\n0   2\n", [("0", "1"), ("0", "2")]),
        ("# SNAP\n0\t1\n\n% x\n2\t1\r\n", [("0", "1"), ("2", "1")]),
        ("source,target\na,b\n", [("a", "b")]),
        ("a;b\nc;a\n", [("a", "b"), ("c", "a")]),
        ("FromNodeId ToNodeId\n3 4\n", [("3", "4")]),
        ("who,whom\n3,4\n", [("3", "4")]),
        ("ana,pau\npau,eva\n", [("ana", "pau"), ("pau", "eva")]),
        ('"Doe, Jo",b\n"x","Doe, Jo"\n', [("Doe, Jo", "b"), ("x", "Doe, Jo")]),
        ("a b {'weight': 3}\nb c {}\n", [("a", "b"), ("b", "c")]),
        ("007 7\n", [("007", "7")]),
    ],
)
def test_two_names_with_anything_between_them(text, edges, tmp_path):
    (tmp_path / "x.txt").write_text(text)
    assert read_edge_list(tmp_path / "x.txt").edges.select("source", "target").rows() == edges


@pytest.mark.parametrize(
    "text",
    [
        "a b 2\nb c 0.5\n",
        "src,dst,weight\na,b,2\nb,c,0.5\n",
        "from;to;W\na;b;2\nb;c;.5",
        "from;to;W\na;b;2\nb;c;0,5",
        '"a","b","2"\n"b","c","0,5"\n',
    ],
)
def test_a_third_column_of_numbers_is_the_weight(text, tmp_path):
    (tmp_path / "x.csv").write_text(text.replace("W", "weight"))
    assert read_graph(tmp_path / "x.csv").weights.tolist() == [2.0, 0.5]


def test_a_third_column_of_text_is_said(tmp_path):
    (tmp_path / "x.csv").write_text("a,b,friend\nb,c,family\n")
    with pytest.warns(InputWarning, match="no number everywhere"):
        assert read_graph(tmp_path / "x.csv").weights is None


def test_a_first_line_that_may_be_a_header_is_said(tmp_path):
    (tmp_path / "x.csv").write_text("person,knows\nana,pau\npau,eva\n")
    with pytest.warns(InputWarning, match="call them source and target"):
        assert len(read_graph(tmp_path / "x.csv").edges) == 3
    for text in ("ana,pau\npau,eva\n", "source,target\nana,pau\n", "1,2\n3,4\n"):
        (tmp_path / "x.csv").write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read_graph(tmp_path / "x.csv")


def test_encodings_and_packing(tmp_path):
    text = "josé muñoz\nmuñoz zoë\n"
    for name, raw in {
        "a.txt": text.encode("utf-8"),
        "b.txt": text.encode("utf-16"),
        "c.txt.gz": gzip.compress(text.encode()),
        "d.edges": text.encode("utf-8-sig"),
    }.items():
        (tmp_path / name).write_bytes(raw)
        assert read_graph(tmp_path / name).users["user"].to_list() == ["josé", "muñoz", "zoë"]


def test_an_encoding_that_is_guessed_is_said(tmp_path):
    (tmp_path / "x.txt").write_bytes("josé zoë\n".encode("cp1252"))
    with pytest.warns(InputWarning, match=r"x\.txt is not UTF-8 and is read as cp1252"):
        assert read_graph(tmp_path / "x.txt").users["user"].to_list() == ["josé", "zoë"]
    (tmp_path / "x.txt").write_bytes("Анна Пётр\n".encode("cp1251"))
    with pytest.warns(InputWarning, match=r"x\.txt is not UTF-8 and is read as cp1252"):
        read_graph(tmp_path / "x.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_graph(tmp_path / "x.txt", encoding="cp1251").users["user"].to_list() == ["Анна", "Пётр"]


def test_faults_name_the_line(tmp_path):
    (tmp_path / "x.txt").write_text("# remark\n1 2\n\nalone\n")
    with pytest.raises(InvalidInput, match=r"Line 4 of x\.txt does not name two users"):
        read_graph(tmp_path / "x.txt")


def test_an_empty_file_is_said(tmp_path):
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(InvalidInput, match=r"x\.txt is empty; a network needs"):
        read_graph(tmp_path / "x.txt")


def test_what_networkx_writes_is_read(tmp_path):
    network = networkx.karate_club_graph()
    networkx.write_edgelist(network, tmp_path / "k.edgelist")
    networkx.write_gml(network, tmp_path / "k.gml")
    networkx.write_pajek(network, tmp_path / "k.net")
    networkx.write_graphml(network, tmp_path / "k.graphml")
    for name in ("k.edgelist", "k.gml", "k.net", "k.graphml"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            graph = read_graph(tmp_path / name)
        assert (len(graph), len(graph.edges)) == (34, 78), name
        assert sorted(graph.degrees) == sorted(degree for _, degree in network.degree), name
