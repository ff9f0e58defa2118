"""Methods in words: what they are for, a title, a sentence, and the options that matter most."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from shoal.workflow.registry import find_method

GROUPS = (
    "Group similar records",
    "Coarsen",
    "Hide cells",
    "Cap extremes",
    "Swap or blur",
    "Improve the result",
)


class MethodWords(NamedTuple):
    """What a method is for, its title, a sentence and its main options."""

    group: str
    title: str
    sentence: str
    main: tuple[str, ...] = ()


METHODS: Mapping[str, MethodWords] = {
    "microaggregate": MethodWords(
        GROUPS[0],
        "Groups of similar records",
        "Every record becomes the centre of a group of k similar ones.",
        ("k", "columns"),
    ),
    "individual_ranking": MethodWords(
        GROUPS[0],
        "Each column in groups",
        "Every column by itself: k neighbouring values become their mean.",
        ("k", "columns"),
    ),
    "mondrian": MethodWords(
        GROUPS[1],
        "Ranges where needed",
        "The file is cut into groups of k; values become the range of their group.",
        ("k", "release", "columns"),
    ),
    "global_median": MethodWords(
        GROUPS[0],
        "Medians of groups",
        "The file is cut into groups of k; values become the group's median.",
        ("k", "columns"),
    ),
    "recode_to_k": MethodWords(
        GROUPS[1],
        "Coarser categories",
        "The coarsening that loses least and lets k records look alike.",
        ("k", "scheme", "suppression", "columns"),
    ),
    "global_recode": MethodWords(
        GROUPS[1], "Recode by hand", "Values become the labels of a level you choose."
    ),
    "suppress_to_k": MethodWords(
        GROUPS[2],
        "Hide single cells",
        "As few cells as possible become missing, until k records look alike.",
        ("k", "seconds", "columns"),
    ),
    "top_code": MethodWords(
        GROUPS[3],
        "Cap the highest values",
        "Values above a limit become the limit.",
        ("quantile", "threshold", "columns"),
    ),
    "bottom_code": MethodWords(
        GROUPS[3],
        "Cap the lowest values",
        "Values below a limit become the limit.",
        ("quantile", "threshold", "columns"),
    ),
    "pram": MethodWords(
        GROUPS[4],
        "Swap categories by chance",
        "Some categories change, with chances that are known to analysts.",
        ("matrices", "columns"),
    ),
    "rank_swap": MethodWords(
        GROUPS[4],
        "Swap near values",
        "Every value changes places with one of similar rank.",
        ("percent", "columns"),
    ),
    "swap_records": MethodWords(
        GROUPS[4],
        "Swap households between areas",
        "Rare households change places with similar ones elsewhere.",
    ),
    "add_noise": MethodWords(
        GROUPS[4], "Add noise", "A random amount is added to every number.", ("amount", "columns")
    ),
    "shuffle": MethodWords(
        GROUPS[4], "Shuffle", "Values change places so that relations between columns stay.", ("columns",)
    ),
    "protect_clusters": MethodWords(
        GROUPS[0],
        "Each cluster by itself",
        "Records that are alike as a whole are parted first; every part is then protected by itself.",
    ),
    "multivariate_top_code": MethodWords(
        GROUPS[3],
        "Cap several columns together",
        "Records that are extreme in several columns at once move back to the border of the others.",
        ("quantile", "columns"),
    ),
    "keep_edits": MethodWords(
        GROUPS[5],
        "Make sums right again",
        "Totals of masked parts are summed anew, so that total = parts holds in the protected file, too.",
    ),
    "evolve_file": MethodWords(
        GROUPS[5],
        "Improve by evolution",
        "Many small changes are tried; what lowers loss and risk stays.",
        ("generations", "seconds"),
    ),
}
START: Mapping[str, Mapping[str, Any]] = {  # what a new card has where nothing is the default
    "top_code": {"quantile": 0.99},
    "bottom_code": {"quantile": 0.01},
    "multivariate_top_code": {"quantile": 0.99},
    "pram": {"matrices": {"method": "invariant_matrix", "p": 0.8}},
    "rank_swap": {"percent": 5},
    "add_noise": {"amount": 0.1},
    "individual_ranking": {},
    "evolve_file": {"seconds": 10},
}


def words_of_method(name: str) -> MethodWords:
    """The words of a method; of one without an entry its name and first sentence.

    >>> words_of_method("top_code").title
    'Cap the highest values'
    """
    if name in METHODS:
        return METHODS[name]
    sentence = (inspect.getdoc(find_method(name)) or "").split("\n")[0]
    return MethodWords(GROUPS[4], name.replace("_", " ").capitalize(), sentence)
