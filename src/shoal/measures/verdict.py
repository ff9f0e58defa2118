"""An evaluation in words: is the file k-anonymous, and what do the main figures mean?"""

from __future__ import annotations

from shoal.measures.evaluate import Evaluation


def verdict(reached: int | None, k: int | None) -> str:
    """One sentence: is the file k-anonymous?

    >>> verdict(5, 3)
    'k = 3 reached: every record shares its quasi-identifiers with at least 4 others.'
    """
    if reached is None:
        return "k-anonymity could not be counted."
    if reached == 1:
        fact = "some records are alone with their quasi-identifiers."
    else:
        others = "1 other" if reached == 2 else f"{reached - 1} others"
        fact = f"every record shares its quasi-identifiers with at least {others}."
    if k is None:
        return f"k = {reached}: {fact}"
    if reached >= k:
        return f"k = {k} reached: {fact}"
    return f"k = {k} NOT reached, only {reached}: {fact}"


def reading(evaluation: Evaluation) -> str:
    """What the main figures mean, in words.

    >>> reading(Evaluation({"sse_loss": 6.25}, {"distance_linkage_risk": 12.7}, keys=("age", "sex")))
    'An intruder who knows age, sex links 12.7 of 100 records right; 6.2 % of the information is lost.'
    """
    known = ", ".join(evaluation.keys) if len(evaluation.keys) <= 5 else f"{len(evaluation.keys)} columns"
    linked = evaluation.risk.get("distance_linkage_risk")
    loss = evaluation.information_loss
    facts = (
        [] if linked is None else [f"An intruder who knows {known} links {linked:.1f} of 100 records right"]
    )
    facts += [] if loss is None else [f"{loss:.1f} % of the information is lost"]
    return "; ".join(facts) + "." if facts else "Nothing could be compared."
