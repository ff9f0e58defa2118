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


def test_a_table_that_says_no_k_keeps_that_of_the_project():
    quasi, step = 'roles = { quasi = ["age"] }\n', '[[tables.steps]]\nmethod = "mondrian"\n'
    one = '[[tables]]\nname = "{n}"\nsource = "{n}.csv"\n'
    parts = [
        one.format(n="a") + quasi + step,
        one.format(n="b") + quasi + step + "k = 3\n",
        one.format(n="c"),
    ]
    project = Project.from_toml("".join(parts) + "[promise]\nk = 5\nl = { ill = 2 }\n")
    assert [table.promise.k for table in project.tables.values()] == [5, 3, None]
    assert project.tables["a"].recipe.bound_steps()[0]["k"] == 5
