"""What was done, in words, of every masker that has words and of those that have none."""

from __future__ import annotations

import pytest

from shoal import Recipe, as_table
from shoal.measures import column_losses
from shoal.report.steps_in_words import WORDS, steps_in_words, treatment_in_words
from shoal.workflow.registry import find_method

AGES = as_table({"age": [20, 25, 31, 36, 44, 49, 52, 58], "town": list("abcdabcd")})


def words(after, name="age"):
    (found,) = column_losses(AGES, after, columns=[name])
    return treatment_in_words(AGES, after, found)


def test_bands_labels_values_and_suppressed_cells():
    tens = AGES.assign(age=["20-29"] * 2 + ["30-39"] * 2 + ["40-49"] * 2 + ["50-59"] * 2)
    assert words(tens) == "in bands of 10"
    assert words(AGES.assign(age=["20-44"] * 5 + ["> 44"] * 3)) == "in 2 bands or labels instead of 8 values"
    mixed = AGES.assign(age=["20", "25"] + ["31-36"] * 2 + ["44-58"] * 4)
    assert words(mixed) == "75.0 % of the cells in 2 bands or labels"
    gone = AGES.assign(town=["a", "b", "c", "d", "a", "b", None, None])
    assert words(gone, "town") == "2 cells suppressed (25.0 %)"
    assert words(AGES.assign(age=[21, 25, 31, 36, 44, 49, 52, 58])) == "other values in 12.5 % of the cells"
    assert words(AGES) == "as it was"


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"method": "microaggregate", "k": 5}, "at least 5 similar records"),
        (
            {"method": "mondrian", "k": 4, "columns": ["age"]},
            "at least 4 records; every record shows",
        ),
        ({"method": "global_recode", "cuts": {"age": [20, 40]}}, "age cut at 20, 40"),
        ({"method": "global_recode", "levels": {"age": 2}}, "age at level 2 of its hierarchy"),
        ({"method": "rank_swap", "percent": 5}, "at most 5 %"),
        (
            {"method": "top_code", "quantile": 0.9, "columns": ["age"]},
            "above a threshold, which a share of the records",
        ),
        ({"method": "top_code", "threshold": 60, "replacement": "threshold"}, "replaced by it."),
        ({"method": "top_code", "threshold": 60, "replacement": "mean"}, "replaced by their mean."),
        (
            {"method": "bottom_code", "threshold": 60, "replacement": {"age": 70}},
            "by a value that was given.",
        ),
        ({"method": "shuffle"}, ""),
    ],
)
def test_steps_have_a_sentence_each(step, said):
    (sentence,) = steps_in_words(Recipe("r", {}, [step]))
    assert said in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize("method", ["microaggregate", "recode_to_k", "suppress_to_k", "mondrian"])
def test_with_a_household_k_counts_households(method):
    (sentence,) = steps_in_words(Recipe("r", {"household": ["home"]}, [{"method": method, "k": 3}]))
    assert "households" in sentence
    assert "3 records" not in sentence


def test_words_are_of_methods_that_exist():
    assert all(find_method(name) for name in WORDS)
