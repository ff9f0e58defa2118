"""The first lines: promise, risk by class, linkage or intruder, loss; never a value of the file."""

from __future__ import annotations

from shoal.measures.description.column_losses import ColumnLoss
from shoal.measures.evaluation import ClassRisk, Evaluation
from shoal.measures.first_lines import first_lines

AGE = ColumnLoss("age", "quasi", "numeric", "coarser", 90.0, 0.0, 12.34)
FOUND = Evaluation(
    {"sse_loss": 6.25},
    {"distance_linkage_risk": 5.0, "probabilistic_linkage_risk": 7.5},
    k=3,
    keys=("age", "town"),
    columns=(AGE,),
    classes=ClassRisk(33.333, 10.04, 17),
)


def test_all_four():
    lines = first_lines(FOUND, "k = 3 reached.")
    assert lines[0] == "k = 3 reached."
    assert "at most 33.3 %, on average 10.0 %; 17 records are above 20 %" in lines[1]
    assert lines[2] == "An intruder who knows age, town links 7.5 of 100 records to the right one."
    assert lines[3] == "Analysts lose 6.2 % of the information; most changed: age (coarser, 12.3 % lost)."


def test_a_panel_that_was_run_speaks_instead():
    assert (
        first_lines(FOUND, intruder="The strongest intruder found 3.")[2] == "The strongest intruder found 3."
    )


def test_without_a_promise_k_is_said():
    assert first_lines(FOUND)[0] == "k = 3: every record looks like at least 2 others in age, town."
    assert "could not be measured" in first_lines(Evaluation({}, {}))[-1]


def test_what_was_linked_by_sample_comes_with_its_interval():
    from shoal.measures.evaluation import Evaluation

    large = Evaluation({}, {"distance_linkage_risk": 1.0}, records=1_000_000, k=3, keys=("age",))
    said = "links 1.0 of 100 records to the right one (between 0.9 and 1.1, by sample)"
    assert any(said in sentence for sentence in first_lines(large))
    small = Evaluation({}, {"distance_linkage_risk": 1.0}, records=1_000, k=3, keys=("age",))
    assert not any("by sample" in s for s in first_lines(small))
