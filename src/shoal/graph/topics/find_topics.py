"""Topics of interest of users, found in what they post, with weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
import polars as pl

from shoal._check import check_count
from shoal.errors import InvalidInput
from shoal.graph.network import heaviest, topic_lists
from shoal.graph.places.world_countries import check_labels
from shoal.graph.topics.topic_lists import SENSITIVE, Finder, Words, topic_tree
from shoal.graph.topics.word_topics import word_topics
from shoal.hierarchy import Hierarchy

TEXTS = 50_000  # different posts given to a finder at a time; no measurement on record


def find_topics(
    posts: pl.DataFrame,
    *,
    finder: Finder | None = None,
    words: Words | None = None,
    interests: Hierarchy | None = None,
    hashtag: float = 2.0,
    sensitive: Iterable[str] = SENSITIVE,
    sensitive_posts: int = 2,
    most: int = 5,
) -> pl.DataFrame:
    """The topics users write about, with weights.

    Parameters
    ----------
    posts
        One row per post, with the columns `user` and `text`.
    finder
        A function ``texts -> topics with points``, one dict per text, for example that of `sentence_finder`
        or your own; `word_topics` if not given.
    words
        Keywords by topic for `word_topics`, instead of its own. A topic's own name counts as a keyword.
    interests
        The tree of topics; `topic_tree` if not given.
    hashtag
        How much a hashtag counts for `word_topics`; a plain word counts 1.
    sensitive, sensitive_posts
        A user counts as having one of these topics only if so many of their posts do: a single post is
        more often wrong than right. `sensitive_topics` if not given.
    most
        How many topics a user keeps, the heaviest ones.

    Returns
    -------
    polars.DataFrame
        The columns `user` and `topics`: pairs of topic and weight, heaviest first, weights adding up to 1.
        Users without any topic are left out.

    Notes
    -----
    Posts of one text are looked at once. Cost: that of the finder; else time and memory O(posts).

    Examples
    --------
    >>> posts = pl.DataFrame({"user": ["a", "a"], "text": ["New #WorldCup goal!", "my cat"]})
    >>> find_topics(posts)["topics"].to_list()
    [[{'topic': 'football', 'weight': 0.75}, {'topic': 'animals', 'weight': 0.25}]]
    """
    tree = topic_tree() if interests is None else interests
    most, sensitive_posts = check_count("most", most), check_count("sensitive_posts", sensitive_posts)
    if not {"user", "text"} <= set(posts.columns):
        raise InvalidInput("Posts need the columns user and text.")
    if finder is None:
        finder = partial(word_topics, words=_own_words(words, interests), hashtag=hashtag)
    elif words is not None:
        raise InvalidInput("`finder` and `words` are both given; a finder of your own brings its own words.")
    hits = _hits(posts, finder, tree)
    weights = hits.group_by("user", "topic").agg(pl.col("points").sum(), pl.len().alias("posts"))
    enough = ~pl.col("topic").is_in(list(sensitive)) | (pl.col("posts") >= sensitive_posts)
    weights = weights.filter(enough)
    users = weights["user"].unique().sort().to_list()
    number = {user: row for row, user in enumerate(users)}
    rows = np.array([number[user] for user in weights["user"].to_list()], dtype=np.intp)
    kept = heaviest(rows, weights["topic"].to_numpy(), weights["points"].to_numpy().astype(float), most)
    return pl.DataFrame(
        {"user": pl.Series(users, dtype=posts["user"].dtype), "topics": topic_lists(*kept, len(users))}
    )


def _own_words(words: Words | None, interests: Hierarchy | None) -> Words | None:
    """None for those of shoal; else keywords of every label of the tree but the top."""
    if words is None and interests is None:
        return None
    tree, given = topic_tree() if interests is None else interests, words or {}
    check_labels(tree, given, "The keywords")
    return {label: tuple(given.get(label, ())) for label in tree.labels[:-1]}


def _hits(posts: pl.DataFrame, finder: Finder, tree: Hierarchy) -> pl.DataFrame:
    """User, topic and points of every post that has a topic."""
    texts = posts.select(text=pl.col("text").cast(pl.String).fill_null("")).unique(maintain_order=True)
    rows: list[tuple[str, str, float]] = []
    for start in range(0, texts.height, TEXTS):
        some = texts["text"][start : start + TEXTS].to_list()
        for text, found in zip(some, _checked(finder(some), len(some), tree), strict=True):
            rows += [(text, topic, float(points)) for topic, points in found.items() if points > 0]
    schema = {"text": pl.String, "topic": pl.String, "points": pl.Float64}
    found_in = pl.DataFrame(rows, schema=schema, orient="row")
    return posts.select("user", pl.col("text").cast(pl.String)).join(found_in, on="text")


def _checked(
    found: Sequence[Mapping[str, float]], count: int, tree: Hierarchy
) -> Sequence[Mapping[str, float]]:
    """What a finder gave back, if it is what it should be."""
    if len(found) != count or not all(isinstance(topics, Mapping) for topics in found):
        raise InvalidInput("The finder of topics must give one dict of topics and points for every text.")
    unknown = [topic for topics in found for topic in topics if topic not in tree.node]
    if unknown:
        raise InvalidInput(
            f"The finder gave the topic {unknown[0]!r}, which the tree of topics does not have; add it there."
        )
    if not all(np.isfinite(points) for topics in found for points in topics.values()):
        raise InvalidInput("The finder gave points that are no number; points are numbers above 0.")
    return found
