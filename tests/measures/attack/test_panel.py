"""The panel: who is run, who is not and why, and what is said."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings

from measures.attack.releases import coded, persons
from measures.coarse_files import coarse_files
from shoal import InvalidInput, as_table, attack, mondrian
from shoal.measures.attack import ATTACKS
from shoal.measures.attack.nearest_record import nearest_record
from shoal.measures.attack.specific_cover import specific_cover


@pytest.mark.slow
def test_everybody_is_run_or_said_not_to_be():
    table = coded(n=100)
    panel = attack(table, table, rng=0)
    found = [finding.intruder for finding in panel.findings]
    assert sorted([*found, *panel.not_run]) == sorted(intruder.__name__ for intruder in ATTACKS)
    assert {"two_releases", "pram_inversion", "unshuffle"} <= set(panel.not_run)
    assert all(reason.endswith(".") for reason in panel.not_run.values())


def test_the_strongest_one_is_the_sentence():
    panel = attack(persons(), persons(), intruders=[nearest_record, specific_cover], rng=0)
    assert panel.strongest.intruder in panel.sentence.replace(" ", "_").lower()
    assert panel.sentence.startswith("The strongest of 2 intruders")
    table = persons()
    safe = attack(table, mondrian(table, k=5), intruders=[nearest_record, specific_cover], rng=0)
    assert safe.strongest is None
    assert safe.sentence == "None of 2 intruders that were run found more than chance would."


def test_json_holds_positions_and_no_values():
    table = coded(n=100)
    text = attack(table, table, rng=0).to_json()
    facts = json.loads(text)
    assert {"sentence", "strongest", "findings", "not_run", "warnings"} == set(facts)
    assert not any(f'"{value}"' in text for value in ("flu", "cold", "leg", "s", "t"))


def test_a_seed_repeats_it():
    table = persons(n=100)
    assert attack(table, table, rng=7).to_dict() == attack(table, table, rng=7).to_dict()


def test_progress_comes_before_an_intruder_and_can_stop():
    seen = []
    table = coded(n=50)
    attack(table, table, intruders=[nearest_record, specific_cover], callback=seen.append)
    assert [(p.fraction, p.message) for p in seen] == [
        (0.0, "nearest record"),
        (0.5, "specific cover"),
        (1.0, "done"),
    ]
    stopped = attack(table, table, intruders=[nearest_record], callback=lambda p: True)
    assert not stopped.findings
    assert "stopped" in stopped.not_run["nearest_record"]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(pair=coarse_files(ways=("kept", "coarser", "suppressed", "mixed", "changed"), most=12))
def test_odd_files_get_a_finding_or_a_reason(pair):
    panel = attack(*pair, rng=0)
    for finding in panel.findings:
        assert 0 <= finding.success <= 1
        assert 0 <= finding.baseline <= 1
        assert np.isfinite(finding.error)
        assert all(0 <= row < len(pair[0]) for row in finding.records)


def test_bad_input_is_one_sentence():
    table = coded(n=50)
    with pytest.raises(InvalidInput, match="50 and 49"):
        attack(table, table.take(np.arange(49)))
    with pytest.raises(InvalidInput, match="confidential"):
        attack(table, table, columns=["ill"])
    with pytest.raises(InvalidInput, match="'aa'"):
        attack(table, table, matrices={"aa": {}})
    only = as_table({"a": ["x", "y"]})
    assert attack(only, only, rng=0).findings
