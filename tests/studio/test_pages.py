"""The pages without a browser: what is posted, what comes back, what is kept, what is refused."""

from __future__ import annotations

import json
import threading
import time

import pytest

from shoal.studio import pages
from shoal.studio.pages import studio_app
from shoal.studio.session import Session
from studio.conftest import BASE, PORT, client_of, wait

SAME = {"origin": BASE}
HX = {"origin": BASE, "hx-request": "true"}


def post(client, session, path, headers=SAME, /, **fields):
    return client.post(path, headers=headers, data={"revision": str(session.history.number), **fields})


@pytest.fixture
def opened(client, session, people):
    assert post(client, session, "/file/open", path="people.csv").status_code == 303
    wait(session)
    assert session.risk.facts is not None, session.source.problem
    return client


def test_a_whole_way_without_scripts(opened, session, people):
    assert "household" in opened.get("/columns").text
    roles = dict.fromkeys(("region", "sex", "age"), "quasi")
    others = [n for n in session.source.facts["names"] if n not in roles and n != "person"]
    assert post(opened, session, "/columns/role", column=others, role="other").status_code == 303
    assert post(opened, session, "/columns/looks-right").headers["location"] == "/risk"
    assert post(opened, session, "/risk/promise", k="3").status_code == 303
    assert post(opened, session, "/protect/add", method="mondrian").status_code == 303
    wait(session)
    assert session.masked.facts["after"]["kept"], session.masked.problem
    assert post(opened, session, "/release/write", name="out.csv").status_code == 303
    wait(session)
    assert (session.released["reached"], session.released["written"]) == (
        session.masked.facts["after"]["k"],
        "out.csv",
    )
    written = (people.parent / "out.csv").read_text().splitlines()
    assert len(written) == 201
    assert "person" not in written[0].split(",")
    assert "counted there" in opened.get("/release").text
    report = opened.get("/report/internal")
    assert report.status_code == 200
    assert "sandbox" in report.headers["content-security-policy"]
    folder = people.parent / "people.shoal"
    assert folder.stat().st_mode & 0o777 == 0o700
    kept = "".join(p.read_text() for p in (folder / "history.jsonl", folder / "project.toml"))
    assert str(session.seed) not in kept


def test_an_older_page_changes_nothing(opened, session):
    old = session.history.number
    post(opened, session, "/columns/role", column="age", role="other")
    for headers in (SAME, HX):
        found = opened.post(
            "/columns/role", headers=headers, data={"column": "sex", "role": "other", "revision": str(old)}
        )
        assert found.status_code == 409
        assert "age: neither" in found.text
    assert session.plan["roles"]["sex"] == "quasi"
    for seen in ("", "x", "-1", "9" * 30):
        assert opened.post("/undo", headers=SAME, data={"revision": seen}).status_code == 409


def test_undo_survives_a_restart(opened, session, people):
    post(opened, session, "/columns/role", column="age", role="other")
    post(opened, session, "/undo")
    assert session.plan["roles"]["age"] == "quasi"
    again = Session(people.parent)
    try:
        again.open("people.csv")
        assert again.history.redoes == "age: neither"
        assert again.plan == session.plan
    finally:
        again.worker.close()


WRONG = [
    ("/columns/role", {"column": "no such", "role": "quasi"}),
    ("/columns/role", {"column": "age", "role": "king"}),
    ("/columns/role", {}),
    ("/columns/kind", {"column": "age", "kind": "<b>"}),
    ("/risk/promise", {"k": "five"}),
    ("/risk/promise", {"k": "0"}),
    ("/risk/promise", {"max_risk": "nan"}),
    ("/risk/promise", {"k": "5", "l:no such": "2"}),
    ("/protect/add", {"method": "no_such"}),
    ("/protect/add", {"method": "microaggregate"}),
    ("/protect/options", {"id": "99"}),
    ("/protect/reach", {}),
    ("/protect/reach", {"k": "-1"}),
    ("/protect/adopt", {"name": "x"}),
    ("/release/write", {"name": "out.csv"}),
    ("/release/write", {"name": "../out.csv"}),
    ("/file/open", {"path": "../../etc/passwd"}),
    ("/file/open", {"path": "/etc/passwd"}),
    ("/file/open", {"path": "a\0b"}),
    ("/file/open", {"path": "x" * 10_000}),
    ("/file/open", {}),
]


