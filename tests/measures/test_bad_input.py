"""What cannot be measured is said in one sentence with the column and no value; never a wrong figure."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, ShoalError, as_table, attack, evaluate, with_hierarchies
from shoal.hierarchy import hierarchy_from_rows
from shoal.measures import (
    global_risk,
    household_risks,
    individual_risk,
    population_sizes,
    presence,
    record_risks,
)

ROLES = {"quasi": "age", "weight": "w", "household": "home"}
COLUMNS = {"age": [20, 25, 40, 41], "w": [2.0, 2.0, 4.0, 4.0], "home": [1, 1, 2, 2]}
TABLE = as_table(COLUMNS, roles=ROLES)
PEOPLE = as_table({"sex": ["f", "m"]})


@pytest.mark.parametrize("compare", [evaluate, attack, record_risks], ids=lambda f: f.__name__)
def test_files_of_different_length_and_what_one_file_can_still_show(compare):
    with pytest.raises(InvalidInput, match=r"4 and 3 records.*shoal check"):
        compare(TABLE, TABLE.take(np.arange(3)))


def test_rows_in_another_order_are_said():
    turned = TABLE.take(np.arange(4)[::-1])
    assert "another order" in " ".join(evaluate(TABLE, turned).warnings)
    checked = evaluate(TABLE, turned, rows="checked")
    assert (checked.score, checked.aligned) == (None, False)
    assert checked.classes is not None  # what needs no rows is still counted


def test_released_cells_that_are_nothing_are_counted_and_not_shown():
    (said,) = evaluate(TABLE, TABLE.assign(age=["young", "25", "40-49", "??"])).warnings
    assert said.startswith("2 cells of column 'age'")
    assert "young" not in said


def test_intruders_that_need_to_read_cells_are_listed_as_not_run():
    released = TABLE.assign(age=["young", "25", "40-49", "??"])
    panel = attack(TABLE, released, rng=1)
    assert "'age'" in panel.not_run["singling_out"]
    assert panel.findings
    assert "2 cells of column 'age'" in panel.warnings[0]


def test_a_hierarchy_for_a_column_that_is_not_there():
    tree = hierarchy_from_rows([["20", "*"], ["25", "*"]])
    with pytest.raises(InvalidInput, match=r"'agee'.*'age'"):
        with_hierarchies(TABLE, {"agee": tree})


@pytest.mark.parametrize("weight", [-3.25, 0.0, None, float("nan")])
@pytest.mark.parametrize(
    "measure",
    [lambda t: individual_risk(t, t), global_risk, household_risks, lambda t: record_risks(t, t)],
    ids=["individual_risk", "global_risk", "household_risks", "record_risks"],
)
def test_weights_that_no_person_has(measure, weight):
    roles = {"quasi": "age", "weight": "w"}
    broken = as_table(COLUMNS | {"w": [2.0, weight, 4.0, 4.0]}, roles=roles)
    told = {"household": "home"} if measure is household_risks else {}
    with pytest.raises(InvalidInput, match=r"'w'.*row 1") as said:
        measure(broken, **told)
    assert "3.25" not in str(said.value)


@pytest.mark.parametrize(
    "count",
    [
        lambda: record_risks(TABLE, TABLE, population=PEOPLE),
        lambda: presence(TABLE, PEOPLE),
        lambda: population_sizes(TABLE, PEOPLE),
    ],
    ids=["record_risks", "presence", "population_sizes"],
)
def test_a_population_without_a_key(count):
    with pytest.raises(ShoalError, match="no column 'age' in the population table"):
        count()
