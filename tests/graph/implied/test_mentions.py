from __future__ import annotations

import polars as pl
import pytest

from shoal import InputWarning
from shoal.graph import mentions

NAMES = pl.Series(["ana", "Pau", "eva", "EVA"])


def test_names_with_at_and_replies_each_once_and_not_oneself():
    posts = pl.DataFrame(
        {
            "user": ["ana", "ana", "Pau", "eva", "eva"],
            "text": ["hi @Pau!", "@Pau, @pau and @ana", "mail x@ana.example", None, "lunch"],
            "reply_to": [None, "eva", None, "ana", None],
        }
    )
    found = mentions(posts.filter(pl.col("user") != "Pau"), NAMES)
    assert set(found.rows()) == {("ana", "Pau"), ("ana", "eva"), ("eva", "ana")}


def test_a_name_in_another_case_counts_only_if_one_user_has_it():
    posts = pl.DataFrame({"user": ["ana"] * 3, "text": ["@PAU", "@Eva", "@EVA"]})
    with pytest.warns(InputWarning, match="1 name is mentioned"):
        found = mentions(posts, NAMES)
    assert found.rows() == [("ana", "Pau"), ("ana", "EVA")], "@Eva may be either of two"


def test_names_of_nobody_are_counted_and_not_said():
    posts = pl.DataFrame({"user": ["ana"], "text": ["@secret1 @secret2 @eva"]})
    with pytest.warns(InputWarning, match="2 names are mentioned in posts") as heard:
        assert mentions(posts, NAMES).rows() == [("ana", "eva")]
    assert "secret" not in str(heard[0].message)