def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(opened, session):
    before = session.history.number
    for path, fields in WRONG:
        for headers in (SAME, HX):
            found = post(opened, session, path, headers, **fields)
            assert found.status_code == 422, (path, fields)
            notice = found.text.partition('id="notice"')[2]
            assert "<p>" in notice, (path, fields)
    assert session.history.number == before
    assert not (session.root / "out.csv").exists()


HOSTILE = "<script>alert(1)</script>'\"{{7*7}}&‮"


def test_hostile_names_and_values_are_text(tmp_path, session, client):
    (tmp_path / "a<b>'.csv").write_text(
        "\n".join([f'"{HOSTILE.replace(chr(34), chr(34) * 2)}",x', *['"<img src=x onerror=y>",1'] * 30])
    )
    post(client, session, "/file/open", path="a<b>'.csv")
    wait(session)
    assert session.columns.facts, session.source.problem
    post(client, session, "/columns/role", column=HOSTILE, role="quasi")
    post(client, session, "/risk/promise", k="2")
    post(client, session, "/protect/add", method="mondrian")
    wait(session)
    for page in ("file", "columns", "risk", "protect", "release"):
        found = client.get(f"/{page}")
        assert found.status_code == 200
        assert "<script>alert" not in found.text
        assert "<img" not in found.text
        assert "49" not in found.text.replace("&#34;", "").split("{{7*7}}")[0][-3:]
    assert json.loads((tmp_path / "a<b>'.shoal/history.jsonl").read_text().splitlines()[0])


def test_only_what_lies_below_is_shown(tmp_path, guard, client):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("x\n1\n")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.csv").write_text("x\n1\n")
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "leak.csv").symlink_to(outside / "secret.csv")
    shown = client.get("/file").text
    assert "in</span>" in shown
    assert "leak.csv" not in shown
    assert ">link<" not in shown
    assert "secret" not in client.get("/file", params={"folder": "link"}).text
    assert "outside" not in client.get("/file", params={"folder": ".."}).text
    assert client.post("/file/open", headers=SAME, data={"path": "leak.csv"}).status_code == 422


def test_a_form_that_is_too_large(client):
    assert client.post("/file/open", headers=SAME, content=b"path=" + b"x" * 2_100_000).status_code == 413


def test_the_table_that_was_shown_is_the_one_that_is_written(opened, session, people):
    """A worker that lost the table does not draw another one in secret."""
    post(opened, session, "/risk/promise", k="3")
    post(opened, session, "/protect/add", method="mondrian")
    wait(session)
    session.worker.process.kill()
    session.worker.process.join()
    post(opened, session, "/release/write", name="out.csv")
    wait(session)
    assert "no longer in memory" in session.released["why_not"]
    assert not (people.parent / "out.csv").exists()
    post(opened, session, "/release/write", name="out.csv")
    wait(session)
    assert session.released["written"] == "out.csv"


def test_another_studio_has_another_cookie(session):
    one, two = studio_app(session, port=PORT), studio_app(session, port=PORT)
    assert one.cookie != two.cookie
    client = client_of(one)
    client.get("/", params={"token": one.launch})
    two_client = client_of(two)
    assert (
        two_client.get("/file", headers={"cookie": f"{one.cookie}={client.cookies[one.cookie]}"}).status_code
        == 403
    )


def test_below_the_promise_only_with_a_reason_that_the_committee_reads(opened, session, people):
    """The promise is larger than what is reached: closed without a reason, which the report then says."""
    few = {**dict.fromkeys(session.plan["roles"], "other"), "age": "quasi", "sex": "quasi"}
    cap = [{"id": 1, "on": True, "method": "top_code", "quantile": 0.9, "columns": ["age"]}]
    session.change("few", roles=few, promise={"k": 50}, steps=cap)
    wait(session)
    assert not session.masked.facts["after"]["kept"]
    assert post(opened, session, "/release/write", name="out.csv").status_code == 422
    assert post(opened, session, "/release/write", name="out.csv", reason="a <b>test</b>").status_code == 303
    wait(session)
    assert session.released["written"] == "out.csv", session.released
    assert not session.released["kept"]
    internal, public = (opened.get(f"/report/{which}").text for which in ("internal", "public"))
    assert "It was released all the same, because: a &lt;b&gt;test&lt;/b&gt;" in internal
    assert "released all the same" not in public


