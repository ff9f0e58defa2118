"""Linkage by covers against sets of values, pair by pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from measures.coarse_files import coarse_files, how_many, stands_for
from measures.files import MANY
from shoal import InvalidInput, as_table, mondrian
from shoal.measures import column_covers, cover_linkage, distance_linkage_risk
from shoal.measures.risk import cover_linkage as module


def slow_links(original, masked):
    """For every record its candidates and its chance, from sets of values."""
    names, n = original.names(), len(original)
    x = {name: original.frame[name].to_list() for name in names}
    y = {name: masked.frame[name].to_list() for name in names}
    number = {name: original.attribute(name).kind == "numeric" for name in names}
    values = {name: {v for v in x[name] if v is not None} for name in names}
    everything = {name: values[name] if number[name] else set("abcde") for name in names}
    candidates, chances = [], []
    for i in range(n):
        fits, size = [], []
        for j in range(n):
            covers = {name: stands_for(y[name][j], number[name], everything[name]) for name in names}
            fits.append(all(x[name][i] is None or x[name][i] in covers[name] for name in names))
            size.append(
                np.prod([how_many(y[name][j], number[name], everything[name] or {0}) for name in names])
            )
        best = min(s for s, fit in zip(size, fits, strict=True) if fit)
        good = [j for j in range(n) if fits[j] and size[j] == best]
        candidates.append(sum(fits))
        chances.append(1 / len(good) if i in good else 0.0)
    return candidates, chances


@pytest.mark.slow
@MANY
@given(pair=coarse_files())
def test_it_agrees_with_sets_of_values(pair):
    found = cover_linkage(*pair)
    candidates, chances = slow_links(*pair)
    assert found.candidates.tolist() == candidates
    assert found.chances == pytest.approx(chances)
    assert found.low == found.percent == found.high == pytest.approx(100 * np.mean(chances))


@pytest.mark.slow
@settings(max_examples=100)
@given(pair=coarse_files(most=20))
def test_the_right_record_is_never_lost_from_its_own_candidates(pair):
    original, masked = pair
    assert all(column_covers(original, masked, name).holds.all() for name in original.names())
    assert (cover_linkage(original, masked).candidates >= 1).all()


@pytest.mark.slow
@settings(max_examples=100)
@given(pair=coarse_files(ways=("kept", "coarser", "suppressed", "mixed", "changed"), least=2))
def test_perturbed_columns_rank_and_never_rule_out(pair):
    original, masked = pair
    perturbed = [n for n in original.names() if column_covers(original, masked, n).perturbed]
    rest = [n for n in original.names() if n not in perturbed and original.missing()[n] < len(original)]
    found = cover_linkage(original, masked)
    expected = cover_linkage(original, masked, columns=rest).candidates if rest else len(original)
    assert (found.candidates == expected).all()
    assert ((found.chances >= 0) & (found.chances <= 1)).all()


def test_distance_decides_before_covers():
    before = as_table({"pay": [10.0, 20.0, 30.0, 40.0], "town": ["a", "a", "b", "b"]})
    after = as_table({"pay": [11.0, 21.0, 29.0, 41.0], "town": ["{a, b}", "{a, b}", "{a, b}", "b"]})
    assert cover_linkage(before, after).chances.tolist() == [1, 1, 1, 1]
    assert distance_linkage_risk(before, after) == 100


def test_ties_are_shared_or_not():
    before, after = as_table({"age": [20, 25, 40]}), as_table({"age": ["20-29", "20-29", "40"]})
    percents = {t: cover_linkage(before, after, ties=t).percent for t in ("expected", "strict", "optimistic")}
    assert percents == pytest.approx({"expected": 200 / 3, "strict": 100 / 3, "optimistic": 100})
    with pytest.raises(InvalidInput, match="ties"):
        cover_linkage(before, after, ties="all")


def test_large_files_are_sampled_with_an_interval(monkeypatch):
    monkeypatch.setattr(module, "SAMPLED_FROM", 1_000)
    monkeypatch.setattr(module, "TARGETS", 400)
    rng = np.random.default_rng(0)
    table = as_table(
        {"a": rng.integers(0, 40, 3000), "b": rng.integers(0, 40, 3000)}, roles={"quasi": ["a", "b"]}
    )
    masked = mondrian(table, k=5)
    whole = cover_linkage(table, masked, exact=True).percent
    hits = 0
    for seed in range(40):
        found = cover_linkage(table, masked, rng=seed)
        assert len(found.rows) == 400
        assert found.low < found.percent < found.high
        hits += found.low <= whole <= found.high
    assert hits >= 33
    assert distance_linkage_risk(table, masked, exact=True) == pytest.approx(whole)
    assert distance_linkage_risk(table, masked, rng=3) == cover_linkage(table, masked, rng=3).percent


def test_mondrian_is_linked_at_most_as_its_promise_says():
    rng = np.random.default_rng(1)
    table = as_table(
        {"a": rng.integers(0, 30, 500), "b": rng.integers(0, 5, 500)}, roles={"quasi": ["a", "b"]}
    )
    assert cover_linkage(table, mondrian(table, k=5)).chances.max() <= 1 / 5
