from __future__ import annotations

import json
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from graph.networks import PLACES, TOPICS, has, networks
from shoal import InvalidInput, NotApplicable
from shoal.graph import make_social, read_graph, to_networkx, write_graph
from shoal.graph.graph_files import in_order_of
from shoal.graph.network import topic_texts


def looks(graph):
    """What somebody who sees only the released files can tell, whatever users are called."""
    topics = topic_texts(graph.users["topics"]).to_list()
    names = [f"{place} {topic}" for place, topic in zip(graph.users["location"], topics, strict=True)]
    links = Counter(tuple(sorted((names[a], names[b]))) for a, b in graph.edges.tolist())
    return Counter(names), links


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=networks())
@pytest.mark.parametrize("name", ["folder", "file.graphml"])
def test_what_is_written_is_read_again(graph, name, tmp_path):
    path = write_graph(graph, tmp_path / name, overwrite=True, identifiers=True)
    again = in_order_of(graph, read_graph(path, places=PLACES, interests=TOPICS))
    assert again.users["user"].equals(graph.users["user"])
    assert again.edges.tolist() == graph.edges.tolist()
    assert again.users["location"].equals(graph.users["location"])
    for user in range(len(graph)):
        assert has(again, user, "topics") == pytest.approx(has(graph, user, "topics"), abs=1e-5)


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
    again, graph = read_graph(made.write(tmp_path / "net")), made.graph()
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
    assert graph.users["topics"].to_list()[3] == [{"topic": "jazz", "weight": 1.0}]


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
