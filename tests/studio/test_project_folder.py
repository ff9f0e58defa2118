"""Projects that are opened: the studio's own, one of several tables, and what is no project."""

from __future__ import annotations

import pytest

from shoal.errors import InvalidInput
from shoal.studio.project_folder import own_source, tables_of
from shoal.studio.serve import start_of
from studio.conftest import BASE, wait

SAME = {"origin": BASE}
LINKED = """
name = "survey"
[[tables]]
name = "homes"
source = "homes.csv"
roles = { quasi = ["region"] }
[[tables]]
name = "persons"
source = "SOURCE"
[[joins]]
child = "persons.home"
parent = "homes.id"
"""


@pytest.fixture
def survey(tmp_path):
    (tmp_path / "homes.csv").write_text("id,region\n" + "".join(f"{i},{i % 3}\n" for i in range(30)))
    (tmp_path / "persons.csv").write_text("home,age\n" + "".join(f"{i % 30},{i % 9}\n" for i in range(60)))
    path = tmp_path / "survey.toml"
    path.write_text(LINKED.replace("SOURCE", "persons.csv"))
    return path


def test_linked_tables_are_told_and_one_is_opened(client, session, survey):
    assert start_of(survey) == (survey.parent, "survey.toml")
    assert client.post("/file/open", headers=SAME, data={"path": "survey.toml"}).status_code == 303
    assert session.plan["source"] == ""
    page = client.get("/file").text
    assert "This project links several tables" in page
    assert "<code>shoal project survey.toml -o released</code>" in page
    assert "persons: persons.csv" in page
    assert client.post("/file/open", headers=SAME, data={"path": "persons.csv"}).status_code == 303
    wait(session)
    assert session.source.facts["records"] == 60
    assert "This project links several tables" in client.get("/file").text, "the other one is a click away"
    (survey.parent / "other.csv").write_text("x\n1\n2\n")
    session.open("other.csv")
    wait(session)
    assert "This project links several tables" not in client.get("/file").text


def test_a_table_outside_is_named_but_not_opened(client, session, survey, tmp_path_factory):
    outside = tmp_path_factory.mktemp("elsewhere") / "secret.csv"
    outside.write_text("home,age\n1,2\n")
    survey.write_text(LINKED.replace("SOURCE", str(outside)))
    session.open("survey.toml")
    page = client.get("/file").text
    assert "secret.csv" in page
    assert str(outside.parent) not in page
    assert "not below the folder the studio was started in</span>" in page


def test_the_projects_of_the_studio_open_their_file(session, people):
    session.open("people.csv")
    wait(session)
    session.change("roles", roles={"age": "quasi"})
    folder = people.parent / "people.shoal"
    for start in (folder, folder / "project.toml"):
        assert start_of(start) == (people.parent, "people.csv")
    session.linked = "old.toml", {"a": people, "b": people}
    session.open("people.shoal/project.toml")
    wait(session)
    assert session.plan["source"] == str(people)


def test_another_project_of_one_table_is_not_opened_without_its_steps(client, session, people):
    path = people.parent / "mine.toml"
    path.write_text('name = "mine"\n[[tables]]\nname = "people"\nsource = "people.csv"\n')
    with pytest.raises(InvalidInput, match=r"open its file 'people.csv' here, or run it as it is by `shoal"):
        own_source(path, tables_of(path))
    assert client.post("/file/open", headers=SAME, data={"path": "mine.toml"}).status_code == 422
    assert session.plan["source"] == ""


TABLE = '[[tables]]\nname = "a"\nsource = "people.csv"\n'
ODD = [
    "",
    "[[tables",
    'name = "x"\n',
    "\x00",
    "tables = 3",
    "[[tables]]\nname = 1\n",
    f"joins = [3]\n{TABLE}",
]
ODD += [f"{TABLE}{entry} = 3" for entry in ("read", "roles", "kinds", "hierarchies", "promise")]
ODD += [f"promise = 3\n{TABLE}", b"\xff\xfe"]


@pytest.mark.parametrize("text", ODD)
def test_what_is_no_project_is_one_sentence(client, session, people, text):
    (people.parent / "odd.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    found = client.post("/file/open", headers=SAME, data={"path": "odd.toml"})
    assert found.status_code == 422
    assert session.plan["source"] == ""


def test_the_file_page_points_to_projects(client):
    assert "shoal project project.toml -o released" in client.get("/file").text
