from __future__ import annotations

from collections import Counter

import pytest

from shoal import InvalidInput, PromiseBroken
from shoal.graph import as_graph, make_social, protect_graph, read_graph, release_graph

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
USERS = {"user": list("abcdef"), "birth_year": [1, 1, 2, 2, 3, 3], "sex": list("ffmmff")}
RING = {"a": list("abcdef"), "b": list("bcdefa")}


@pytest.mark.parametrize("name", ["folder", "n.gml", "n.graphml"])
def test_the_written_file_is_counted_and_not_the_graph(name, tmp_path):
    graph = as_graph(USERS, RING)
    done = release_graph(graph, tmp_path / name, k=2, degrees=True, together=True, rng=1)
    assert (done.k, done.degree_k, done.together_k, done.kept) == (2, 6, 2, True)
    assert len(read_graph(tmp_path / name)) == 6
    with pytest.raises(PromiseBroken, match="share their attributes with 1 others only"):
        release_graph(graph, tmp_path / f"again-{name}", k=3)
    assert not (tmp_path / f"again-{name}").exists()
    assert not list(tmp_path.rglob("*.tmp"))


def test_degrees_are_counted_from_the_edges(tmp_path):
    star = as_graph({"user": list("abcd")}, {"a": ["a"] * 3, "b": ["b", "c", "d"]})
    with pytest.raises(PromiseBroken, match="number of connections with 0 others"):
        release_graph(star, tmp_path / "s.txt", k=2, degrees=True)
    assert release_graph(star, tmp_path / "s.txt", k=2, degrees=True, anyway=True).kept is False
    ring = as_graph(USERS | {"sex": list("fmfmfm")}, RING, directed=True)
    assert release_graph(ring, tmp_path / "r.gml", k=2, attributes=["sex"], together=True).together_k == 3


@QUIET
def test_a_protected_network_is_released_by_independent_count(tmp_path):
    masked = protect_graph(make_social(90, rng=1).graph(), k=4, together=True, rng=1)
    done = release_graph(masked, tmp_path / "safe", k=4, together=True, rng=2)
    users = (tmp_path / "safe" / "users.csv").read_text().splitlines()[1:]
    ends = Counter(
        name
        for line in (tmp_path / "safe" / "edges.csv").read_text().splitlines()[1:]
        for name in line.split(",")
    )
    seen = Counter((line.partition(",")[2], ends[line.partition(",")[0]]) for line in users)
    assert min(seen.values()) == done.together_k >= 4


def test_nothing_is_overwritten(tmp_path):
    graph = as_graph(USERS, RING)
    release_graph(graph, tmp_path / "n.gml", k=2)
    with pytest.raises(InvalidInput, match="exists already"):
        release_graph(graph, tmp_path / "n.gml", k=2)
    release_graph(graph, tmp_path / "n.gml", k=2, overwrite=True)
