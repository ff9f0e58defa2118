"""Wide and long files: pages stay small, and the figures are those of the last of several quick changes."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from shoal.measures import anonymity_level
from studio.conftest import BASE, wait

SAME = {"origin": BASE}
MOST = 5000  # elements of a page


def elements(client, path):
    found = client.get(path)
    assert found.status_code == 200, path
    return len(re.findall(r"<[a-z]", found.text))


def post(client, session, path, **fields):
    return client.post(path, headers=SAME, data={"revision": str(session.history.number), **fields})


@pytest.mark.slow
def test_1500_columns(tmp_path, client, session):
    rng = np.random.default_rng(0)
    names = [f"column_{at}" for at in range(1500)]
    pl.DataFrame({name: rng.integers(0, 9, 100) for name in names}).write_csv(tmp_path / "wide.csv")
    session.open("wide.csv")
    wait(session, 200)
    pages = (
        "file",
        "columns",
        "columns?page=13",
        "risk",
        "protect",
        "explore",
        "compare",
        "release",
        "hierarchy",
    )
    assert all(elements(client, f"/{page}") < MOST for page in pages)
    assert "column_1499" in client.get("/columns?find=1499").text
    post(client, session, "/columns/role", column=names[:700], role="quasi")
    wait(session, 200)
    assert session.risk.facts["keys"] == names[:700]
    session.change("promise", promise={"k": 2})
    post(client, session, "/protect/add", method="shuffle")
    session.worker.stop()
    assert all(elements(client, f"/{page}") < MOST for page in ("risk", "protect", "release"))
    given = {"id": "1", "has:columns": "1", "names:columns": "column_3, column_5"}
    assert post(client, session, "/protect/options", **given).status_code == 303
    assert session.plan["steps"][0]["columns"] == ["column_3", "column_5"]


def test_a_hundred_steps(tmp_path, client, session, people):
    session.open("people.csv")
    wait(session)
    session.worker.close()
    for _ in range(100):
        assert post(client, session, "/protect/add", method="top_code").status_code == 303
    assert client.get("/protect").text.count('class="card"') == 100
    for _ in range(100):
        post(client, session, "/undo")
    assert session.plan["steps"] == []


def test_four_quick_changes_end_with_the_figures_of_the_last(tmp_path, client, session):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({f"c{at}": rng.integers(0, 4, 200_000) for at in range(5)})
    frame.write_csv(tmp_path / "long.csv")
    session.open("long.csv")
    wait(session, 120)
    for at in range(4):
        assert post(client, session, "/columns/role", column=f"c{at}", role="quasi").status_code == 303
    wait(session, 120)
    assert session.risk.about(session.risk_mark)
    assert session.risk.facts["keys"] == ["c0", "c1", "c2", "c3"]
    assert min(session.risk.facts["sizes"]) == anonymity_level(frame, columns=["c0", "c1", "c2", "c3"])
