"""The summary: everything a report says, as a dict of plain facts, in an internal and a public version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from shoal._door import takes_frames
from shoal.measures import (
    Verdict,
    check,
    distance_linkage_risk,
    interval_risk,
    probabilistic_linkage_risk,
)
from shoal.measures.attack.panel import Panel
from shoal.measures.description.figure_words import FIGURES, words_of
from shoal.measures.evaluate import RISK_WEIGHTS, Evaluation, evaluate
from shoal.measures.first_lines import first_lines
from shoal.report.citations import methods_of, source_of
from shoal.report.distributions import MIN_PUBLIC_RECORDS
from shoal.report.office_facts import limits_in_words, office_facts, role_facts
from shoal.report.risks import group_facts, risk_facts
from shoal.report.steps_in_words import steps_in_words, treatment_in_words
from shoal.report.variables import (
    band,
    correlation_facts,
    public_facts,
    reported_columns,
    variable_facts,
    with_distributions,
)
from shoal.table import Table, with_roles_of
from shoal.workflow.explore import Exploration
from shoal.workflow.pram_outcome import pram_outcome
from shoal.workflow.recipe import Recipe

Facts = dict[str, Any]
BARE = (interval_risk, distance_linkage_risk, probabilistic_linkage_risk)


@takes_frames
def summary(
    original: Table,
    masked: Table,
    *,
    evaluation: Evaluation | None = None,
    recipe: Recipe | None = None,
    exploration: Exploration | None = None,
    verdict: Verdict | None = None,
    intruder: Panel | str | None = None,
    reason: str = "",
    title: str = "How this file was protected",
    public: bool = False,
) -> Facts:
    """Gather what was done to a file, what it cost and what is left to risk, as a dict of plain facts.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position (before `write_table` shuffles them).
    evaluation
        What `evaluate` found; it is run with all measures if not given.
    recipe
        What was done; gives the roles of the columns, the methods, and the k that was promised.
    exploration
        What else was tried, as `shoal.explore` found it; internal only.
    verdict
        What was counted on the released file; the promise of the recipe is counted here if not given.
    intruder
        What a panel of intruders found (`shoal.attack`), or a sentence about it; internal only.
    reason
        Why the file was released below its promise, in somebody's words; internal only.
    title
        The heading of the report.
    public
        Leave out everything that helps an intruder: parameters, counts, risks, exact figures, single values
        (see Notes).

    Returns
    -------
    dict
        Numbers, text, lists and dicts: ready for `json.dumps`, `page`, `markdown` and the plots.

    Notes
    -----
    A public summary is built from its own short list of facts, not by leaving out: method names without
    options, the number of records to two digits, losses and changes in wide bands, distributions and
    correlations of the masked file only, with bins and categories of fewer than 10 records merged.
    Identifiers never appear, in neither version, nor does a seed; an internal summary shows values of the
    masked file in its smallest classes. Missing values are counted and take no part in means and
    correlations. Beyond the evaluation time is O(n log n) a column.

    Examples
    --------
    >>> from shoal import mdav, microaggregate
    >>> from shoal.datasets import load_sme
    >>> table = load_sme()
    >>> facts = summary(table, microaggregate(table, k=3, partition=mdav))
    >>> facts["k"], round(facts["information_loss"], 2)
    (3, 41.57)
    """
    if recipe is not None:
        original = recipe.describe(original)
    judged = evaluate(original, masked) if evaluation is None else evaluation
    if verdict is None and recipe is not None and recipe.promised:
        verdict = check(with_roles_of(original, masked), recipe.promised)
    names = reported_columns(original, masked, judged.keys)
    head = {"title": title, "public": public, "shoal": _version(), "date": date.today().isoformat()}
    if public:
        return head | _public(original, masked, judged, recipe, names)
    facts = _internal(original, masked, judged, recipe, exploration, names, verdict, intruder)
    said = [f"It was released all the same, because: {reason}"] if reason else []
    return head | facts | {"verdict": [*facts["verdict"][:1], *said, *facts["verdict"][1:]]}


def _internal(
    original: Table,
    masked: Table,
    judged: Evaluation,
    recipe: Recipe | None,
    exploration: Exploration | None,
    names: Sequence[str],
    verdict: Verdict | None,
    intruder: Panel | str | None,
) -> Facts:
    promised = None if verdict is None else verdict.promise.class_size
    lost = _lost(judged)
    tried = None if exploration is None else _tried(exploration, recipe)
    return {
        "records": judged.records,
        "size": f"{judged.records:,} records",
        "k": judged.k,
        "promised_k": promised,
        "reached": None if verdict is None else verdict.kept,
        "keys": list(judged.keys),
        "verdict": [*_promised(verdict, judged, _sentence(intruder)), *_place(tried)],
        "information_loss": judged.information_loss,
        "disclosure_risk": judged.disclosure_risk,
        "score": judged.score,
        "losses": _measured(judged.loss),
        "risks": _measured(judged.risk),
        "skipped": dict(judged.skipped),
        "warnings": list(judged.warnings),
        "recipe": None if recipe is None else _recipe_facts(recipe),
        "exploration": tried,
        "map": tried or _alone_on_the_map(original, judged),
        "office": office_facts(original, masked, judged.keys, promised),
        "intruders": _intruders(intruder),
        "pram": _pram(original, masked, recipe) if judged.aligned else [],
        "treatments": _treatments(original, masked, judged),
        "groups": group_facts(original, masked, judged.keys),
        "variables": with_distributions(original, masked, variable_facts(original, masked, names, lost)),
        "correlations": _with_change(correlation_facts(original, masked, names)),
        "largest_risks": risk_facts(original, masked, judged, list(lost or ())),
        "citations": _citations(judged, recipe),
    }


def _public(
    original: Table, masked: Table, judged: Evaluation, recipe: Recipe | None, names: Sequence[str]
) -> Facts:
    """The short list of what may be said; everything else stays inside."""
    enough = judged.records >= MIN_PUBLIC_RECORDS
    facts = variable_facts(original, masked, names, _lost(judged))
    found = correlation_facts(original, masked, names, MIN_PUBLIC_RECORDS) if enough else None
    loss = judged.information_loss
    return {
        "size": _about(judged.records),
        "keys": list(judged.keys),
        "verdict": _public_verdict(judged),
        "information_loss": band(loss) if enough and loss is not None else None,
        "measured": {"loss": list(judged.loss), "risk": list(judged.risk)},
        "skipped": list(judged.skipped),
        "methods": [] if recipe is None else [source_of(name) for name in methods_of(recipe)],
        "roles": role_facts(original),
        "treatments": _public_treatments(judged),
        "limits": limits_in_words(judged.columns),
        "variables": public_facts(original, masked, facts, [n for n in original.names() if n in names]),
        "correlations": None if found is None else _public_correlations(found),
        "citations": _citations(judged, recipe),
    }


def _lost(judged: Evaluation) -> dict[str, float] | None:
    """The loss of every column that was looked at; None where the rows do not correspond."""
    return {column.name: column.loss for column in judged.columns} if judged.aligned else None


def _version() -> str:
    from shoal import __version__

    return __version__


def _measured(figures: Mapping[str, float]) -> list[Facts]:
    return [
        {"name": name, "title": words_of(name).name, "value": value, "does": _does(name)}
        for name, value in figures.items()
    ]


def _does(name: str) -> str:
    """What a figure means, in a sentence; one of the user's own says what its docstring says, or nothing."""
    if name in FIGURES:
        return words_of(name).sentence
    try:
        return str(source_of(name)["does"])
    except ValueError:
        return ""


