from __future__ import annotations

import json
from collections import Counter

import numpy as np
import polars as pl
import pytest


@pytest.fixture
def shoal(command):
    """Run a command in a folder that holds a network; gives exit code, output and errors."""
    assert command("graph", "make", "-o", "net", "--users", "80", "--seed", "1")[0] == 0
    return command


def test_protect_writes_users_who_look_alike_by_independent_count(shoal, tmp_path):
    code, out, err = shoal("graph", "protect", "net", "--k", "4", "-o", "safe", "--seed", "918273")
    assert code == 0
    assert out.startswith("k = 4 reached")
    assert "Connections stay as they are" in err
    assert "918273" not in out + err
    users, edges = pl.read_csv("safe/users.csv"), pl.read_csv("safe/edges.csv")
    assert min(Counter(users.select("location", "topics").iter_rows()).values()) >= 4
    assert users["user"].to_list() == list(range(1, 81))
    assert edges.height == pl.read_csv("net/edges.csv").height
    assert [path.name for path in sorted((tmp_path / "safe").iterdir())] == ["edges.csv", "users.csv"]


def test_degrees_hidden_topics_and_json(shoal, tmp_path):
    code, out, err = shoal(
        *("graph", "protect", "net", "--k", "3", "--degrees", "--hide", "sensitive"),
        *("--json", "-o", "s.graphml"),
    )
    assert "sensitive topic" in shoal("graph", "protect", "net", "--k", "3", "--degrees")[2]
    text = (tmp_path / "s.graphml").read_text()
    assert not any(topic in text for topic in ("health", "family=", "religion", "politics", "crime"))
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert facts["k_reached"] is True
    assert facts["degree_k"] >= 3
    assert 0 < facts["information_loss"] < 100


def test_evaluate_needs_the_same_names(shoal):
    shoal("graph", "protect", "net", "--k", "4", "-o", "kept", "--keep-identifiers")
    code, out, _ = shoal("graph", "evaluate", "net", "kept", "--k", "5", "--json")
    assert (code, json.loads(out)["k_reached"]) == (0, json.loads(out)["k"] >= 5)
    shoal("graph", "protect", "net", "--k", "4", "-o", "safe")
    code, _, err = shoal("graph", "evaluate", "net", "safe")
    assert (code, "different names" in err) == (2, True)
    assert "aamil\t0.00" in shoal("graph", "evaluate", "net", "net")[1]


def test_nothing_is_written_without_asking_or_over_another(shoal, tmp_path):
    assert "Nothing was written" in shoal("graph", "protect", "net", "--k", "4")[1]
    assert [path.name for path in tmp_path.iterdir()] == ["net"]
    shoal("graph", "protect", "net", "--k", "4", "-o", "safe")
    code, out, err = shoal("graph", "protect", "net", "--k", "4", "-o", "safe")
    assert (code, out) == (2, "")
    assert "--force" in err
    assert shoal("graph", "protect", "net", "--k", "4", "-o", "safe", "--force")[0] == 0


def test_table_and_own_lists(shoal, tmp_path):
    code, out, _ = shoal("graph", "table", "net", "-o", "users.csv", "--columns", "1")
    assert code == 0
    assert "protect the file" in out
    assert pl.read_csv("users.csv").columns == [
        *("location", "topic_1", "friends", "friends_location", "friends_topic_1")
    ]
    (tmp_path / "places.csv").write_text("Here;Town;*\nThere;Town;*\n")
    (tmp_path / "names.csv").write_text("Here;Spain;France\nThere;Japan\n")
    (tmp_path / "topics.csv").write_text("play;*\nwork;*\n")
    (tmp_path / "words.csv").write_text(
        "play;kitten;chess;episode;lawn;cello\nwork;contract;thesis;invoices;code;cops\n"
    )
    own = ["--places", "places.csv", "--place-names", "names.csv"]
    own += ["--topics", "topics.csv", "--words", "words.csv"]
    code, _, err = shoal("graph", "protect", "net", "--k", "4", "-o", "own", *own)
    assert code == 0
    assert "not in the gazetteer" in err
    assert set(pl.read_csv("own/users.csv")["location"]) <= {"Here", "There", "Town", "*", None}


