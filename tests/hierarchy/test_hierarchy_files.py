"""Hierarchies written and read again, and the ways a recipe says one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from hierarchy.trees import PLACES, random_rows
from shoal import InvalidInput
from shoal.datasets.reference import _folders
from shoal.hierarchy import (
    as_hierarchy,
    hierarchy_from_rows,
    read_hierarchy,
    write_hierarchy,
)


@settings(max_examples=50)
@given(random_rows())
def test_written_and_read_back_is_the_same(rows):
    import tempfile
    from pathlib import Path

    hierarchy = hierarchy_from_rows(rows)
    path = Path(tempfile.mkdtemp(), "h.csv")
    write_hierarchy(hierarchy, path)
    assert read_hierarchy(path) == hierarchy


def test_labels_with_separators_and_quotes_survive_the_file(tmp_path):
    hierarchy = hierarchy_from_rows([["a;b", 'say "x"', "*"], ["é", "ü", "*"]])
    write_hierarchy(hierarchy, tmp_path / "h.csv")
    assert read_hierarchy(tmp_path / "h.csv") == hierarchy
    with pytest.raises(InvalidInput, match="exists already"):
        write_hierarchy(hierarchy, tmp_path / "h.csv")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: as_hierarchy({"width": [5]}, []), "Did you mean 'widths'"),
        (lambda: as_hierarchy({"widths": [5], "cuts": [3]}, []), "in one way out of"),
    ],
)
def test_wrong_ways_to_say_a_hierarchy_are_one_sentence(make, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        make()


def test_every_way_a_recipe_can_say_a_hierarchy(tmp_path):
    write_hierarchy(PLACES, tmp_path / "places.csv")
    assert as_hierarchy(str(tmp_path / "places.csv"), []) == PLACES
    assert as_hierarchy(PLACES, []) is PLACES
    assert as_hierarchy([["a", "*"]], []) == as_hierarchy({"rows": [["a", "*"]]}, [])
    assert as_hierarchy({"edges": {"a": "*"}}, []).paths == (("a", "*"),)
    assert as_hierarchy({"cuts": [3]}, [1, 5]).paths == (("1", "< 3", "*"), ("5", ">= 3", "*"))
    assert as_hierarchy({"widths": [5]}, [1]).height == 2
    assert as_hierarchy({"prefixes": [1]}, ["ab"]).paths == (("ab", "a*", "*"),)
    assert as_hierarchy({"dates": ["year"]}, ["2024-05-01"]).paths == (("2024-05-01", "2024", "*"),)


def test_the_hierarchies_of_arx_are_read():
    files = [path for folder in _folders() for path in folder.glob("*/hierarchies/*.csv")]
    if not files:
        pytest.skip("the reference hierarchies are not on this machine")
    for path in files:
        assert read_hierarchy(path).height >= 1, path.name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "1;low;a;*\n\n2;low;b;*\n",
            "Lines 1 and 3 of the hierarchy 'h.csv' give a label of level 1 two parents",
        ),
        ("1;a;b;a;*\n", "Line 1 of the hierarchy 'h.csv' makes a cycle: a label is above itself; keep one"),
        (
            "1;a;*\n2;;*\n",
            "Line 2 of the hierarchy 'h.csv' has an empty label at level 1; name it",
        ),
        ("1;2;*\n2;1;*\n", "Lines 1 and 2 of the hierarchy 'h.csv' make a cycle: a label is above itself"),
        ("1;a;*\n\n2;*\n", "Line 3 of the hierarchy 'h.csv' has 2 levels, line 1 has 3; give all rows"),
        ("1;a;x\n2;a;y\n", "Line 2 of the hierarchy 'h.csv' ends in another label than line 1"),
        ("", "The hierarchy 'h.csv' has no rows"),
    ],
)
def test_mistakes_in_a_file_are_said_by_file_and_line(tmp_path, text, sentence):
    (tmp_path / "h.csv").write_text(text)
    with pytest.raises(InvalidInput, match=re.escape(sentence)):
        read_hierarchy(tmp_path / "h.csv")
