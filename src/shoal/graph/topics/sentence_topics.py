"""Topics of posts by the meaning of sentences: embeddings and logistic regression, the extra `topics`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from shoal._check import check_number
from shoal.errors import InvalidInput, NotApplicable
from shoal.graph.places.world_countries import shipped_rows
from shoal.graph.topics.topic_lists import NO_TOPIC, SENSITIVE, Finder, topic_words
from shoal.types import Matrix

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
Encoder = Callable[[list[str]], Any]
# Inverse of the regularisation of the logistic regression. On 153 posts labelled for this, none of those that
# accuracy is measured on, 10 fits 9 points less and is wrong twice as often, 0.3 fits 11 points less.
STRENGTH = 1.0


def sentence_finder(
    model: str | PathLike[str] | Encoder = MODEL,
    *,
    examples: Mapping[str, Sequence[str]] | None = None,
    least: float = 0.15,
) -> Finder:
    """A finder of topics that judges sentences by their meaning, for `find_topics` and `as_graph`.

    Parameters
    ----------
    model
        A model of the package sentence-transformers: a folder on disk, or the name of one that is in its
        cache. Or a function that makes a matrix of texts, one row per text.
    examples
        Texts by topic to learn from, and under "none" texts about nothing; ours if not given: the words of
        `topic_words` and forty short texts without a topic.
    least
        Probability a topic needs; those of all topics and "none" add up to 1. Where "none" is the likeliest,
        only sensitive topics are found.

    Returns
    -------
    callable
        ``texts -> topics with points``; points are probabilities.

    Raises
    ------
    NotApplicable
        If the extra is not installed or the model is not on this machine: nothing is ever downloaded.

    Notes
    -----
    ``pip install "shoal[topics]"`` takes some 1.4 GB, mostly torch, and works offline once a model is there.
    Cost: encoding, some 30 ms a text on one core.

    References
    ----------
    Reimers, Gurevych: Sentence-BERT, EMNLP (2019).

    Examples
    --------
    >>> letters = lambda texts: [[text.count("a"), text.count("z")] for text in texts]
    >>> finder = sentence_finder(letters, examples={"art": ["a", "aa"], "music": ["z", "zz"]})
    >>> list(finder(["aaa"])[0])
    ['art']
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise NotApplicable('Topics by sentences need: pip install "shoal[topics]".') from error
    least = check_number("least", least, 0, 1)
    encode = model if callable(model) else _loaded(model)
    given = _examples() if examples is None else examples
    texts = [text for topic in given.values() for text in topic]
    topics = [topic for topic, some in given.items() for _ in some]
    if len(set(topics)) < 2:
        raise InvalidInput("The examples need texts of at least two topics to tell them apart.")
    learnt = LogisticRegression(C=STRENGTH, max_iter=2000).fit(_matrix(encode, texts), topics)
    names = [str(name) for name in learnt.classes_]

    def finder(texts: Sequence[str]) -> list[dict[str, float]]:
        if not len(texts):
            return []
        chances = learnt.predict_proba(_matrix(encode, list(texts)))
        return [_above(dict(zip(names, row.tolist(), strict=True)), least) for row in chances]

    return finder


def _above(chances: dict[str, float], least: float) -> dict[str, float]:
    """Topics with enough probability, the likeliest first; sensitive ones only if none is the likeliest."""
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])
    silent = ranked[0][0] == NO_TOPIC
    return {
        topic: chance
        for topic, chance in ranked
        if chance >= least and topic != NO_TOPIC and (topic in SENSITIVE or not silent)
    }


def _examples() -> dict[str, list[str]]:
    found = {topic: [topic, *words] for topic, words in topic_words().items()}
    return {**found, NO_TOPIC: [text for row in shipped_rows("no_topic.csv") for text in row]}


def _matrix(encode: Encoder, texts: list[str]) -> Matrix:
    """The texts as rows of numbers."""
    rows = np.asarray(encode(texts), dtype=float)
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
        raise InvalidInput("The encoder must give one row of numbers for every text.")
    return rows


def _loaded(model: str | PathLike[str]) -> Encoder:
    """The model, from this machine only."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise NotApplicable(
            'Topics by sentences need: pip install "shoal[topics]" (some 1.4 GB with torch).'
        ) from error
    try:
        loaded = SentenceTransformer(str(model), local_files_only=True)
    except (OSError, ValueError) as error:
        raise NotApplicable(
            f"The model {str(model)!r} is not on this machine, and shoal downloads nothing; fetch it with "
            "sentence-transformers once, or give its folder."
        ) from error
    return lambda texts: loaded.encode(texts, normalize_embeddings=True, show_progress_bar=False)
