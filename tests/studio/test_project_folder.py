"""Projects that are opened: the studio's own, one of several tables, and what is no project."""

from __future__ import annotations

import polars as pl
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


def post(client, session, target, /, **fields):
    return client.post(target, headers=SAME, data={"revision": str(session.history.number), **fields})


def test_linked_tables_are_told_and_one_is_opened(client, session, survey):
    assert start_of(survey) == (survey.parent, "survey.toml")
    assert post(client, session, "/file/open", path="survey.toml").headers["location"] == "/linked"
    assert session.plan["source"] == ""
    assert client.get("/").headers["location"] == "/linked"
    page = client.get("/linked").text
    assert "<code>shoal project survey.toml -o released</code>" in page
    assert "persons: persons.csv" in page
    assert "persons.home -&gt; homes.id" in page
    assert post(client, session, "/file/open", path="homes.csv").status_code == 303
    wait(session)
    assert session.source.facts["records"] == 30
    assert session.plan["roles"] == {"region": "quasi"}, "as the project says, not as suggested"
    assert session.history.undoes == "as the project says"
    assert 'href="/linked"' in client.get("/file").text, "the other one is a click away"
    (survey.parent / "other.csv").write_text("x\n1\n2\n")
    session.open("other.csv")
    wait(session)
    assert 'href="/linked"' not in client.get("/file").text
    assert "No project of several tables is open" in client.get("/linked").text


def test_linked_tables_are_released_with_the_steps_of_their_cards(client, session, survey):
    """k holds in every table and on the join of what was written; ids are new, the same in both."""
    session.open("survey.toml")
    session.open("persons.csv")
    wait(session)
    roles = {"home": "other", "age": "quasi"}
    step = {"id": 1, "on": True, "method": "microaggregate"}
    session.change("a step", roles=roles, kinds={"age": "numeric"}, promise={"k": 3}, steps=[step])
    wait(session)
    page = client.get("/linked").text
    assert "1 step, those of its cards here" in page
    assert "0 steps, those of the project file" in page
    assert post(client, session, "/linked/release", folder="out").status_code == 303
    wait(session)
    page = client.get("/linked").text
    assert session.together.facts, session.together.problem
    assert "join <strong" in page
    written = survey.parent / "out"
    homes, persons = (pl.read_csv(written / f"{name}.csv") for name in ("homes", "persons"))
    assert set(persons["home"]) == set(homes["id"])
    joined = persons.join(homes, left_on="home", right_on="id")
    alike = joined.group_by("region", "age").agg(pl.col("home").n_unique())
    assert alike["home"].min() >= 3
    original = pl.read_csv(survey.parent / "persons.csv")
    assert persons["age"].to_list() != original["age"].to_list()


FOLDERS = ["", "..", ".out", "a/b", "homes.csv", "persons.shoal"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_that_is_there_or_elsewhere_is_refused(client, session, survey, folder):
    session.open("survey.toml")
    (survey.parent / "persons.shoal").mkdir()
    assert post(client, session, "/linked/release", folder=folder).status_code == 422
    assert not session.pending


def test_a_join_that_breaks_the_promise_writes_nothing(client, session, survey):
    survey.write_text(survey.read_text() + "[promise]\nk = 20\n")
    session.open("survey.toml")
    assert post(client, session, "/linked/release", folder="out").status_code == 303
    wait(session)
    assert "nothing was written" in client.get("/linked").text
    assert not (survey.parent / "out").exists()
    assert [one.name for one in survey.parent.iterdir() if one.name.endswith(".tmp")] == []


def test_a_table_outside_is_named_but_not_opened(client, session, survey, tmp_path_factory):
    outside = tmp_path_factory.mktemp("elsewhere") / "secret.csv"
    outside.write_text("home,age\n1,2\n")
    survey.write_text(LINKED.replace("SOURCE", str(outside)))
    session.open("survey.toml")
    page = client.get("/linked").text
    assert "secret.csv" in page
    assert str(outside.parent) not in page
    assert "not below the folder the studio was started in</span>" in page
    assert post(client, session, "/linked/release", folder="out").status_code == 422
    grown = f'hierarchies = {{ age = "{outside}" }}\nsteps = [{{ method = "shuffle" }}]\n[[joins]]'
    survey.write_text(LINKED.replace("SOURCE", "persons.csv").replace("[[joins]]", grown))
    with pytest.raises(InvalidInput, match="Only files below"):
        session.open("survey.toml")


def test_the_projects_of_the_studio_open_their_file(session, people):
    session.open("people.csv")
    wait(session)
    session.change("roles", roles={"age": "quasi"})
    folder = people.parent / "people.shoal"
    for start in (folder, folder / "project.toml"):
        assert start_of(start) == (people.parent, "people.csv")
    session.linked = people.with_name("old.toml"), {"a": people, "b": people}
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


def test_the_file_page_points_to_projects(client, survey):
    (survey.parent / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert ">survey.toml</button>" in client.get("/file").text
    assert "pyproject.toml" not in client.get("/file").text
    assert "shoal project project.toml -o released" in client.get("/file").text
