"""The first lines of an evaluation: the promise, the risk by class, the best linkage, what analysts lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shoal.measures.description.figure_words import in_words
from shoal.measures.risk.cover_linkage import sample_interval

if TYPE_CHECKING:
    from shoal.measures.evaluation import Evaluation

LINKAGES = ("distance_linkage_risk", "probabilistic_linkage_risk")


def first_lines(evaluation: Evaluation, promised: str = "", intruder: str | None = None) -> list[str]:
    """What everybody should read before any figure.

    Parameters
    ----------
    evaluation
        What was measured.
    promised
        The sentence about the promise, such as the first of a `Verdict`; without one k is said.
    intruder
        What the strongest intruder of a panel found, if it was run; else the better of the linkages measured.

    Examples
    --------
    >>> from shoal.measures.evaluation import Evaluation
    >>> found = Evaluation({"sse_loss": 6.25}, {"distance_linkage_risk": 12.7}, k=3, keys=("age",))
    >>> print(*first_lines(found), sep="; ")
    k = 3: every record looks like at least 2 others in age.; An intruder who knows age links 12.7 of 100 \
records to the right one.; Analysts lose 6.2 % of the information.
    """
    found = [promised or _company(evaluation)]
    found += _risk_by_class(evaluation)
    found += [intruder] if intruder else _linked(evaluation)
    return [*found, *_lost(evaluation)]


def promise_of_k(reached: int | None, k: int | None, *, households: bool = False) -> tuple[str, bool]:
    """The sentence about a k that was asked for, and whether it was reached; no sentence if none was.

    >>> promise_of_k(4, 5)
    ('k = 5 NOT reached, only 4.', False)
    """
    if k is None:
        return "", True
    if (reached or 0) >= k:
        return f"k = {k} reached: {company(reached or 0, households=households)}.", True
    counted = "" if not households else " household" if reached == 1 else " households"
    return f"k = {k} NOT reached, only {reached}{counted}.", False


def company(k: int, *, households: bool = False) -> str:
    """What a class of k means for its records; with a household column k counts households.

    >>> company(3, households=True)
    'every record looks like those of at least 2 other households'
    """
    if k <= 1:
        return f"some {'households' if households else 'records'} are alone"
    plural = "" if k == 2 else "s"
    if households:
        return f"every record looks like those of at least {k - 1} other household{plural}"
    return f"every record looks like at least {k - 1} other{plural}"


def known_columns(keys: Sequence[str]) -> str:
    """The columns an intruder knows, by name if they are few.

    >>> known_columns(["age", "sex"]), known_columns(list("abcdef"))
    ('age, sex', '6 columns')
    """
    return ", ".join(keys) if len(keys) <= 5 else f"{len(keys)} columns"


def _company(evaluation: Evaluation) -> str:
    keys = known_columns(evaluation.keys)
    if evaluation.k is None:
        return "Nothing was counted: k is not known."
    return f"k = {evaluation.k}: {company(evaluation.k, households=evaluation.households)} in {keys}."


def _risk_by_class(evaluation: Evaluation) -> list[str]:
    risk = evaluation.classes
    if risk is None:
        return []
    above = "no record is" if not risk.above else f"{risk.above:,} records are"
    sought = "household" if evaluation.households else "record"
    return [
        f"Someone who knows that a person is in the file, and {known_columns(evaluation.keys)}, picks the "
        f"right {sought} with a chance of at most {in_words(risk.highest)} %, on average "
        f"{in_words(risk.mean)} %; {'1 record is' if risk.above == 1 else above} above {risk.threshold:g} %."
    ]


def _linked(evaluation: Evaluation) -> list[str]:
    found = [evaluation.risk[name] for name in LINKAGES if name in evaluation.risk]
    if not found:
        return []
    keys = known_columns(evaluation.keys)
    between = sample_interval(max(found), evaluation.records)
    said = f"{in_words(max(found))} of 100 records to the right one"
    if between is not None:
        said += f" (between {in_words(between[0])} and {in_words(between[1])}, by sample)"
    return [f"An intruder who knows {keys} links {said}."]


def _lost(evaluation: Evaluation) -> list[str]:
    loss, most = evaluation.information_loss, evaluation.most_changed
    if loss is None:
        return ["What analysts lose could not be measured."]
    said = f"Analysts lose {in_words(loss)} % of the information"
    if most is None:
        return [f"{said}."]
    return [f"{said}; most changed: {most.name} ({most.how}, {in_words(most.loss)} % lost)."]
