"""Which steps of a recipe have a form at scale; the others are refused before a record moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from shoal.distributed.fit_files import FITTED_BY, needs_fit
from shoal.errors import NotApplicable
from shoal.workflow.recipe import Recipe

Form = Literal["record", "groups", "neighbours", "classes", "levels"]
FORMS: Mapping[str, Form] = {
    "microaggregate": "groups",  # in shards of neighbours, with a round across their borders
    "mondrian": "neighbours",  # in shards of neighbours
    "protect_clusters": "neighbours",
    "suppress_to_k": "classes",  # in shards of neighbours, only what is below k
    "recode_to_k": "levels",  # searched for before any record moves
    "global_recode": "record",  # exact: values of the whole file, records one by one
    "top_code": "record",
    "bottom_code": "record",
    "add_noise": "record",
    "pram": "record",
    "rank_swap": "record",  # in shards that are drawn: ranks among half a million records
    "shuffle": "record",
}
OPTIONS: Mapping[str, Sequence[str]] = {  # that mean the same in every shard
    "microaggregate": (
        *("k", "partition", "scale", "weights", "centre", "columns"),
        *("l_diversity", "confidential", "promise", "round", "missing"),
    ),
    "mondrian": (
        *("k", "cut", "strict", "release", "l_diversity", "confidential", "hierarchies"),
        *("promise", "round", "missing", "columns"),
    ),
    "protect_clusters": ("clusters", "masker", "columns"),
    "suppress_to_k": ("k", "gaps", "importance", "linked", "promise", "columns"),
    "recode_to_k": (
        *("k", "scheme", "suppression", "loss", "weights", "levels", "hierarchies"),
        *("promise", "seconds", "columns"),
    ),
    "rank_swap": ("percent", "columns"),
    "shuffle": ("predictors", "columns"),
}
ONLY: Mapping[tuple[str, str], Sequence[Any]] = {  # values of options that have a form
    ("microaggregate", "scale"): ("zscore", "range", "none"),
    ("microaggregate", "centre"): ("typical",),
    ("suppress_to_k", "gaps"): ("category",),
    ("recode_to_k", "scheme"): ("global",),
}


@dataclass(frozen=True)
class Stage:
    """Steps that are done in one go: some record by record, or one that needs other records."""

    steps: tuple[Mapping[str, Any], ...]
    first: int
    form: Form = "record"

    @property
    def grouped(self) -> bool:
        """Whether a record is treated together with its neighbours."""
        return self.form != "record"


def stages_of(recipe: Recipe) -> list[Stage]:
    """The steps of a recipe in the order and the company in which they are run.

    >>> steps = [{"method": "top_code", "threshold": 9}, {"method": "microaggregate", "k": 3}]
    >>> [stage.form for stage in stages_of(Recipe("r", {"quasi": ["age"]}, steps))]
    ['record', 'groups']
    """
    if recipe.roles.get("household"):
        raise NotApplicable(
            "Households are not masked in files larger than memory, as their members may lie in different "
            "shards; give the file to `shoal run` as one, or leave the role household out."
        )
    if recipe.edits:
        raise NotApplicable(
            "Edit rules are not kept in files larger than memory; give the file to `shoal run` as one, or "
            "leave the rules out and check them afterwards."
        )
    stages: list[Stage] = []
    for place, step in enumerate(recipe.bound_steps()):
        _refuse(step, place)
        form = FORMS[step["method"]]
        if form == "record" and stages and not stages[-1].grouped and not needs_fit(step):
            stages[-1] = Stage((*stages[-1].steps, step), stages[-1].first)
        else:
            stages.append(Stage((step,), place, form))
    if recipe.roles.get("stratum"):
        _refuse_strata([stage for stage in stages if stage.grouped])
    return stages


def _refuse_strata(grouped: Sequence[Stage]) -> None:
    """Groups that mix strata would break the promise, which counts the stratum among the keys."""
    if grouped:
        raise NotApplicable(
            f"{grouped[0].steps[0]['method']} does not treat strata apart in files larger than memory; mask "
            "the files of every stratum by themselves, or give the column the role quasi or other."
        )


def _refuse(step: Mapping[str, Any], place: int) -> None:
    method = step["method"]
    if method not in FORMS:
        raise NotApplicable(
            f"{method} has no form for files larger than memory; use {', '.join(FORMS)}, or give a sample of "
            "the file to `shoal run` as one."
        )
    known = OPTIONS.get(method, step)
    _refuse_options(method, [name for name in step if name not in (*known, "method")])
    _refuse_options(
        method, [n for (m, n), values in ONLY.items() if m == method and step.get(n, values[0]) not in values]
    )
    if needs_fit(step):
        _refuse_options(method, [name for name in ("strata", "where") if step.get(name)])
        if method not in FITTED_BY:
            _refuse_options(method, ["matrices"])
    if method == "recode_to_k" and place:
        raise NotApplicable("recode_to_k must be the first step for files larger than memory; put it first.")
    if set(step.get("promise") or {}) - {"l"}:  # of which more records only make more
        _refuse_options(method, ["promise (other than l)"])
    if method == "protect_clusters" and not isinstance(step["clusters"], int):
        _refuse_options(method, ["clusters (other than a number)"])


def _refuse_options(method: str, names: Sequence[str]) -> None:
    if names:
        raise NotApplicable(
            f"The option {names[0]} of {method} has no form for files larger than memory; leave it out."
        )
