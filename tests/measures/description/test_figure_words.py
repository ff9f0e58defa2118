"""Every figure on the menus has a name and a sentence, and numbers have one decimal."""

from __future__ import annotations

import pytest

from shoal.measures import LOSS, RISK
from shoal.measures.description.figure_words import FIGURES, in_words, words_of


@pytest.mark.parametrize("measure", [*LOSS, *RISK], ids=lambda m: m.__name__)
def test_every_measure_has_words(measure):
    name, sentence = words_of(measure.__name__)
    assert measure.__name__ in FIGURES
    assert "_" not in name
    assert len(name) <= 32
    assert sentence.endswith(".")


def test_names_are_told_apart():
    assert len({words.name for words in FIGURES.values()}) == len(FIGURES)


SHOWN = [(0.0, "0.0"), (0.049, "under 0.1"), (0.06, "0.1"), (99.96, "over 99.9"), (100.0, "100.0")]


@pytest.mark.parametrize(("value", "said"), SHOWN)
def test_one_decimal_never_rounds_something_to_nothing(value, said):
    assert in_words(value) == said
