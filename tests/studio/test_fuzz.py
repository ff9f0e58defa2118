"""Whatever is posted wherever: never a 500, never a value of the file, and the project still opens."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.studio.pages import studio_app
from shoal.studio.screens import SCREENS
from shoal.studio.session import Session
from shoal.studio.worker import Job
from studio.conftest import BASE, PORT, client_of

SECRET = "Zyxwv-secret-value"
POSTS = [f"/{screen.name}/{action}" for screen in SCREENS for action in screen.actions]
POSTS = [path for path in POSTS if path not in ("/file/close", "/file/made-up")] + ["/undo", "/redo", "/stop"]
PAGES = [f"/{screen.name}" for screen in SCREENS] + ["/", "/meter", "/report/internal", "/report/x"]
NAMES = [
    "column", "role", "kind", "k", "max_risk", "l:age", "t:age", "id", "way", "name", "method", "path",
    "grid", "sizes", "how", "value", "level", "level:1", "level:2", "cut", "p", "of:age", "has:k",
    "has:columns",
    "columns", "separator", "decimal", "encoding", "missing_codes", "reason", "overwrite", "folder", "from",
    "find", "page", "show", "has:seconds", "seconds", "matrices", "matrices.p", "has:matrices", "screen",
]  # fmt: skip
GOOD = ["age", "town", "quasi", "weight", "numeric", "5", "0.5", "1", "up", "mondrian", "top_code", "pram"]
GOOD += ["suppress_to_k", "people.csv", "out.csv", "thorough", "own", "widths", "table", "5, 10", "all", "-1"]
texts = st.one_of(
    st.sampled_from(GOOD), st.text(max_size=30), st.sampled_from(["x" * 10_000, "../..", "\0", "<b>"])
)
forms = st.dictionaries(st.sampled_from(NAMES), st.lists(texts, min_size=1, max_size=3), max_size=8)


class Idle:
    """A worker that answers nothing, so that only the pages are tried."""

    process = None

    def ask(self, what, *, slot="", then=None, **given):
        job = Job(0, what, given, slot, then, state="failed", answer="Nobody is there.")
        job.over.set()
        return job

    def jobs(self):
        return []

    def stop(self, slot=""):
        pass

    def close(self):
        pass


@pytest.fixture
def tried(tmp_path):
    rows = "".join(f"{age},{SECRET}{age}\n" for age in range(20))
    (tmp_path / "people.csv").write_text("age,town\n" + rows)
    session = Session(tmp_path, worker=Idle())
    session.explorer._make = Idle
    guard = studio_app(session, port=PORT)
    client = client_of(guard)
    client.get("/", params={"token": guard.launch})
    session.open("people.csv")
    known = {"records": 20, "names": ["age", "town"], "kinds": {"age": "numeric", "town": "nominal"}}
    session.source.mark, session.source.facts = session.source.mark, {**known, "roles": {}, "form": {}}
    return client, session, tmp_path


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    asked=st.lists(st.tuples(st.sampled_from(POSTS), forms, st.booleans()), min_size=1, max_size=4),
    query=forms,
)
def test_any_form_to_any_address(tried, asked, query):
    client, session, folder = tried
    for path, form, hx in asked:
        headers = {"origin": BASE, **({"hx-request": "true"} if hx else {})}
        posted = {**form, "revision": [str(session.history.number)]}
        found = client.post(path, headers=headers, data=posted)
        assert found.status_code in (200, 303, 409, 413, 422), (path, form, found.status_code)
        assert SECRET not in found.text, (path, form)
        assert "Traceback" not in found.text
    for page in PAGES:
        found = client.get(page, params=query)
        assert found.status_code in (200, 303, 404), (page, query, found.status_code)
        assert SECRET not in found.text
    assert not [one for one in folder.parent.iterdir() if one.name.startswith("out")]


def test_the_project_still_opens(tried):
    _, session, folder = tried
    test_any_form_to_any_address.hypothesis.inner_test(
        tried, [("/columns/role", {"column": ["age"], "role": ["quasi"]}, False)], {}
    )
    again = Session(folder, worker=Idle())
    again.open("people.csv")
    assert again.plan == session.plan
    assert again.history.number == session.history.number
