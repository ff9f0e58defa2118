"""The topics that ship with shoal: their tree, their words, and which of them are sensitive."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from shoal.graph.places.world_countries import shipped_rows
from shoal.hierarchy import Hierarchy, hierarchy_from_rows

Words = Mapping[str, Sequence[str]]
Finder = Callable[[Sequence[str]], Sequence[Mapping[str, float]]]
NO_TOPIC = "none"  # in the lists: words that say nothing about what a post is about
SENSITIVE = ("health", "family", "religion", "politics", "sexuality", "origin", "crime")


@cache
def topic_tree() -> Hierarchy:
    """The tree of topics that ships with shoal: topic, area, anything.

    Returns
    -------
    Hierarchy
        25 topics in nine areas; replace it by your own with `read_hierarchy`.

    Examples
    --------
    >>> topic_tree().paths[0]
    ('health', 'body and family', 'anything')
    """
    return hierarchy_from_rows(shipped_rows("topics.csv"))


@cache
def topic_words() -> Words:
    """The words, slang and names of the topics of `topic_tree` that we wrote, in English.

    >>> topic_words()["health"][:2]
    ('cancer', 'mammogram')
    """
    rows = shipped_rows("topic_words.csv")
    return {row[0]: tuple(row[1:]) for row in rows if row[0] != NO_TOPIC}


def sensitive_topics() -> tuple[str, ...]:
    """The topics nobody should learn of a person without being told: the law protects most of them.

    Returns
    -------
    tuple of str
        Special categories of personal data of Article 9 of the GDPR, criminal matters of its Article 10, and
        family.

    Examples
    --------
    >>> sensitive_topics()
    ('health', 'family', 'religion', 'politics', 'sexuality', 'origin', 'crime')
    """
    return SENSITIVE


def topic_nouns() -> list[tuple[str, str, float]]:
    """Nouns of WordNet: word, topic, and the share of its uses that belong to it.

    >>> [row for row in topic_nouns() if row[0] == "trombone"]
    [('trombone', 'music', 1.0)]
    """
    raw = files("shoal.graph").joinpath("lists", "topic_nouns.csv.gz").read_bytes()
    rows = csv.reader(gzip.decompress(raw).decode("utf-8").splitlines(), delimiter=";")
    return [(word, topic, float(part)) for topic, part, *words in rows for word in words]
