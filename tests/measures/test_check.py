"""Does a file keep a promise: verdicts against counting by hand."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given

from measures.files import MANY, files
from shoal import InvalidInput, NotApplicable, Promise, as_table, check
from shoal.measures import anonymity_level, violating_records

PEOPLE = {
    "age": [30, 30, 40, 40, None],
    "home": [1, 1, 2, 3, 4],
    "area": ["n", "n", "n", "s", "n"],
    "ill": ["flu", "flu", "flu", "cold", None],
}


@pytest.mark.slow
@MANY
@given(pair=files(most=14, columns=2, confidential=True))
def test_verdicts_agree_with_counting_by_hand(pair):
    _, masked = pair
    keys = masked.names(role="quasi")
    cells = {name: [None if v != v else v for v in masked.column(name).tolist()] for name in masked.names()}
    groups = defaultdict(list)
    for row in range(len(masked)):
        groups[tuple(cells[name][row] for name in keys)].append(row)
    breaking = {
        row
        for rows in groups.values()
        for row in rows
        if len(rows) < 2 or len({cells["secret"][r] for r in rows} - {None}) < 2
    }
    found = check(masked, Promise(k=2, l={"secret": 2}))
    assert set(found.breaking_records.tolist()) == breaking
    assert found.kept == (not breaking)
    assert found.reached["k"] == min(map(len, groups.values())) == anonymity_level(masked)
    assert found.reached["l"]["secret"] == min(
        len({cells["secret"][r] for r in rows} - {None}) for rows in groups.values()
    )


def test_yes_or_no_comes_first():
    table = as_table({"age": [30, 30, 40]}, roles={"quasi": "age"})
    broken = check(table, Promise(k=2))
    assert str(broken).startswith("No: the promise is broken; 1 of 3 records breaks it.")
    assert str(check(table, Promise(k=1))).startswith("Yes: the promise is kept (k = 1).")
    assert str(check(table, Promise())) == "No promise was made; counted on the file: k = 1."
    assert broken.to_dict()["breaking_records"] == 1


def test_households_are_counted_where_they_are_known():
    roles = {"quasi": "age", "household": "home"}
    table = as_table(PEOPLE, roles=roles)
    found = check(table, Promise(k=2))
    assert found.breaking_records.tolist() == [0, 1, 4]
    assert "k counts households." in found.sentences
    assert anonymity_level(table) == 1
    assert violating_records(table, 2).tolist() == [0, 1, 4]
    with pytest.raises(InvalidInput, match="Households cannot be counted"):
        check(table, Promise(k=2), gaps="wildcard")


def test_strata_are_part_of_the_key():
    table = as_table(PEOPLE, roles={"quasi": "age", "stratum": "area"})
    assert check(table, Promise(k=2)).breaking_records.tolist() == [2, 3, 4]
    assert check(table, Promise(k=2), columns=["age"]).keys == ("age", "area")


def test_wildcards_are_the_weaker_reading():
    table = as_table({"age": [30, 30, None]}, roles={"quasi": "age"})
    assert not check(table, Promise(k=2)).kept
    weaker = check(table, Promise(k=3), gaps="wildcard")
    assert weaker.kept
    assert any("weaker reading" in sentence for sentence in weaker.sentences)


def test_plain_frames_are_taken_and_mistakes_are_one_sentence():
    assert check({"age": [1, 1]}, Promise(k=2), columns=["age"]).kept
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        check({"age": [1, 1]}, Promise(k=2))
    with pytest.raises(InvalidInput, match="must be a Promise"):
        check({"age": [1, 1]}, 5, columns=["age"])
    with pytest.raises(NotApplicable, match="no records"):
        check({"age": []}, Promise(k=2), columns=["age"])
    with pytest.raises(InvalidInput, match="no column 'pay'"):
        check({"age": [1, 1]}, Promise(l={"pay": 2}), columns=["age"])