def _promised(verdict: Verdict | None, judged: Evaluation, intruder: str | None) -> list[str]:
    """The promise with its l and t and the records that break it, then the other first lines."""
    if verdict is None:
        return first_lines(judged, intruder=intruder)
    first, *figures = verdict.sentences
    return [first, *figures, *first_lines(judged, first, intruder)[1:]]


def _sentence(intruder: Panel | str | None) -> str | None:
    return intruder.sentence if isinstance(intruder, Panel) else intruder


def _intruders(intruder: Panel | str | None) -> list[Facts]:
    """Who was run against the file, how often right, and how often whoever it is compared with."""
    if not isinstance(intruder, Panel):
        return []
    header = ("title", "guesses", "success", "baseline", "worst")
    pairs = zip(intruder.rows(), intruder.findings, strict=True)
    return [dict(zip(header, row, strict=True)) | {"found": found.found} for row, found in pairs]


def _pram(original: Table, masked: Table, recipe: Recipe | None) -> list[Facts]:
    """Which share of every column PRAM changed."""
    outcomes = [] if recipe is None else pram_outcome(original, masked, recipe)
    return [{"column": outcome.column, "changed": outcome.changed} for outcome in outcomes]


def _treatments(original: Table, masked: Table, judged: Evaluation) -> list[Facts]:
    """What became of every column, and what it lost, most lost first."""
    return [
        {
            "name": original.attribute(column.name).label or column.name,
            "role": column.role,
            "what": treatment_in_words(original, masked, column),
            "loss": column.loss,
            "changed": column.how != "unchanged",
        }
        for column in sorted(judged.columns, key=lambda column: -column.loss)
    ]


def _public_treatments(judged: Evaluation) -> list[Facts]:
    """What kind of change every column saw, and how much was suppressed, in wide bands."""
    return [
        {
            "name": column.name,
            "what": column.how,
            "suppressed": band(column.suppressed) if column.suppressed else "none",
        }
        for column in judged.columns
        if column.how != "unchanged"
    ]


