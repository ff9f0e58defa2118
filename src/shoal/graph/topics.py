"""Topics of interest: found in posts by hashtags and keywords, with weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count, check_number
from shoal.errors import InvalidInput
from shoal.graph.network import topic_lists
from shoal.graph.places import check_labels, plain, shipped_rows
from shoal.hierarchy import Hierarchy, hierarchy_from_rows

Words = Mapping[str, Sequence[str]]
LONGEST = 3  # words in a keyword


@cache
def topic_tree() -> Hierarchy:
    """The tree of topics that ships with shoal: topic, area, field, anything.

    Returns
    -------
    Hierarchy
        66 topics in 17 areas and 6 fields; replace it by your own with `read_hierarchy`.

    Examples
    --------
    >>> topic_tree().paths[0]
    ('football', 'team sports', 'sport', 'anything')
    """
    return hierarchy_from_rows(shipped_rows("topics.csv"))


@cache
def topic_words() -> Words:
    """The keywords of the topics of `topic_tree`, in English.

    >>> topic_words()["jazz"]
    ('saxophone', 'blues', 'swing music', 'bebop')
    """
    return {row[0]: tuple(row[1:]) for row in shipped_rows("topic_words.csv")}


def find_topics(
    posts: pl.DataFrame,
    *,
    words: Words | None = None,
    interests: Hierarchy | None = None,
    hashtag: float = 2.0,
    most: int = 5,
) -> pl.DataFrame:
    """The topics users write about: how often their posts name a topic or one of its keywords.

    Parameters
    ----------
    posts
        One row per post, with the columns `user` and `text`.
    words
        Keywords by topic; `topic_words` if neither this nor `interests` is given. A topic's own name counts
        as a keyword.
    interests
        The tree of topics; `topic_tree` if not given.
    hashtag
        How much a hashtag counts; a plain word counts 1. A hashtag is written together: #climatechange.
    most
        How many topics a user keeps, the heaviest ones.

    Returns
    -------
    polars.DataFrame
        The columns `user` and `topics`: pairs of topic and weight, heaviest first, weights adding up to 1.
        Users without any topic are left out.

    Notes
    -----
    Words are compared in small letters without accents; keywords of up to three words are found. Nothing is
    looked up on a network. A dictionary is a crude judge: it sees words, not meaning. Time and memory
    O(words written).

    Examples
    --------
    >>> posts = pl.DataFrame({"user": ["a", "a"], "text": ["New #WorldCup goal!", "my cat"]})
    >>> find_topics(posts)["topics"].to_list()
    [[{'topic': 'football', 'weight': 0.75}, {'topic': 'animals', 'weight': 0.25}]]
    """
    words = topic_words() if words is None and interests is None else words or {}
    interests = topic_tree() if interests is None else interests
    hashtag, most = check_number("hashtag", hashtag, 0), check_count("most", most)
    check_labels(interests, words, "The keywords")
    if not {"user", "text"} <= set(posts.columns):
        raise InvalidInput("Posts need the columns user and text.")
    hits = _hits(_tokens(posts), _dictionary(words, interests), hashtag)
    weights = hits.group_by("user", "topic").agg(pl.col("points").sum()).filter(pl.col("points") > 0)
    users = weights["user"].unique().sort().to_list()
    number = {user: row for row, user in enumerate(users)}
    rows = np.array([number[user] for user in weights["user"].to_list()], dtype=np.intp)
    kept = heaviest(rows, weights["topic"].to_numpy(), weights["points"].to_numpy().astype(float), most)
    return pl.DataFrame(
        {"user": pl.Series(users, dtype=posts["user"].dtype), "topics": topic_lists(*kept, len(users))}
    )


Entries = tuple[NDArray[np.intp], NDArray[Any], NDArray[np.float64]]


def heaviest(
    rows: NDArray[np.intp], topics: NDArray[Any], weights: NDArray[np.float64], most: int
) -> Entries:
    """The heaviest topics of every row, at most so many, their weights made to add up to 1.

    >>> heaviest(np.array([0, 0, 0]), np.array(["a", "b", "c"]), np.array([3.0, 1.0, 1.0]), 2)[2]
    array([0.75, 0.25])
    """
    order = np.lexsort((topics.astype(str) if topics.dtype == object else topics, -weights, rows))
    rows, topics, weights = rows[order], topics[order], weights[order]
    first = np.searchsorted(rows, rows)
    kept = np.arange(len(rows)) - first < most
    rows, topics, weights = rows[kept], topics[kept], weights[kept]
    total = np.bincount(rows, weights=weights, minlength=1)
    return rows, topics, weights / total[rows]


def _dictionary(words: Words, interests: Hierarchy) -> pl.DataFrame:
    """Keyword to topic, as words and written together; a keyword of two topics counts for both."""
    pairs = {(plain(label), label) for label in interests.labels[:-1]}
    pairs |= {(plain(word), topic) for topic, given in words.items() for word in given}
    together = {(keyword.replace(" ", ""), topic) for keyword, topic in pairs}
    rows = [(k, t, False) for k, t in sorted(pairs)] + [(k, t, True) for k, t in sorted(together)]
    return pl.DataFrame(rows, schema=["token", "topic", "tag"], orient="row").filter(pl.col("token") != "")


def _tokens(posts: pl.DataFrame) -> pl.DataFrame:
    """Words and hashtags of every post in order, in small letters without accents."""
    text = pl.col("text").cast(pl.String).fill_null("").str.normalize("NFKD").str.to_lowercase()
    found = text.str.replace_all(r"\p{M}", "").str.extract_all(r"#?\w+")
    flat = posts.select("user", token=found).with_row_index("post").explode("token").drop_nulls("token")
    return flat.with_columns(
        tag=pl.col("token").str.starts_with("#"), token=pl.col("token").str.strip_chars("#")
    )


def _hits(tokens: pl.DataFrame, dictionary: pl.DataFrame, hashtag: float) -> pl.DataFrame:
    """Every word, pair and triple of words that is a keyword, and what it counts."""
    plain_words = dictionary.filter(~pl.col("tag")).drop("tag")
    tags = tokens.filter("tag").join(dictionary.filter("tag").drop("tag"), on="token")
    found = [tags.select("user", "topic", points=pl.lit(hashtag))]
    written = tokens.filter(~pl.col("tag"))
    for length in range(1, LONGEST + 1):
        parts = [pl.col("token").shift(-step).over("post") for step in range(length)]
        phrases = written.select("user", token=pl.concat_str(parts, separator=" ")) if length > 1 else written
        some = plain_words.filter(pl.col("token").str.count_matches(" ") == length - 1)
        found.append(phrases.join(some, on="token").select("user", "topic", points=pl.lit(1.0)))
    return pl.concat(found)
