"""Places that users name in their posts, for users whose profile names none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np
import polars as pl

from shoal.graph.places.find_places import KNOWN
from shoal.graph.places.gazetteer import gazetteer, towns
from shoal.graph.places.match_places import match_places
from shoal.graph.places.world_countries import plain
from shoal.hierarchy import Hierarchy
from shoal.hierarchy.tree import common_ancestors

AFTER = re.compile(  # capitals after a word of place
    r"\b(?:[Ii]n|[Ff]rom|[Aa]t|[Tt]o|[Nn]ear|[Aa]round|[Vv]isit(?:ing|ed)?|[Ll]eav(?:e|ing)|[Ll]eft)\s+"
    r"((?:[^\W\d_a-z][\w'’.-]*)(?:,?\s+[^\W\d_a-z][\w'’.-]*){0,3})"
)
NO_PLACE = {  # names of towns somewhere, and of something else everywhere
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("christmas", "easter", "god", "i", "my", "the", "a", "mom", "dad", "english", "best", "most", "man"),
}
POSTS = 2  # posts that must name a place: a single one is more often a trip or a mistake


def post_places(
    posts: pl.DataFrame, *, places: Hierarchy | None = None, names: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """The place every user names in at least two posts.

    Parameters
    ----------
    posts
        One row per post, with the columns `user` and `text`.
    places, names
        The gazetteer, as in `match_places`; of that of `towns` only towns of 100,000 people and more count.

    Returns
    -------
    polars.DataFrame
        The columns `user` and `location`: the lowest place that two posts name, or lie in; of several the one
        with most posts, else what they have in common. Users without one are left out.

    Notes
    -----
    Only names in capitals after words like in, from or near are looked up: English, and rather missed than
    wrong. A place that is named is not always home. Time O(words written).

    Examples
    --------
    >>> posts = pl.DataFrame({"user": ["a", "a"], "text": ["Rain in Lisbon", "Greetings from Lisbon!"]})
    >>> post_places(posts).rows()
    [('a', 'Lisbon, Portugal')]
    """
    tree = towns() if places is None else places
    rows = posts.select(pl.col("user").cast(pl.String), pl.col("text").cast(pl.String)).drop_nulls()
    named = [
        (user, post, name)
        for post, (user, text) in enumerate(rows.iter_rows())
        for name in dict.fromkeys(AFTER.findall(text))
        if plain(name) not in NO_PLACE
    ]
    found = match_places([name.rstrip(".'’-") for _, _, name in named], places=places, names=names)
    nodes: dict[str, set[tuple[int, int]]] = {}
    for (user, post, _), label in zip(named, found, strict=True):
        if label is not None and (places is not None or _known(label)):
            line = tree.ancestors[tree.node[label], :-1].tolist()
            nodes.setdefault(user, set()).update((post, node) for node in line)
    chosen = {user: _most_named(pairs, tree) for user, pairs in nodes.items()}
    kept = {user: tree.labels[node] for user, node in chosen.items() if node is not None}
    return pl.DataFrame(
        {"user": list(kept), "location": list(kept.values())},
        schema={"user": pl.String, "location": pl.String},
    )


def _known(label: str) -> bool:
    known = gazetteer()
    return bool(known.people[known.places.node[label]] >= KNOWN)


def _most_named(pairs: set[tuple[int, int]], tree: Hierarchy) -> int | None:
    """The lowest place of enough posts; None if there is none."""
    count = Counter(node for _, node in pairs)
    often = [node for node, posts in count.items() if posts >= POSTS]
    above = {int(up) for node in often for up in tree.ancestors[node] if up != node}
    lowest = [node for node in often if node not in above]
    if not lowest:
        return None
    most = max(count[node] for node in lowest)
    best = np.array([node for node in lowest if count[node] == most], dtype=np.intp)
    meet = int(common_ancestors(tree, best, np.zeros(len(best), dtype=np.intp))[0])
    return None if tree.levels[meet] == tree.height else meet
