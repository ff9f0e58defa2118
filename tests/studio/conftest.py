"""A studio without a browser: a client that carries the cookie, and a file of made-up people."""

from __future__ import annotations

import time
import warnings

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra `studio`")
pytest.importorskip("httpx", reason="its pages are asked through httpx")

from shoal.datasets import make_census
from shoal.io import write_table
from shoal.studio.pages import studio_app
from shoal.studio.session import Session

PORT = 8765
BASE = f"http://127.0.0.1:{PORT}"


def client_of(guard):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the client about its own next version
        from starlette.testclient import TestClient

        return TestClient(guard, base_url=BASE, follow_redirects=False, raise_server_exceptions=False)


def wait(session, seconds=180.0):
    """Until the worker has nothing to do."""
    end = time.monotonic() + seconds
    while session.pending:
        assert time.monotonic() < end, [job.what for job in session.pending]
        time.sleep(0.02)
    return session


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    write_table(make_census(200, rng=0), path, identifiers=True, shuffle=False)
    return path


@pytest.fixture
def session(tmp_path):
    made = Session(tmp_path)
    yield made
    made.worker.close()


@pytest.fixture
def guard(session):
    return studio_app(session, port=PORT)


@pytest.fixture
def client(guard):
    found = client_of(guard)
    assert found.get("/", params={"token": guard.launch}).status_code == 303
    return found
