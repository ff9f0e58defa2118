"""Every figure in words: what it is called, and a sentence how it was counted and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Words(NamedTuple):
    """The name of a figure for people, and a sentence that says how it was counted and what it means."""

    name: str
    sentence: str


FIGURES: Mapping[str, Words] = {
    "sse_loss": Words(
        "Spread of numbers lost",
        "Squared changes of the numbers in percent of their whole spread: 5 means that a twentieth is gone.",
    ),
    "il1s": Words(
        "Change of numbers",
        "Mean change of a number in percent of how far two records drawn at random lie apart.",
    ),
    "il2": Words("Change of means", "How far the means of the columns moved, in percent of the means."),
    "il3": Words(
        "Change of covariances",
        "Mean change of variances and covariances in percent of themselves; one near zero can make it huge.",
    ),
    "il4": Words("Change of variances", "Mean change of the columns' variances, in percent of them."),
    "il5": Words(
        "Change of correlations", "Mean change of the correlations times 100: 1.6 means 0.016 up or down."
    ),
    "il_loss": Words(
        "Classic information loss",
        "Mean of the five changes above: numbers, means, covariances, variances, correlations.",
    ),
    "pil_loss": Words(
        "Change beyond chance",
        "How surely an analyst could tell the changed statistics from chance; near 100 in any large file.",
    ),
    "eigen_loss": Words(
        "Change of main directions", "Change of the principal components' variances in percent of their sum."
    ),
    "regression_loss": Words(
        "Regressions that differ",
        "Share of the 95 % intervals of regression coefficients that the two files do not have in common.",
    ),
    "pmse_loss": Words(
        "Tell-tale differences",
        "How well a model tells protected from original records: 0 not at all, 100 every one.",
    ),
    "gcp": Words(
        "Coarseness of cells",
        "Mean share of its column's values that a released cell may stand for: 0 a value, 100 anything.",
    ),
    "dbil": Words(
        "Distance of categories",
        "How far, on average, a released category lies from its original: 0 the same, 100 lost.",
    ),
    "ctbil": Words(
        "Tables changed",
        "Percent of the records that moved to another cell, over all tables of one and two columns.",
    ),
    "ebil": Words(
        "Uncertainty about categories",
        "How uncertain the original category is once the released one is known: 100 says nothing.",
    ),
    "interval_risk": Words(
        "Values guessed closely",
        "Of 100 values, how many lie close to what was released, averaged over 1 to 10 percent of the ranks.",
    ),
    "distance_linkage_risk": Words(
        "Records found by distance",
        "Of 100 records, how many an intruder with the original values links to the right released one.",
    ),
    "probabilistic_linkage_risk": Words(
        "Records found by agreement",
        "The same for an intruder who weighs which columns agree (Fellegi and Sunter).",
    ),
    "k_anonymity": Words(
        "Highest risk in a class",
        "Chance to pick the right record in the smallest class: 100 divided by its size.",
    ),
    "l_diversity": Words(
        "Confidential value guessed",
        "100 divided by the different confidential values of the poorest class.",
    ),
    "t_closeness": Words(
        "What a class gives away",
        "Largest distance of a class's confidential values from those of the whole file, times 100.",
    ),
    "suda2": Words(
        "Singled out by few columns",
        "Of 100 released records, how many are alone in some three columns or fewer.",
    ),
    "individual_risk": Words(
        "Expected re-identifications",
        "Of 100 records, how many are expected to be found; sampling weights count where they are given.",
    ),
    "prosecutor_risk": Words(
        "Found by who knows",
        "Of 100 records, how many are found by somebody who knows that the person is in the file.",
    ),
    "records_at_risk": Words(
        "Records above the threshold",
        "Of 100 records, how many are picked out of their class with more than the threshold's chance.",
    ),
    "mahalanobis_risk": Words(
        "Whole records guessed closely",
        "Of 100 records, how many keep all their numbers close; outliers are looked for in wider intervals.",
    ),
    "information_loss": Words(
        "Information loss",
        "What analysts lose in one figure: 0 nothing, 100 everything.",
    ),
    "disclosure_risk": Words(
        "Disclosure risk",
        "What intruders find: half closely guessed values, half linked records.",
    ),
    "score": Words("Score", "Information loss and disclosure risk in one figure; less is better."),
}


def words_of(name: str) -> Words:
    """The words of a figure; one of the user's own is called by its name.

    >>> words_of("ctbil").name, words_of("my_own").name
    ('Tables changed', 'My own')
    """
    return FIGURES.get(name, Words(name.replace("_", " ").capitalize(), ""))


def in_words(value: float | None) -> str:
    """A figure with one decimal, never 0.0 or 100.0 for what is not quite so.

    >>> in_words(6.25), in_words(0.01), in_words(99.99), in_words(None)
    ('6.2', 'under 0.1', 'over 99.9', 'not known')
    """
    if value is None or value != value:
        return "not known"
    if 0 < value < 0.05:
        return "under 0.1"
    return "over 99.9" if 99.95 <= value < 100 else f"{value:,.1f}"
