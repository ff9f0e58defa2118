"""Free text found in the gazetteer of towns: parts that fit together, and the place with most people."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from shoal.graph.places.gazetteer import Gazetteer
from shoal.graph.places.world_countries import plain
from shoal.hierarchy.tree import common_ancestors

BETWEEN = re.compile(r"[,;/|()•·&:]|\s[-–—~+]+\s|\s+(?:and|or|in|via|near|from|of)\s+", re.IGNORECASE)
BESIDE = {  # words that say nothing about which place is meant
    *(
        "city",
        "area",
        "metro",
        "greater",
        "downtown",
        "county",
        "the",
        "state",
        "region",
        "central",
        "republic",
    ),
    *(
        "north",
        "south",
        "east",
        "west",
        "northern",
        "southern",
        "eastern",
        "western",
        "suburbs",
        "town",
        "of",
    ),
}
ALONE, COUNTRIES = ("nj", "ny", "tx", "fl"), ("uk", "us")  # short names that need nothing beside them
LONGEST = 4  # words in a name
KNOWN = 100  # thousands of people of a place that is named among words that name none; not measured
CLEARLY = 3  # times as many people make one place of a name the one that is meant; no measurement on record

Nodes = tuple[int, ...]


def find_place(text: str, known: Gazetteer) -> str | None:
    """The place a text names, as a label of the gazetteer; None if it names none, or all over the world.

    >>> from shoal.graph.places.gazetteer import gazetteer
    >>> find_place("Paris, Texas", gazetteer()), find_place("somewhere over a rainbow", gazetteer())
    ('Paris, Texas, United States', None)
    """
    if text in known.places.node:
        return text
    whole = known.names.get(plain(text))
    segments = [whole] if whole else _segments(text, known)
    chosen = [_chosen(place, segments, known) for place, nodes in enumerate(segments) if nodes]
    nodes = np.unique([node for node in chosen if node is not None]).astype(np.intp)
    lines = known.places.ancestors[nodes]
    lowest = [n for n in nodes if not any(n in line for m, line in zip(nodes, lines, strict=True) if m != n)]
    return _label(np.array(lowest, dtype=np.intp), known)


def _label(nodes: np.ndarray[tuple[int], np.dtype[np.intp]], known: Gazetteer) -> str | None:
    """What the places have in common, if anything less than all."""
    if not len(nodes):
        return None
    meet = int(common_ancestors(known.places, nodes, np.zeros(len(nodes), dtype=np.intp))[0])
    return None if known.places.levels[meet] == known.places.height else known.places.labels[meet]


def _segments(text: str, known: Gazetteer) -> list[Nodes]:
    """The places every part of the text may mean."""
    parts = [part.strip() for part in BETWEEN.split(text) if part.strip()]
    by_part = [_part(part, known, several=len(parts) > 1) for part in parts]
    found = [segment for segments in by_part for segment in segments if segment]
    if len(found) == 1 and not all(by_part):  # one name among other words: only what many people know
        return [tuple(node for node in found[0] if known.people[node] >= KNOWN)]
    return found


def _part(part: str, known: Gazetteer, several: bool) -> list[Nodes]:
    """One name, a short one only in capitals or beside others, or names that use up all words."""
    name = plain(part)
    name = name.replace(" ", "") if len(name) < 7 and all(len(word) == 1 for word in name.split()) else name
    short = several or part.strip(". ").isupper() or name in ALONE
    here = known.names.get(name, ()) + (known.codes.get(name, ()) if short else ())
    if here:
        return [here]
    words = [word for word in name.split() if not word.isdigit()]
    kept = [word for word in words if word not in BESIDE]
    found = _covered(kept, known) if kept and len(kept) < len(words) else None
    return found or _covered(words, known) or []


def _covered(words: Sequence[str], known: Gazetteer) -> list[Nodes] | None:
    """Names that use up all words, the fewest and longest first; None if a word is left over."""
    if not words:
        return []
    for length in range(min(LONGEST, len(words)), 0, -1):
        name = " ".join(words[:length])
        here = known.codes.get(name, ())
        here += known.names.get(name, ()) if len(name) > 2 or name in COUNTRIES else ()
        rest = _covered(words[length:], known) if here else None
        if rest is not None:
            return [here, *rest]
    return None


def _chosen(place: int, segments: Sequence[Nodes], known: Gazetteer) -> int | None:
    """Of the places of one name the one that fits the other names, then the one with clearly most people."""
    ancestors = known.places.ancestors
    others = [set(nodes) for number, nodes in enumerate(segments) if number != place]
    above = [{int(a) for node in nodes for a in ancestors[node]} for nodes in others]
    fits = []
    for node in segments[place]:
        line = set(ancestors[node].tolist())
        fits.append(sum(bool(line & nodes) or node in up for nodes, up in zip(others, above, strict=True)))
    best = [node for node, fit in zip(segments[place], fits, strict=True) if fit == max(fits)]
    best.sort(key=lambda node: -known.people[node])
    first = best[0]
    rivals = [n for n in best[1:] if known.people[n] * CLEARLY > known.people[first]]
    if not rivals:
        return _on_its_line(first, best, known)
    meet = common_ancestors(
        known.places, np.array([first, *rivals]), np.zeros(len(rivals) + 1, dtype=np.intp)
    )
    node = int(meet[0])
    return None if known.places.levels[node] == known.places.height else node


def _on_its_line(node: int, best: Sequence[int], known: Gazetteer) -> int:
    """A region whose town of the same name holds most of its people means the town: Lagos, not New York."""
    for other in best:
        inside = other != node and node in known.places.ancestors[other]
        if inside and 2 * known.people[other] > known.people[node]:
            return other
    return node
