from __future__ import annotations

import polars as pl

from shoal.graph import as_graph, what_is_left

COLUMNS = ["attack", "knows", "before", "after", "guessing"]


def test_sentences_follow_the_figures():
    graph = as_graph(
        {"user": list("ab"), "ill": [0, 1]}, {"a": ["a"], "b": ["b"]}, roles={"confidential": "ill"}
    )
    rows = [("neighbours", "theirs", 90.0, 80.0, 1.0), ("planted accounts", "accounts", 100.0, 50.0, 1.0)]
    bad = what_is_left(graph, pl.DataFrame(rows, schema=COLUMNS, orient="row"), degrees=False, switched=0.0)
    assert "who knows theirs finds 80.0 of 100 users (90.0 before)" in bad
    assert "finds 50.0 of 100 targets" in bad
    assert "number alone may name a user" in bad
    assert "switching helps" in bad
    assert "Confidential columns are as they were" in bad
    good = [("neighbours", "theirs", 90.0, 2.0, 1.0), ("planted accounts", "accounts", 100.0, 0.0, 1.0)]
    text = what_is_left(graph, pl.DataFrame(good, schema=COLUMNS, orient="row"), degrees=True, switched=0.5)
    assert "number alone" not in text
    assert "still point" not in text
    assert "Accounts opened" not in text
    assert "nobody has tried several together" in text
