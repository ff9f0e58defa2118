"""What is drawn for a case beside its table: roles, hierarchies, a masker with a promise, its options."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from odd_tables import POOLS, Odd

from shoal.hierarchy.tree import as_text

PARTITIONS: list[Any] = ["mdav", "md", "v_mdav", "mst", "hac", "projection", "path", "local_search", "tfrp"]
PARTITIONS += ["kmeans", "mf_tsp", {"method": "mf_tsp", "variable": True}]
PARTITIONS += [{"method": "blockwise", "block_size": 8}, {"method": "two_step", "fine": "md"}]
SELDOM = ["two_step", "exhaustive", "univariate", {"method": "genetic", "generations": 20}]
SELDOM += [{"method": "best", "iterations": 1}]
PROMISING = [
    "microaggregate",
    "mondrian",
    "global_median",
    "suppress_to_k",
    "individual_ranking",
    "recode_to_k",
]
TREES = ("microaggregate", "mondrian", "recode_to_k")
GROUPED = ("microaggregate", "mondrian", "global_median")
MODELS: list[dict[str, Any]] = [{"l_diversity": 2}, {"t_closeness": 0.4}]
TEXTS = ("text", "number texts", "look-alikes", "odd texts", "long texts", "bool")  # nominal for sure


@dataclass(frozen=True)
class Drawn:
    """Columns by role, hierarchies, and one step of a recipe."""

    quasi: tuple[str, ...]
    strata: tuple[str, ...]
    hidden: str | None
    household: str | None
    weight: str | None
    step: dict[str, Any]
    l: int | None = None
    t: float | None = None


@st.composite
def with_parts(draw: st.DrawFn, odd: Odd) -> tuple[Odd, str | None, str | None]:
    """The table, sometimes with a column of households and one of weights; their names."""
    rows = len(odd.cells[0])
    added: dict[str, str] = {}
    for kind, one_in in (("home", 9), ("weights", 8)):
        if draw(st.integers(1, one_in)) == 1:
            name = f"the {kind}"
            cells = tuple(draw(st.lists(st.integers(0, 12), min_size=rows, max_size=rows)))
            kinds, cells_ = (*odd.kinds, kind), (*odd.cells, cells)
            odd = dataclasses.replace(odd, kinds=kinds, cells=cells_, names=(*odd.names, name))
            added[kind] = name
    return odd, added.get("home"), added.get("weights")


@st.composite
def drawn(draw: st.DrawFn, odd: Odd, household: str | None, weight: str | None) -> Drawn:
    """Roles for the columns and a step that promises k, and perhaps l or t."""
    names = [name for name in dict.fromkeys(odd.names) if name not in (household, weight)]
    quasi = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    left = [name for name in names if name not in quasi]
    strata = left[:1] if left and draw(st.integers(0, 3)) == 0 else []
    left = [name for name in left if name not in strata]
    hidden = left[0] if left and draw(st.booleans()) else None
    k = draw(st.integers(2, 4))
    step = draw(steps(k, odd, quasi, strata, hidden, weight))
    if draw(st.integers(0, 29)) == 0:
        count = len(odd.cells[0])
        step["where"] = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    inner = step.get("masker", step)
    l = 2 if inner.get("l_diversity") or "l" in inner.get("promise", {}) else None
    t = inner.get("t_closeness") or inner.get("promise", {}).get("t", {}).get(hidden)
    return Drawn(tuple(quasi), tuple(strata), hidden, household, weight, step, l, t)


@st.composite
def steps(
    draw: st.DrawFn,
    k: int,
    odd: Odd,
    quasi: list[str],
    strata: list[str],
    hidden: str | None,
    weight: str | None = None,
) -> dict[str, Any]:
    """One step of a recipe."""
    ranked = not any(odd.kinds[odd.names.index(name)] in (*TEXTS, "category", "list") for name in quasi)
    known = PROMISING if ranked else [name for name in PROMISING if name != "individual_ranking"]
    method = draw(st.sampled_from([*known, "protect_clusters", "microaggregate"]))
    if method == "protect_clusters":
        inner = draw(steps(k, odd, quasi, [], None).filter(lambda s: "masker" not in s))
        return {"method": method, "clusters": draw(st.integers(1, 3)), "masker": inner}
    step: dict[str, Any] = {"method": method, "k": k}
    if strata and method not in ("individual_ranking", "recode_to_k") and draw(st.booleans()):
        step["strata"] = strata  # else those with the role
    if method in TREES and draw(st.integers(0, 3)) <= (3 if method == "recode_to_k" else 1):
        trees = {name: draw(_tree(odd, name)) for name in quasi if draw(st.integers(0, 3))}
        step["hierarchies"] = {name: tree for name, tree in trees.items() if tree["rows"]}
    if method in ("suppress_to_k", "recode_to_k"):
        return step | draw(_searched(method, quasi, hidden, bool(strata)))
    step["missing"] = draw(st.sampled_from(["together", "together", "suppress", "fill"]))
    step |= draw(_own_options(method, quasi))
    if weight and method == "microaggregate":
        step["weighted"] = draw(st.booleans())
    if hidden and method in GROUPED and draw(st.booleans()):
        models = [{"confidential": hidden} | model for model in MODELS]
        if method != "global_median":
            models += [{"promise": {"l": {hidden: 2}}}, {"promise": {"t": {hidden: 0.4}, "l": {hidden: 2}}}]
        step |= draw(st.sampled_from(models))
    return step


@st.composite
def _searched(
    draw: st.DrawFn, method: str, quasi: list[str], hidden: str | None, apart: bool
) -> dict[str, Any]:
    """Options of the methods that look for the least recoding or suppression."""
    found: dict[str, Any] = {}
    if hidden and draw(st.booleans()):
        found["promise"] = draw(st.sampled_from([{"l": {hidden: 2}}, {"t": {hidden: 0.4}}]))
    if method == "suppress_to_k" and len(quasi) > 1 and draw(st.integers(0, 4)) == 0:
        found |= draw(st.sampled_from([{"linked": [quasi[:2]]}, {"limits": {quasi[0]: 1}}]))
    elif method == "suppress_to_k" and len(quasi) > 1 and not (apart or found) and draw(st.booleans()):
        found["known_keys"] = draw(st.integers(1, len(quasi) - 1))
    if method == "recode_to_k":
        found["scheme"] = draw(st.sampled_from(["global", "local"]))
        found["suppression"] = draw(st.sampled_from([0.0, 0.3, 1.0])) if found["scheme"] == "global" else 0.0
        found["numbers"] = draw(st.sampled_from(["labels", "means"]))
    return found


@st.composite
def _own_options(draw: st.DrawFn, method: str, quasi: list[str]) -> dict[str, Any]:
    step: dict[str, Any] = {}
    if method == "microaggregate":
        step["partition"] = draw(st.sampled_from(PARTITIONS if draw(st.integers(0, 39)) else SELDOM))
        step["scale"] = draw(st.sampled_from(["zscore", "range"]))
        step["centre"] = draw(st.sampled_from(["typical", "typical", "ancestor"]))
        if len(quasi) > 1 and draw(st.integers(0, 4)) == 0:
            cut = draw(st.integers(1, len(quasi) - 1))
            step["groups"] = [quasi[:cut], quasi[cut:]]
        if draw(st.integers(0, 7)) == 0:
            step["zeros"] = [quasi[0]]
    if method in ("microaggregate", "individual_ranking", "mondrian") and draw(st.booleans()):
        step["round"] = True
    if method == "mondrian":
        step["release"] = draw(st.sampled_from(["regions", "centres"]))
    if method in ("mondrian", "global_median"):
        step["cut"] = draw(st.sampled_from(["gain", "widest"]))
        step["strict"] = draw(st.booleans())
    return step


@st.composite
def _tree(draw: st.DrawFn, odd: Odd, name: str) -> dict[str, Any]:
    """A random hierarchy over the values a column may have, sometimes one that lacks a value."""
    pool = POOLS[odd.kinds[odd.names.index(name)]]
    texts = list(dict.fromkeys(as_text(value) for value in pool if value is not None and value == value))
    if len(texts) > 1 and draw(st.integers(0, 24)) == 0:
        texts = texts[1:]
    groups = draw(st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts)))
    return {"rows": [[text, f"group {group}", "*"] for text, group in zip(texts, groups, strict=True)]}
