from __future__ import annotations

import sys
import types
from zlib import crc32

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable
from shoal.graph import sentence_finder, word_topics

EXAMPLES = {"art": ["aaa", "aa"], "music": ["zzz", "zz"], "none": ["", "q"]}


def letters(texts):
    return np.array([[text.count("a"), text.count("z"), 1.0] for text in texts])


def test_an_encoder_of_your_own_and_texts_about_nothing():
    finder = sentence_finder(letters, examples=EXAMPLES)
    found = finder(["aaaa", "zzzz", "", "aaaazzzz"])
    assert [list(topics)[:1] for topics in found[:3]] == [["art"], ["music"], []]
    assert 0.4 <= found[0]["art"] <= 1
    assert finder([]) == []
    assert sentence_finder(letters, examples=EXAMPLES, least=1.0)(["aaaa"]) == [{}]


def test_a_sensitive_topic_is_found_even_where_none_is_likelier():
    examples = {"health": EXAMPLES["art"], "music": EXAMPLES["music"], "none": EXAMPLES["none"]}
    assert list(sentence_finder(letters, examples=examples, least=0.01)([""])[0]) == ["health"]
    assert sentence_finder(letters, examples=EXAMPLES, least=0.01)([""]) == [{}]


def test_the_examples_of_shoal_are_learnt():
    """Word counts stand for a model: what is tested is that our examples lead from texts to topics."""

    def encode(texts):
        words = [text.lower().split() for text in texts]
        drawn = {w: np.random.default_rng(crc32(w.encode())).normal(size=200) for text in words for w in text}
        return np.array([sum((drawn[w] for w in text), np.zeros(200)) for text in words])

    texts = ["cancer chemo chemotherapy", "jazz", "good morning everyone"]
    found = sentence_finder(encode, least=0.1)(texts)
    assert next(iter(found[0])) == next(iter(word_topics(texts)[0])) == "health"
    assert found[2] == {}


def test_a_model_is_read_from_this_machine_only(monkeypatch):
    calls = {}

    class SentenceTransformer:
        def __init__(self, name, *, local_files_only):
            calls.update(name=name, local=local_files_only)
            if name == "far away":
                raise OSError("not there")

        def encode(self, texts, *, normalize_embeddings, show_progress_bar):
            return letters(texts)

    package = types.ModuleType("sentence_transformers")
    package.SentenceTransformer = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    assert next(iter(sentence_finder("model", examples=EXAMPLES)(["aaaa"])[0])) == "art"
    assert calls == {"name": "model", "local": True}
    with pytest.raises(NotApplicable, match="downloads nothing"):
        sentence_finder("far away", examples=EXAMPLES)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(NotApplicable, match=r"shoal\[topics\]"):
        sentence_finder("model", examples=EXAMPLES)


def test_bad_encoders_and_examples_are_refused():
    with pytest.raises(InvalidInput, match="at least two topics"):
        sentence_finder(letters, examples={"art": ["a"]})
    for wrong in (lambda texts: [1.0] * len(texts), lambda texts: np.full((len(texts), 2), np.nan)):
        with pytest.raises(InvalidInput, match="one row of numbers"):
            sentence_finder(wrong, examples=EXAMPLES)
