"""What explore gives back: the front, the rule, both ways to JSON."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import Infeasible, InvalidInput, evaluate, explore
from shoal.datasets import load_sme, make_scattered
from shoal.measures import distance_linkage_risk, interval_risk, sse_loss
from shoal.workflow.explore import Candidate, Exploration, pareto_front, rule_in_words

quick = partial(evaluate, loss=[sse_loss], risk=[interval_risk, distance_linkage_risk])
GRID = {"mdav": {"k": [3, 6]}, "rank_swap": {"percent": [10]}, "add_noise": {"amount": [0.2]}}


@pytest.fixture(scope="module")
def table():
    return make_scattered(40, d=3, rng=1)


@pytest.fixture(scope="module")
def found(table):
    return explore(table, GRID, evaluation=quick, rng=5)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)) | st.none(), max_size=12))
def test_the_front_is_whoever_no_other_beats(points):
    def beaten(mine):
        others = [p for p in points if p is not None]
        return any(p[0] <= mine[0] and p[1] <= mine[1] and p != mine for p in others)

    assert pareto_front(points) == {at for at, p in enumerate(points) if p is not None and not beaten(p)}


def test_recommendations_follow_the_stated_rule(found):
    compared = [c for c in found.candidates if c.kept]
    assert {c.name for c in found.candidates} - {c.name for c in compared}
    assert all(c.kept for c in found.front)
    assert found.recommend().score == min(c.score for c in compared)
    limit = sorted(c.risk for c in compared)[1]
    taken = found.recommend(risk=limit)
    assert taken.loss == min(c.loss for c in compared if c.risk <= limit)
    assert taken.front
    assert found.recommend(k=6).k >= 6
    assert rule_in_words(risk=20, k=3).endswith("at most 20 among those where at least 3 records look alike")
    with pytest.raises(Infeasible, match=r"at most 0; the lowest is \d"):
        found.recommend(risk=0)
    with pytest.raises(Infeasible, match="No recipe makes 41 records look alike"):
        found.recommend(k=41)
    with pytest.raises(InvalidInput, match="`risk` must be a number from 0 to 100"):
        found.recommend(risk=101)


def test_json_both_ways(found):
    again = Exploration.from_json(found.to_json())
    assert again == found
    assert found.to_csv().startswith("name,options,k,loss")
    with pytest.raises(InvalidInput, match="no exploration"):
        Exploration.from_json("[1]")


def test_a_candidate_that_measured_nothing_says_so():
    found = explore(load_sme(), {"mdav": {"k": [3]}}, evaluation=partial(evaluate, loss=[]))
    (candidate,) = found.candidates
    assert isinstance(candidate, Candidate)
    assert candidate.doubt == "No loss or no risk could be measured, so it cannot be compared."
    assert found.front == ()
