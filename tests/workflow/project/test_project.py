"""Projects as text: tables in order, joins, mistakes."""

from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.workflow.project import Project

TABLES = "".join(f'[[tables]]\nname = "{n}"\nsource = "{n}.csv"\n' for n in ("visits", "persons", "homes"))


def join(child, parent):
    return f'[[joins]]\nchild = "{child}"\nparent = "{parent}"\n'


def test_parents_come_before_their_children():
    text = TABLES + join("visits.person", "persons.id") + join("persons.home", "homes.id")
    assert list(Project.from_toml(text).tables) == ["homes", "persons", "visits"]


@pytest.mark.parametrize(
    ("joins", "sentence"),
    [
        (join("visits.a", "persons.id") + join("persons.b", "visits.id"), "go in a circle"),
        (join("visits.a", "persons.id") + join("visits.b", "homes.id"), "'visits' has two parents"),
        (join("visit.a", "persons.id"), "Did you mean 'visits'"),
    ],
)
def test_joins_that_cannot_be_are_refused(joins, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        Project.from_toml(TABLES + joins)


@pytest.mark.parametrize("text", ["", 'name = "x"', "tables = 3 [", '[[tables]]\nname = "a"'])
def test_text_without_tables_is_refused(text):
    with pytest.raises(InvalidInput):
        Project.from_toml(text)


def test_a_project_that_cannot_be_read_is_one_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be read"):
        Project.read(tmp_path / "none.toml")
