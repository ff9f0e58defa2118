from __future__ import annotations

import json
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from graph.networks import PLACES, TOPICS, has, networks
from shoal import InputWarning, InvalidInput, NotApplicable
from shoal.graph import as_graph, make_social, place_names, read_graph, to_networkx, world, write_graph
from shoal.graph.io.graph_files import in_order_of
from shoal.graph.network import topic_texts


def looks(graph):
    """What somebody who sees only the released files can tell, whatever users are called."""
    topics = topic_texts(graph.users["topics"]).to_list()
    names = [f"{place} {topic}" for place, topic in zip(graph.users["location"], topics, strict=True)]
    links = Counter(tuple(sorted((names[a], names[b]))) for a, b in graph.edges.tolist())
    return Counter(names), links


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=networks())
@pytest.mark.parametrize("name", ["folder", "file.graphml", "file.gml"])
def test_what_is_written_is_read_again(graph, name, tmp_path):
    path = write_graph(graph, tmp_path / name, overwrite=True, identifiers=True)
    again = in_order_of(graph, read_graph(path, places=PLACES, interests=TOPICS))
    assert again.users["user"].equals(graph.users["user"])
    assert again.edges.tolist() == graph.edges.tolist()
    assert again.users["location"].equals(graph.users["location"])
    for user in range(len(graph)):
        assert has(again, user, "topics") == pytest.approx(has(graph, user, "topics"), abs=1e-5)


@pytest.mark.parametrize("name", ["n.gml", "n.net", "n.csv", "n.txt", "n.tsv.gz", "n.graphml"])
def test_directions_and_weights_survive_every_format(name, tmp_path):
    edges = {"a": ["x", "y", "y", "z"], "b": ["y", "x", "z", "x"], "weight": [1.5, 2.0, 3.0, 0.25]}
    graph = as_graph({"user": list("xyz")}, edges, directed=True)
    path = write_graph(graph, tmp_path / name, identifiers=True, shuffle=False)
    again = in_order_of(graph, read_graph(path, directed=True))
    assert again.directed
    assert again.edges.tolist() == graph.edges.tolist()
    assert again.weights.tolist() == graph.weights.tolist()


def test_what_a_format_cannot_hold_is_said(tmp_path):
    two = as_graph({"user": ["x", "y"], "age": [1, 2]}, {"a": ["x"], "b": ["y"]})
    for name in ("n.csv", "n.net"):
        with pytest.warns(InputWarning, match="holds no attributes of users; not written: age"):
            write_graph(two, tmp_path / name)
    alone = as_graph({"user": ["x", "y", "z"]}, {"a": ["x"], "b": ["y"]})
    with pytest.warns(InputWarning, match="holds no users without connections; not written: 1"):
        write_graph(alone, tmp_path / "m.csv")
    with pytest.raises(InvalidInput, match="no kind of network file"):
        write_graph(two, tmp_path / "x.docx")


def test_columns_that_name_users_are_never_written(tmp_path):
    users = {"user": ["x", "y", "z"], "mail": ["p1", "q1", "r1"], "age": [1, 2, 2]}
    graph = as_graph(users, {"a": ["x"], "b": ["y"]}, roles={"identifier": "mail"})
    for name in ("folder", "n.gml", "n.graphml"):
        path = write_graph(graph, tmp_path / name, identifiers=True)
        texts = [file.read_text() for file in path.iterdir()] if path.is_dir() else [path.read_text()]
        assert not any("p1" in text or "mail" in text for text in texts)
        assert any("age" in text for text in texts)


@pytest.mark.slow
def test_released_users_are_renumbered_and_shuffled(tmp_path):
    graph = make_social(60, rng=1).graph()
    one = read_graph(write_graph(graph, tmp_path / "one", rng=1))
    two = read_graph(write_graph(graph, tmp_path / "two", rng=2))
    plain = read_graph(write_graph(graph, tmp_path / "three", shuffle=False))
    assert one.users["user"].to_list() == [str(i + 1) for i in range(60)]
    assert looks(one) == looks(two) == looks(plain)
    assert one.users["location"].to_list() != two.users["location"].to_list()
    assert plain.users["location"].to_list() == graph.users["location"].to_list()
    text = "".join(file.read_text() for file in (tmp_path / "one").iterdir())
    assert "user1" not in text.replace("user,", ""), "no name of the original"
    with pytest.raises(InvalidInput, match="different names"):
        in_order_of(graph, one)


def test_made_up_files_are_read_as_made(tmp_path):
    made = make_social(50, rng=4)
    path, graph = made.write(tmp_path / "net"), made.graph()
    again = read_graph(path, places=world(), place_names=place_names())
    assert again.users.equals(graph.users)
    assert again.edges.tolist() == graph.edges.tolist()
    with pytest.raises(InvalidInput, match="exists already"):
        made.write(tmp_path / "net")