@pytest.mark.parametrize("way", ["page", "swap"])
def test_an_answer_that_comes_while_the_page_is_drawn_is_not_lost(opened, session, monkeypatch, way):
    """What the screen says is being counted is asked for again: the meter of the same page waits for it."""
    post(opened, session, "/risk/promise", k="3")
    post(opened, session, "/protect/add", method="mondrian")
    wait(session)
    draw = pages._main

    def slowly(*given):
        drawn = draw(*given)
        time.sleep(1.5)  # the worker needs less
        return drawn

    monkeypatch.setattr(pages, "_main", slowly)
    fields = {"id": "1", "has:release": "1", "release": "centres"}
    found = post(opened, session, "/protect/options", HX if way == "swap" else SAME, **fields)
    if way == "page":
        found = opened.get("/protect")
    assert "being counted" not in found.text or 'hx-get="/meter' in found.text
    wait(session)


def test_a_file_without_its_reports_is_said_to_be_written(opened, session, people):
    """The file is in place when the reports are made: whatever stops them, nobody is told that it is not."""
    few = {**dict.fromkeys(session.plan["roles"], "other"), "age": "quasi", "sex": "quasi"}
    session.change("few", roles=few, promise={"k": 2}, steps=[{"id": 1, "on": True, "method": "mondrian"}])
    wait(session)
    (people.parent / "people.shoal" / "reports").write_text("a file where the folder should be")
    post(opened, session, "/release/write", name="out.csv")
    wait(session)
    assert session.released["written"] == "out.csv"
    shown = opened.get("/release").text
    assert "The file is written" in shown
    assert "The reports could not be written: " in shown
    assert "/report/internal" not in shown


def test_an_answer_that_is_half_there_is_drawn_again(opened, session, monkeypatch):
    """Figures, and what is open, are of one moment: a page drawn between two is drawn once more."""
    post(opened, session, "/risk/promise", k="3")
    post(opened, session, "/protect/add", method="mondrian")
    wait(session)
    put, arrives, half = session._take, threading.Event(), threading.Event()

    def slowly(*given):
        half.set()
        arrives.wait(60)
        put(*given)

    monkeypatch.setattr(session, "_take", slowly)
    drawn, draw = [], pages._main

    def main(*given):
        drawn.append(draw(*given))
        arrives.set()
        return drawn[-1]

    post(opened, session, "/protect/options", id="1", **{"has:release": "1", "release": "centres"})
    assert half.wait(60)
    monkeypatch.setattr(pages, "_main", main)
    found = opened.get("/protect")
    assert "being counted" in drawn[0], "the figure was not there when it was first drawn"
    assert "being counted" not in found.text or 'hx-get="/meter' in found.text
    wait(session)


def test_what_is_stopped_stays_stopped_until_somebody_goes_on(opened, session):
    """Pages that ask for figures when they are seen do not ask again; Go on does, of files of any size."""
    post(opened, session, "/risk/promise", k="3")
    post(opened, session, "/protect/add", method="mondrian")
    wait(session)
    opened.get("/compare")
    assert session.pending
    assert post(opened, session, "/stop", screen="compare").status_code == 303
    wait(session)
    for page in ("/compare", "/compare", "/protect"):
        found = opened.get(page).text
        assert "Stopped; figures stay as they were." in found
        assert not session.pending, page
    assert "Both files are being compared" not in opened.get("/compare").text
    assert post(opened, session, "/again", screen="compare").status_code == 303
    assert "Both files are being compared" in opened.get("/compare").text
    wait(session)
    assert session.compared.facts
    assert "Stopped;" not in opened.get("/compare").text


def test_a_reading_that_was_stopped_goes_on(client, session, people):
    post(client, session, "/file/open", path="people.csv")
    assert post(client, session, "/stop", screen="columns").status_code == 303
    wait(session)
    found = client.get("/columns").text
    assert "being looked at" not in found
    assert 'id="go-on"' in found
    post(client, session, "/again", screen="columns")
    wait(session)
    assert "Role of age" in client.get("/columns").text
    assert session.risk.facts