def test_reading_says_what_is_sensitive_and_takes_mentions(shoal, tmp_path):
    posts = [json.dumps({"user": f"user{i % 2}", "text": "chemo again, @user5 and @user6"}) for i in range(4)]
    (tmp_path / "net" / "posts.jsonl").write_text("\n".join(posts))
    code, out, _ = shoal("graph", "read", "net", "--json")
    assert (code, json.loads(out)["sensitive"]) == (0, {"health": 2})
    before = json.loads(out)["connections"]
    code, out, err = shoal("graph", "read", "net", "--implied", "mentions")
    assert code == 0
    assert "from mentions and replies" in err
    assert "health 2. --hide sensitive" in out
    assert before < int(out.split(" users and ")[1].split()[0])
    code, _, err = shoal("graph", "read", "net", "--sentences", "no-model")
    assert (code, "Topics by sentences need" in err or "not on this machine" in err) == (2, True)


def test_a_wrong_attribute_is_one_sentence(shoal):
    code, out, err = shoal("graph", "protect", "net", "--k", "4", "--attributes", "place")
    assert (code, out) == (2, "")
    assert err.startswith("shoal: There is no attribute of users 'place'")


@pytest.fixture
def plain(command, tmp_path):
    """A folder with an edge list and nothing else, as networks come."""
    rng = np.random.default_rng(1)
    pairs = np.unique(np.sort(rng.zipf(1.6, (400, 2)) % 90, axis=1), axis=0)
    rows = [f"{a} {b}" for a, b in pairs.tolist() if a != b]
    (tmp_path / "plain.txt").write_text("\n".join(rows))
    return command


def test_an_edge_list_from_reading_to_attack(plain, tmp_path):
    code, out, _ = plain("graph", "read", "plain.txt")
    assert code == 0
    assert "Users have no attributes" in out
    code, _, err = plain("graph", "protect", "plain.txt", "--k", "4", "-o", "safe.txt")
    assert (code, "Nothing would be protected" in err) == (2, True)
    written = ["--k", "4", "--degrees", "--seed", "7", "-o", "safe.csv", "--keep-identifiers", "--attack"]
    code, out, err = plain("graph", "protect", "plain.txt", *written)
    assert code == 0
    assert "What is left: who knows how many connections a person has finds" in out
    assert "counted there once more: k of the connections" in out
    ends = pl.concat(pl.read_csv("safe.csv").get_columns()).to_list()
    counts = Counter(Counter(ends).values())
    assert min(counts.values()) >= 4, "counted on the written file by independent code"
    code, out, _ = plain("graph", "attack", "plain.txt", "safe.csv", "--json")
    assert code == 0
    found = json.loads(out)
    assert [row["attack"] for row in found] == ["degree", "neighbours"]
    assert found[0]["after"] < found[0]["before"]


def test_a_folder_has_the_directions_of_the_original(plain, tmp_path):
    links = "".join(f"edge [ source {a} target {(a * 7 + 3) % 40} ]" for a in range(40))
    nodes = "".join(f'node [ id {a} label "u{a}" ]' for a in range(40))
    (tmp_path / "one.gml").write_text(f"graph [ directed 1 {nodes} {links} ]")
    kept = ["--k", "2", "--degrees", "--keep-identifiers", "--seed", "1"]
    assert plain("graph", "protect", "one.gml", *kept, "-o", "folder")[0] == 0
    assert plain("graph", "protect", "one.gml", *kept, "-o", "two.gml")[0] == 0
    found = [plain("graph", "attack", "one.gml", name, "--json") for name in ("folder", "two.gml")]
    assert [code for code, _, _ in found] == [0, 0]
    assert json.loads(found[0][1]) == json.loads(found[1][1])
    assert "directions are dropped" not in found[0][2]
    code, _, err = plain("graph", "evaluate", "folder", "one.gml")
    assert (code, "Only the connections of the protected network have directions" in err) == (2, True)


def test_a_broken_promise_leaves_no_file(plain, tmp_path, monkeypatch):
    import shoal.graph as room

    monkeypatch.setattr(room, "protect_graph", lambda graph, **options: graph)
    code, _, err = plain("graph", "protect", "plain.txt", "--k", "4", "--degrees", "-o", "safe.csv")
    assert code == 3
    assert "The promise k = 4 is broken" in err
    assert not (tmp_path / "safe.csv").exists()
    code, out, _ = plain(
        "graph", "protect", "plain.txt", "--k", "4", "--degrees", "-o", "safe.csv", "--release-anyway"
    )
    assert code == 0
    assert "RELEASED ANYWAY" in out
    assert (tmp_path / "safe.csv").exists()


def test_a_curve_and_a_picture(plain, tmp_path):
    code, out, _ = plain("graph", "curve", "plain.txt", "--json", "--seed", "1")
    assert code == 0
    assert [row["share"] for row in json.loads(out)][:2] == [0.0, 0.02]
    code, _, _ = plain("graph", "protect", "plain.txt", "--k", "3", "--switch", "0.2", "--picture", "p.png")
    assert code == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