def test_nothing_is_overwritten_and_nothing_lands_beside_posts(tmp_path):
    graph = make_social(20, rng=1).graph()
    write_graph(graph, tmp_path / "out")
    before = (tmp_path / "out" / "users.csv").read_text()
    with pytest.raises(InvalidInput, match="exists already"):
        write_graph(graph, tmp_path / "out")
    assert (tmp_path / "out" / "users.csv").read_text() == before
    write_graph(graph, tmp_path / "out", overwrite=True)
    make_social(20, rng=1).write(tmp_path / "net")
    with pytest.raises(InvalidInput, match="do not belong beside original posts"):
        write_graph(graph, tmp_path / "net", overwrite=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="is a file"):
        write_graph(graph, tmp_path / "file")
    assert not list(tmp_path.rglob("*.tmp"))


def test_faults_in_files_are_one_sentence_without_values(tmp_path):
    def folder(**files):
        path = tmp_path / str(len(list(tmp_path.iterdir())))
        path.mkdir()
        for name, text in files.items():
            (path / name.replace("_", ".")).write_text(text)
        return path

    with pytest.raises(InvalidInput, match="no folder"):
        read_graph(tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match=r"has no edges\.csv"):
        read_graph(folder(users_csv="user\na\n"))
    edges = "a,b\nana,pau\n"
    with pytest.raises(InvalidInput, match=r"posts\.jsonl needs lines") as error:
        read_graph(folder(edges_csv=edges, posts_jsonl='{"user": "ana", "text": "secret'))
    assert "secret" not in str(error.value)
    with pytest.raises(InvalidInput, match="Line 2 of posts"):
        read_graph(folder(edges_csv=edges, posts_jsonl='{"user": "ana", "text": "x"}\n{"text": "y"}\n'))
    (tmp_path / "x.graphml").write_text("<broken")
    with pytest.raises(InvalidInput, match="broken or no GraphML"):
        read_graph(tmp_path / "x.graphml")
    with pytest.raises(InvalidInput, match="There is no file"):
        read_graph(tmp_path / "y.graphml")


def test_users_may_be_known_by_edges_and_posts_only(tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\n3,1\n1,2\n")
    (tmp_path / "posts.jsonl").write_text(json.dumps({"user": "9", "text": "#jazz", "likes": 3}) + "\n")
    graph = read_graph(tmp_path)
    assert graph.users["user"].to_list() == ["3", "1", "2", "9"]
    assert graph.users["topics"].to_list()[3] == [{"topic": "music", "weight": 1.0}]


def test_a_missing_package_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "networkx", None)
    graph = make_social(20, rng=1).graph()
    for call in (lambda: to_networkx(graph), lambda: write_graph(graph, tmp_path / "x.graphml")):
        with pytest.raises(NotApplicable, match=r'pip install "shoal\[graph\]"'):
            call()


def test_a_seed_repeats_the_shuffle(tmp_path):
    graph = make_social(30, rng=1).graph()
    for name in "ab":
        write_graph(graph, tmp_path / name, rng=np.random.default_rng(3))
    texts = [[(tmp_path / name / file).read_text() for file in ("users.csv", "edges.csv")] for name in "ab"]
    assert texts[0] == texts[1]


def test_encodings_are_detected_or_given(tmp_path):
    (tmp_path / "old.txt").write_bytes("josé andré\nandré eva\n".encode("cp850"))
    assert read_graph(tmp_path / "old.txt", encoding="cp850").users["user"][0] == "josé"
    (tmp_path / "users.csv").write_bytes("user,location\njosé,Spain\neva,Spain\n".encode("cp850"))
    (tmp_path / "edges.csv").write_bytes("a,b\njosé,eva\n".encode("cp850"))
    assert read_graph(tmp_path, encoding="cp850").users["user"].to_list() == ["josé", "eva"]
    (tmp_path / "broken.txt").write_bytes(bytes([0x81, 0x8D, 0x20, 0x8F]) * 9)
    with pytest.raises(InvalidInput, match=r"give its `encoding`"):
        read_graph(tmp_path / "broken.txt")
    with pytest.raises(InvalidInput, match="encoding"):
        read_graph(tmp_path / "old.txt", encoding="cp8500")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp850"])
def test_posts_are_read_in_their_encoding(encoding, tmp_path):
    (tmp_path / "users.csv").write_bytes("user,location\nzoë,Rome\n".encode(encoding))
    (tmp_path / "edges.csv").write_bytes("a,b\nzoë,eva\n".encode(encoding))
    line = json.dumps({"user": "zoë", "text": "jazz, café, jazz"}, ensure_ascii=False) + "\n"
    (tmp_path / "posts.jsonl").write_bytes(line.encode(encoding))
    given = encoding if encoding == "cp850" else None
    with pytest.warns(InputWarning, match="1 user is only in the edges"):
        graph = read_graph(tmp_path, encoding=given, places=PLACES, interests=TOPICS)
    assert graph.users["user"].to_list() == ["zoë", "eva"]
