"""shoal evaluate: the verdict first, then every figure."""

from __future__ import annotations

import json

from cli.files import ROLES


def test_evaluate_puts_the_verdict_first(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    code, out, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--k", "5")
    assert (code, err) == (0, "")
    assert out.startswith("k = 5 NOT reached, only 4")
    assert "An intruder who knows age, pay links" in out.splitlines()[2]
    assert "Analysts lose" in out.splitlines()[3]
    facts = json.loads(shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--json")[1])
    assert facts["k"] == 4


def test_evaluate_takes_what_the_intruder_knows_and_how_to_score(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    facts = json.loads(
        shoal("evaluate", "people.csv", "safe.csv", *ROLES[:2], "--known", "age", "--score", "max", "--json")[
            1
        ]
    )
    assert facts["keys"] == ["age"]
    assert facts["score"] == max(facts["information_loss"], facts["disclosure_risk"])
    code, _, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--score", "min")
    assert code == 2
    assert "`combine` must be one of 'mean', 'max'" in err


def test_evaluate_notices_shuffled_rows(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--seed", "3")
    _, _, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay")
    assert "shuffled" in err
