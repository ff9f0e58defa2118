"""Risk: the riskiest records as places only, noted when asked for; what weights and households change."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter

import pytest

from shoal.studio.answers.count_risk import homes_found
from shoal.studio.screens import columns_screen, risk_screen
from shoal.table import as_table
from studio.conftest import BASE, wait

SAME = {"origin": BASE}
TOWNS = ("Gombren", "Queralbs", "", "Setcases")
SECRET = "Alone-in-Toses"
ROLES = {"town": "quasi", "age": "quasi", "code": "other", "home": "other", "w": "other"}


@pytest.fixture
def opened(client, session, tmp_path):
    """A file with gaps, -0.0, truth values and integer codes; record 41 is alone, 13 and 14 are two."""
    rows = [(TOWNS[i % 4], ("-0.0", "0.0", "5.5")[i % 3], "true", i // 2, 10 + i % 5) for i in range(120)]
    rows[40] = (SECRET, "0.0", "false", 20, 10)
    rows[12] = rows[13] = ("Queralbs", "7.5", "true", 6, 12)
    lines = ["town,age,code,home,w", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    session.open("a.csv")
    wait(session)
    session.change("roles", roles=ROLES)
    wait(session)
    return client


def post(client, session, target, /, **fields):
    return client.post(target, headers=SAME, data={"revision": str(session.history.number), **fields})


def counted(path):
    """Look-alikes of every record, from the text by plain Python; -0.0 is 0.0."""
    with path.open() as lines:
        keys = [(row["town"], float(row["age"])) for row in csv.DictReader(lines)]
    sizes = Counter(keys)
    return [sizes[key] for key in keys]


def test_places_only_and_noted(opened, session, tmp_path):
    audit = tmp_path / "a.shoal" / "audit.jsonl"
    before = session.history.number
    assert "Show the places" in opened.get("/risk").text
    assert not audit.exists()
    assert post(opened, session, "/risk/riskiest").status_code == 303
    wait(session)
    rows, sizes = session.riskiest.facts["rows"], counted(tmp_path / "a.csv")
    assert [row["record"] for row in rows[:3]] == [41, 13, 14]
    assert [row["alike"] for row in rows] == sorted(sizes)[:20]
    assert all(sizes[row["record"] - 1] == row["alike"] for row in rows)
    assert (rows[0]["risk"], rows[0]["columns"]) == (100.0, 1)
    assert session.riskiest.facts["further"] == sum(n <= rows[-1]["alike"] for n in sizes) - 20
    page = opened.get("/risk").text
    section = page[page.index('id="riskiest"') :]
    assert re.search(r'<th scope="row" class="number">41</th>', section)
    assert SECRET not in page
    (line,) = [json.loads(one) for one in audit.read_text().splitlines()]
    assert line["said"] == "the places of the 20 riskiest records were shown"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", line["at"])
    assert audit.stat().st_mode & 0o777 == 0o600
    assert session.history.number == before, "asking is no change"
    post(opened, session, "/columns/role", column="age", role="other")
    wait(session)
    assert "Show the places" in opened.get("/risk").text, "other columns, another question"


def test_what_cannot_be_noted_is_not_shown(opened, session):
    session.history.path = None
    assert post(opened, session, "/risk/riskiest").status_code == 422
    assert "riskiest" not in [job.slot for job in session.pending]
    wait(session)
    assert session.riskiest.facts is None


def test_weights_and_households_say_what_they_change(opened, session):
    assert risk_screen.facts(session, {})["weight"] == ""
    for page in ("/columns", "/risk"):
        found = opened.get(page)
        assert found.status_code == 200
        assert "stand for" not in found.text
    session.change("roles", roles={"w": "weight", "home": "household"})
    wait(session)
    opened.get("/risk")
    wait(session)
    telling = session.telling.facts
    assert telling["people"] == sum({40: 10, 12: 12, 13: 12}.get(i, 10 + i % 5) for i in range(120))
    assert 0 < telling["expected"] < 10
    page = opened.get("/risk").text
    assert f"{int(telling['people']):,} people, says" in page
    assert "k counts households, so that" in page
    assert columns_screen.facts(session, {})["stands_for"] == telling["people"]
    columns = opened.get("/columns").text
    assert "every record stands for several people" in columns
    assert "k counts households instead of records" in columns


def test_households_that_are_found_by_plain_python():
    homes = [1, 1, 2, 2, 3, None, None]
    ages = [30, 7, 30, 7, 99, 30, 30]
    table = as_table({"home": homes, "age": ages}, roles={"quasi": "age", "household": "home"})
    alike = Counter(ages)
    safe = {}
    for place, (home, age) in enumerate(zip(homes, ages, strict=True)):
        key = ("alone", place) if home is None else home
        safe[key] = safe.get(key, 1.0) * (1 - 1 / alike[age])
    found = homes_found(table)
    assert found["count"] == len(safe) == 5
    assert found["expected"] == pytest.approx(sum(1 - one for one in safe.values()))
    assert found["highest"] == pytest.approx(100.0)


def test_a_bad_weight_is_said(opened, session):
    session.change("roles", roles={"town": "weight"})
    wait(session)
    opened.get("/risk")
    wait(session)
    assert session.telling.problem or session.risk.problem
    assert SECRET not in opened.get("/risk").text


def test_a_large_file_is_counted_when_asked(opened, session, monkeypatch):
    monkeypatch.setattr("shoal.studio.session.LIVE", 10)
    session.change("roles", roles={"code": "quasi"})
    wait(session)
    assert "counted when you ask" in opened.get("/risk").text
    assert not session.pending
    assert post(opened, session, "/risk/telling").status_code == 303
    wait(session)
    assert "Which columns give most away?" in opened.get("/risk").text
