from __future__ import annotations

import json
from collections import Counter

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


def test_degrees_and_json(shoal):
    code, out, err = shoal("graph", "protect", "net", "--k", "3", "--degrees", "--json", "-o", "s.graphml")
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
    (tmp_path / "words.csv").write_text("play;jazz;goal\nwork;job\n")
    own = ["--places", "places.csv", "--place-names", "names.csv"]
    own += ["--topics", "topics.csv", "--words", "words.csv"]
    code, _, err = shoal("graph", "protect", "net", "--k", "4", "-o", "own", *own)
    assert code == 0
    assert "not in the gazetteer" in err
    assert set(pl.read_csv("own/users.csv")["location"]) <= {"Here", "There", "Town", "*"}


def test_a_wrong_attribute_is_one_sentence(shoal):
    code, out, err = shoal("graph", "protect", "net", "--k", "4", "--attributes", "place")
    assert (code, out) == (2, "")
    assert err.startswith("shoal: There is no attribute of users 'place'")
