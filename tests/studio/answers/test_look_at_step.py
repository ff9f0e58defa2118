"""A step looked at closely: the cut, the matrix, the hidden cells, each counted again here."""

from __future__ import annotations

import csv

import pytest

from shoal.errors import InvalidInput
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.look_at_step import look_at_step
from shoal.studio.answers.run_steps import run_steps
from shoal.studio.plan import EMPTY


def tell(progress):
    return False


def look(people, *cards, desk=None, number=1):
    roles = {"age": "quasi", "sex": "quasi", "education": "quasi", "income": "confidential"}
    plan = {**EMPTY, "source": str(people), "roles": roles, "promise": {"k": 3}}
    plan["steps"] = [{"id": at, "on": True, **card} for at, card in enumerate(cards, 1)]
    desk = desk or Desk()
    if desk is not None and cards:
        run_steps(desk, tell, plan=plan, seed=1)
    return look_at_step(desk, tell, plan=plan, id=number)


def incomes(people):
    rows = csv.DictReader(people.read_text().splitlines())
    return [float(row["income"]) for row in rows if row["income"]]


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("top_code", {"quantile": 0.9}),
        ("top_code", {"threshold": {"income": 50_000}}),
        ("bottom_code", {"quantile": 0.1}),
    ],
)
def test_the_cut_is_where_the_step_cuts(people, method, given):
    found = look(people, {"method": method, "columns": ["income"], **given})["cuts"]
    values = incomes(people)
    assert [one["column"] for one in found] == ["income"]
    cut = found[0]["cut"]
    assert sum(found[0]["counts"]) == found[0]["records"] == len(values)
    assert found[0]["beyond"] == sum(v > cut if method == "top_code" else v < cut for v in values)
    if "quantile" in given:
        assert 0.05 * len(values) <= found[0]["beyond"] <= 0.1 * len(values)


def test_the_matrix_beside_what_was_drawn(people):
    card = {"method": "pram", "columns": ["sex"], "matrices": {"method": "invariant_matrix", "p": 0.7}}
    one = look(people, card)["matrices"][0]
    assert one["column"] == "sex"
    assert all(sum(row) == pytest.approx(100) for row in one["matrix"])
    assert one["expected"] == pytest.approx(one["before"]), "an invariant matrix keeps frequencies"
    assert sum(one["drawn"]) == sum(one["before"]) == 200
    assert 0 < one["changed"] < 100
    assert 0 < one["change_expected"] < 100


def test_a_step_is_looked_at_between_those_around_it(people):
    """What the steps before it and behind it did is not said to be its own."""
    swap = {"method": "pram", "columns": ["sex"], "matrices": {"method": "invariant_matrix", "p": 0.7}}
    hide = {"method": "suppress_to_k", "seconds": 1}
    before = look(people, hide, number=1)["hidden"]
    after = look(people, swap, hide, number=1)["matrices"][0]
    assert sum(after["drawn"]) == 200, "what is hidden later is not missing here"
    both = look(people, hide, swap, number=2)["matrices"][0]
    left = 200 - next(one["hidden"] for one in before if one["column"] == "sex")
    assert sum(both["before"]) == sum(both["drawn"]) == left
    assert look(people, hide, swap, number=1)["hidden"] == before


def test_hidden_cells_by_column(people):
    rich = look(people, {"method": "suppress_to_k", "seconds": 1})["hidden"]
    importance = {"age": 10.0}
    kept = look(people, {"method": "suppress_to_k", "seconds": 1, "importance": importance})["hidden"]
    assert [one["column"] for one in rich] == ["sex", "age", "education"]
    at = {one["column"]: one["hidden"] for one in rich}, {one["column"]: one["hidden"] for one in kept}
    assert at[1]["age"] <= at[0]["age"]


def test_no_such_card(people):
    with pytest.raises(InvalidInput, match="no longer there"):
        look_at_step(Desk(), tell, plan={**EMPTY, "source": str(people)}, id=7)
