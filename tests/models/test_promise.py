"""Promises as values: what they refuse, what they write down, which models they ask."""

from __future__ import annotations

import pytest

from shoal import InvalidInput, Promise, Recipe


def test_a_promise_survives_being_written_down():
    promise = Promise(k=5, l={"ill": 2}, t={"pay": 0.25}, max_risk=0.09)
    assert Promise.from_dict(promise.to_dict()) == promise
    assert promise.class_size == 12
    assert promise.confidential == ["ill", "pay"]
    assert list(promise.models()) == ["k", "l", "t", "max_risk"]


def test_an_empty_promise_says_nothing():
    assert not Promise()
    assert Promise().class_size == 1
    assert Promise().to_dict() == {}


@pytest.mark.parametrize(
    ("risk", "size"), [(1, 1), (0.5, 2), (0.2, 5), (0.1, 10), (0.0909, 12), (0.09, 12), (1 / 11, 11)]
)
def test_the_highest_risk_is_not_rounded(risk, size):
    assert Promise(max_risk=risk).class_size == size


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"k": 0}, "`k` must be a whole number of at least 1"),
        ({"k": 2.5}, "`k` must be a whole number"),
        ({"l": 2}, "names columns"),
        ({"l": {"ill": 0}}, "`l of ill` must be a number at least 1"),
        ({"t": {"ill": 2}}, "`t of ill` must be a number from 0 to 1"),
        ({"max_risk": 0}, "`max_risk` must be a number"),
        ({"max_risk": 9}, "`max_risk` must be a number"),
        ({"others": {"nothing": {}}}, "no model of a promise 'nothing'"),
        ({"others": {"alpha_k": {"beta": 1}}}, "no option of alpha_k 'beta'. Known: alpha"),
        ({"others": {"recursive_l_diverse": {"l": 2}}}, "recursive_l_diverse needs the option `c`"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        Promise(**options)


def test_a_recipe_holds_its_promise_and_hands_it_to_its_steps():
    recipe = Recipe("r", {"quasi": ["a"]}, [{"method": "microaggregate"}], promise=Promise(max_risk=0.4))
    assert recipe.bound_steps() == [{"method": "microaggregate", "k": 3}]
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert "[promise]" in recipe.to_toml()
    assert Recipe.from_json(recipe.to_json()) == recipe


def test_a_step_that_says_otherwise_keeps_its_word():
    recipe = Recipe("r", {}, [{"method": "mondrian", "k": 7}], promise={"k": 5, "l": {"ill": 2}})
    (step,) = recipe.bound_steps()
    assert step == {"method": "mondrian", "k": 7, "promise": {"l": {"ill": 2}}}
    assert recipe.promised == Promise(k=5, l={"ill": 2})


def test_without_a_promise_the_largest_k_of_the_steps_counts():
    steps = [{"method": "microaggregate", "k": 3}, {"method": "suppress_to_k", "k": 5}]
    assert Recipe("r", {}, steps).promised == Promise(k=5)
    assert not Recipe("r", {}, [{"method": "rank_swap", "percent": 5}]).promised


def test_columns_of_every_model_are_confidential():
    promise = Promise(
        l={"ill": 2}, others={"alpha_k": {"alpha": {"pay": 0.5}}, "average_risk": {"risk": 0.3}}
    )
    assert promise.confidential == ["ill", "pay"]