def _alone_on_the_map(original: Table, judged: Evaluation) -> Facts | None:
    """This file beside the one it was made from: no loss, and the risk of the columns as they were."""
    if judged.score is None:
        return None
    known = list(judged.keys)
    bare = evaluate(original, original, loss=[], risk=BARE, known=known, risk_weights=RISK_WEIGHTS)
    if bare.disclosure_risk is None:
        return None
    loss, risk = judged.information_loss or 0.0, judged.disclosure_risk or 0.0
    points = (("the file as it was", 0.0, bare.disclosure_risk, bare.k), ("this file", loss, risk, judged.k))
    told = {"seconds": None, "front": True, "failed": "", "doubt": ""}
    found = [
        {"name": name, "k": k, "loss": loss, "risk": risk, "score": (loss + risk) / 2, **told}
        for name, loss, risk, k in points
    ]
    return {"records": judged.records, "planned": 2, "chosen": "this file", "candidates": found}


def _citations(judged: Evaluation, recipe: Recipe | None) -> list[Facts]:
    """Every paper once, with the names of the methods and measures that come from it."""
    users: dict[str, list[str]] = {}
    for name in [*([] if recipe is None else methods_of(recipe)), *judged.loss, *judged.risk]:
        if name in FIGURES or _does(name):
            for paper in source_of(name)["references"]:
                users.setdefault(paper, []).append(name)
    return [{"paper": paper, "for": names} for paper, names in users.items()]


def _recipe_facts(recipe: Recipe) -> Facts:
    """The recipe, with hierarchy files by name alone: where they lie is nobody's business."""
    names = {name: Path(h).name if isinstance(h, str) else h for name, h in recipe.hierarchies.items()}
    told = replace(recipe, hierarchies=names)
    return {
        **told.to_dict(),
        "words": steps_in_words(recipe),
        "methods": [source_of(name) for name in methods_of(recipe)],
        "toml": told.to_toml(),
        "python": told.to_python(),
    }


def _tried(exploration: Exploration, recipe: Recipe | None) -> Facts:
    """The candidates without their recipes, and which of them this file is."""
    keep = ("name", "k", "loss", "risk", "score", "seconds", "front", "failed", "doubt")
    found = [{name: candidate.to_dict()[name] for name in keep} for candidate in exploration.candidates]
    steps = None if recipe is None else recipe.steps
    chosen = next((c.name for c in exploration.candidates if c.recipe.steps == steps), None)
    return {
        "records": exploration.records,
        "planned": exploration.planned,
        "chosen": chosen,
        "candidates": found,
    }


def _place(tried: Facts | None) -> list[str]:
    """Where this file stands among what was tried."""
    if tried is None or tried["chosen"] is None:
        return []
    mine = next(c for c in tried["candidates"] if c["name"] == tried["chosen"])
    others = len(tried["candidates"]) - 1
    if mine["doubt"]:
        return [f"It was tried beside {others} other maskings, with which it cannot be compared."]
    better = "none of them has" if mine["front"] else "some of them have"
    return [f"It was compared with {others} other maskings: {better} both less loss and less risk."]


def _with_change(found: Facts | None) -> Facts | None:
    if found is None:
        return None
    pairs = zip(found["before"], found["after"], strict=True)
    change = [
        [None if b is None or a is None else a - b for b, a in zip(before, after, strict=True)]
        for before, after in pairs
    ]
    return found | {"change": change}


def _public_correlations(found: Facts) -> Facts:
    changed = _with_change(found) or {}
    moves = [abs(value) for row in changed["change"] for value in row if value is not None]
    rounded = [[None if value is None else round(value, 1) + 0.0 for value in row] for row in found["after"]]
    largest = band(100 * max(moves)) if moves else None
    return {
        "names": found["names"],
        "left_out": found["left_out"],
        "after": rounded,
        "largest_change": largest,
    }


def _public_verdict(judged: Evaluation) -> list[str]:
    keys = ", ".join(judged.keys) if len(judged.keys) <= 8 else f"{len(judged.keys)} columns"
    said = [f"The columns that could single out a person were protected: {keys}."]
    if judged.k is not None and judged.k > 2:
        said.append("In these columns every record looks exactly like several others.")
    if judged.risk:
        said.append(f"The risk that remains was measured in {len(judged.risk)} ways by the data owner.")
    return said


def _about(records: int) -> str:
    """The number of records to two digits.

    >>> _about(30162), _about(57)
    ('about 30,000 records', 'fewer than 100 records')
    """
    if records < MIN_PUBLIC_RECORDS:
        return f"fewer than {MIN_PUBLIC_RECORDS} records"
    return f"about {int(np.round(records, 2 - len(str(records)))):,} records"
