"""Who may come in: every address with every wrong way to ask, from a table."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

import shoal.studio
from shoal.studio.guard import IDLE, Guard
from shoal.studio.screens import SCREENS
from studio.conftest import BASE, PORT, client_of, wait

PAGES = [f"/{screen.name}" for screen in SCREENS] + ["/", "/meter", "/static/studio.css", "/no-such-page"]
POSTS = [f"/{screen.name}/{action}" for screen in SCREENS for action in screen.actions]
POSTS += ["/undo", "/redo", "/stop", "/again"]
FOREIGN = [
    ({"host": "evil.example"}, 421),
    ({"host": f"evil.example:{PORT}"}, 421),
    ({"host": "127.0.0.1"}, 421),
    ({"host": f"127.0.0.1:{PORT + 1}"}, 421),
    ({"host": f"127.0.0.1.evil.example:{PORT}"}, 421),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
]
WRITES = [
    *FOREIGN,
    ({}, 403),  # neither header: no browser of today, or another program
    ({"sec-fetch-site": "none"}, 403),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": f"http://127.0.0.1:{PORT + 1}"}, 403),
    ({"origin": f"https://127.0.0.1:{PORT}"}, 403),
    ({"origin": BASE, "sec-fetch-site": "same-site"}, 403),
]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("headers", "status"), FOREIGN)
def test_pages_answer_this_browser_at_this_address_only(client, path, headers, status):
    assert client.get(path, headers=headers).status_code == status


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(("headers", "status"), WRITES)
def test_nothing_is_changed_by_another_page(client, session, path, headers, status):
    before = session.history.number
    assert client.post(path, headers=headers, data={"revision": "0"}).status_code == status
    assert session.history.number == before


@pytest.mark.parametrize("path", [*PAGES, *POSTS])
@pytest.mark.parametrize("cookie", ["", "wrong", "shoal_00000000=1"])
def test_nothing_without_the_cookie(guard, path, cookie):
    stranger = client_of(guard)
    headers = {"cookie": cookie, "origin": BASE}
    ask = stranger.post if path in POSTS else stranger.get
    assert ask(path, headers=headers).status_code == 403


def test_the_token_is_good_for_one_cookie(guard):
    one, two = client_of(guard), client_of(guard)
    assert two.get("/", params={"token": "wrong"}).status_code == 403
    first = one.get("/", params={"token": guard.launch})
    assert (first.status_code, first.headers["location"]) == (303, "/")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert guard.launch not in cookie
    assert two.get("/", params={"token": guard.launch}).status_code == 403
    assert one.get("/", params={"token": guard.launch}).status_code == 303, "the same browser goes on"
    assert one.get("/file").status_code == 200


def test_the_cookie_ends_when_nobody_is_there():
    now = [0.0]

    async def page(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})

    guard = Guard(page, port=PORT, clock=lambda: now[0])
    client = client_of(guard)
    client.get("/", params={"token": guard.launch})
    now[0] = IDLE - 1
    assert client.get("/file").status_code == 200, "and the time begins anew"
    now[0] += IDLE + 1
    assert client.get("/file").status_code == 403


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_headers(client, path):
    found = client.get(path).headers
    policy = found["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "no-referrer"
    assert found["cache-control"] == "no-store"
    assert found["cross-origin-opener-policy"] == "same-origin"
    assert found["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in found


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"[::1]:{PORT}", f"127.0.0.1:{PORT}"])
def test_the_names_of_this_machine_are_let_in(client, guard, host):
    cookie = f"{guard.cookie}={client.cookies[guard.cookie]}"
    assert client.get("/file", headers={"host": host, "cookie": cookie}).status_code == 200


def test_a_write_of_this_page_is_let_in_by_either_header(client):
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": BASE}):
        assert client.post("/stop", headers=headers).status_code == 303


STUDIO = Path(shoal.studio.__file__).parent
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in (STUDIO / "templates").glob("*.html")}
VENDORED = {"htmx.min.js": "22283ef68cb7545914f0a88a1bdedc7256a703d1d580c1d255217d0a50d31313"}  # htmx 2.0.8


def test_what_is_vendored_is_what_it_was():
    for name, digest in VENDORED.items():
        assert hashlib.sha256((STUDIO / "static" / name).read_bytes()).hexdigest() == digest, name


def test_templates_trust_nothing_but_the_page_itself():
    """Everything else is escaped; no inline script or style, no upload, no address elsewhere."""
    for name, text in TEMPLATES.items():
        assert set(re.findall(r"{{ *([^}]*)\| *safe", text)) <= {"main"}, name
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=|type=.file|javascript:", text), (
            name
        )
        assert not re.search(r"https?:", text), name


def test_htmx_evaluates_nothing_and_keeps_no_page(client):
    page = client.get("/file").text
    assert '"allowEval": false' in page
    assert '"historyCacheSize": 0' in page


def test_files_that_could_run_code_are_not_read(client, session, tmp_path):
    for name in ("people.pkl", "people.pickle", "people.rdata", "people.RData", "people.py", "people.js"):
        (tmp_path / name).write_text("x\n1\n")
    page = client.get("/file").text
    assert "people." not in page
    client.post("/file/open", headers={"origin": BASE}, data={"path": "people.pkl"})
    wait(session)
    assert session.source.facts is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(client, method):
    assert client.request(method, "/file", headers={"origin": BASE}).status_code == 405
