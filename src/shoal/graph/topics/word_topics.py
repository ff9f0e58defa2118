"""Topics of posts by their words: a list of slang and names over the nouns of WordNet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import polars as pl

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.graph.places.world_countries import plain, shipped_rows
from shoal.graph.topics.topic_lists import NO_TOPIC, SENSITIVE, Words, topic_nouns

LONGEST = 4  # words in a keyword
NOUN = 0.5  # what a noun of WordNet counts where a word of our own list counts 1; no measurement on record
LEAST, BESIDE = 0.4, 0.5  # points a topic of a post needs, and its share of those of the first one
PART = 5  # letters of a keyword that is part of a hashtag; no measurement on record
NO_WORDS = r"https?://\S+|www\.\S+|[@＠]\w+|&\w+;"  # addresses, users and entities


def word_topics(
    texts: Sequence[str | None], *, words: Words | None = None, hashtag: float = 2.0
) -> list[dict[str, float]]:
    """The topics of texts by their words, with points: the finder that `find_topics` uses.

    Parameters
    ----------
    texts
        Posts, or any short texts in English.
    words
        Keywords by topic; nothing else counts then. If not given, those of `topic_words`, and the nouns of
        WordNet, which count half, by the share of their uses that belong to the topic.
    hashtag
        How much a hashtag counts; a plain word counts 1. A hashtag is written together
        (#climatechange); one that only begins or ends with a keyword (#beatcancer) counts 1.

    Returns
    -------
    list of dict
        For every text its topics with their points; empty where it has none.

    Notes
    -----
    Words are compared in small letters without accents; keywords have up to four words, and a longer one
    hides the shorter ones in it. A topic that has less than half of the points of the first one is left out,
    unless it is sensitive. Nothing is looked up on a network. A list sees words, not meaning: the page on
    networks says how often it is wrong. Time and memory O(words written); the first call reads the lists.

    References
    ----------
    Miller: WordNet: a lexical database for English, Communications of the ACM 38 (1995).

    Examples
    --------
    >>> word_topics(["Third round of chemo today", "a trombone!", "good morning"])
    [{'health': 1.0}, {'music': 0.5}, {}]
    """
    hashtag = check_number("hashtag", hashtag, 0)
    tokens = _tokens(pl.Series("text", list(texts), dtype=pl.String))
    hits = _hits(tokens, _shipped() if words is None else _lexicon(_keywords(words)), hashtag)
    points = hits.group_by("post", "topic", maintain_order=True).agg(pl.col("points").sum())
    least = LEAST if words is None else 0.0
    first = pl.col("points").max().over("post")
    beside = (pl.col("points") >= BESIDE * first) | pl.col("topic").is_in(SENSITIVE)
    kept = points.filter(pl.col("points") > least, beside).sort(
        "post", "points", "topic", descending=[False, True, False]
    )
    found: list[dict[str, float]] = [{} for _ in texts]
    for post, topic, number in kept.iter_rows():
        found[post][topic] = number
    return found


def _keywords(words: Words) -> list[tuple[str, str, float]]:
    """Every keyword and the topic's own name."""
    rows = [(plain(word), topic, 1.0) for topic, given in words.items() for word in (topic, *given)]
    longest = max((len(word.split()) for word, _, _ in rows), default=1)
    if longest > LONGEST:
        raise InvalidInput(f"A keyword has {longest} words; keywords have at most {LONGEST}.")
    return rows


@cache
def _shipped() -> pl.DataFrame:
    """Our own words first, then nouns of WordNet, then their plurals; a word that comes earlier counts."""
    rows = shipped_rows("topic_words.csv")
    own = [(plain(w), r[0], 1.0 if r[0] != NO_TOPIC else 0.0) for r in rows for w in (r[0], *r[1:])]
    nouns = [(word, topic, NOUN * part) for word, topic, part in topic_nouns()]
    return _lexicon([*own, *nouns, *((_plural(w), t, p) for w, t, p in [*own, *nouns] if p)], once=True)


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else f"{word}s"


def _lexicon(rows: list[tuple[str, str, float]], *, once: bool = False) -> pl.DataFrame:
    """Keyword, topic, points and number of words, also written together as hashtags are."""
    frame = pl.DataFrame(rows, schema=["token", "topic", "worth"], orient="row").filter(pl.col("token") != "")
    frame = frame.with_columns(words=pl.col("token").str.count_matches(" ") + 1, tag=False)
    tags = frame.with_columns(token=pl.col("token").str.replace_all(" ", ""), words=1, tag=True)
    both = pl.concat([frame, tags.cast(frame.schema)])
    return both.unique(["token", "tag"] if once else ["token", "topic", "tag"], keep="first")


def _tokens(text: pl.Series) -> pl.DataFrame:
    """Words and hashtags of every text in order, in small letters without accents."""
    words = text.fill_null("").str.replace_all(NO_WORDS, " ").str.normalize("NFKD").str.to_lowercase()
    found = words.str.replace_all(r"\p{M}", "").str.extract_all(r"#?\w+")
    flat = pl.DataFrame({"token": found}).with_row_index("post").explode("token").drop_nulls("token")
    return flat.with_columns(
        tag=pl.col("token").str.starts_with("#"), token=pl.col("token").str.strip_chars("#")
    ).with_row_index("place")


def _parts(tags: pl.Series, known: pl.Series) -> dict[str, str]:
    """The longest keyword that a hashtag begins or ends with: #beatcancer, #weddingtips."""
    keywords, found = set(known.to_list()), {}
    for tag in tags.unique().to_list():
        parts = (part for end in range(len(tag) - 1, PART - 1, -1) for part in (tag[-end:], tag[:end]))
        part = next((part for part in parts if part in keywords), None)
        if part is not None:
            found[tag] = part
    return found


def _hits(tokens: pl.DataFrame, lexicon: pl.DataFrame, hashtag: float) -> pl.DataFrame:
    """Every keyword that is written, the longest first; its words do not count once more."""
    written = tokens.filter("tag")
    known = lexicon.filter("tag").drop("tag")
    tags = written.join(known, on="token")
    longer = written.join(known, on="token", how="anti").with_columns(
        pl.col("token").replace_strict(
            _parts(written["token"], known["token"]), default=None, return_dtype=pl.String
        )
    )
    found = [tags.select("post", "topic", points=pl.col("worth") * hashtag)]
    found.append(longer.join(known, on="token").select("post", "topic", points="worth"))
    keywords = lexicon.filter(~pl.col("tag")).drop("tag")
    left = tokens.filter(~pl.col("tag"))
    for length in range(LONGEST, 0, -1):
        parts = [
            pl.when(pl.col("place").shift(-step).over("post") == pl.col("place") + step).then(
                pl.col("token").shift(-step).over("post")
            )
            for step in range(length)
        ]
        phrases = left.with_columns(token=pl.concat_str(parts, separator=" "))
        hits = phrases.join(keywords.filter(pl.col("words") == length), on="token", maintain_order="left")
        found.append(hits.select("post", "topic", points="worth"))
        used = {place + step for place in hits["place"].to_list() for step in range(length)}
        left = left.filter(~pl.col("place").is_in(list(used))) if used else left
    return pl.concat(found).filter(pl.col("topic") != NO_TOPIC)
