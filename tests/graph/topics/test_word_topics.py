from __future__ import annotations

from shoal.graph import topic_words, word_topics


def test_own_words_come_before_those_of_wordnet_and_long_ones_hide_short_ones():
    assert word_topics(["an apple pie", "an apple", "a trombone", "trombones"]) == [
        {"food": 1.0},
        {},
        {"music": 0.5},
        {"music": 0.5},
    ]
    assert word_topics(["mother", "mother nature"]) == [{"family": 1.0}, {}]


def test_a_phrase_does_not_cross_texts_nor_words_between():
    assert word_topics(["climate change", "change"]) == [{"weather": 1.0}, {}]
    words = {"here": ["one two"]}
    assert word_topics(["one two", "one, two", "one x two", "one", "two"], words=words) == [
        {"here": 1.0},
        {"here": 1.0},
        {},
        {},
        {},
    ]


def test_hashtags_count_twice_and_parts_of_them_once():
    assert word_topics(["#jazz", "#ClimateChange", "#beatcancer", "#cancersucks", "#zzz"]) == [
        {"music": 2.0},
        {"weather": 2.0},
        {"health": 1.0},
        {"health": 1.0},
        {},
    ]


def test_users_and_addresses_are_no_words():
    assert word_topics(["@jazz http://jazz.example/cat www.dog.example &lt;", "", None]) == [{}, {}, {}]


def test_a_sensitive_topic_is_not_hidden_by_others():
    found = word_topics(["pizza pasta cheese wine after chemo", "pizza pasta cheese and a cat"])
    assert found == [{"food": 4.0, "health": 1.0}, {"food": 3.0}]


def test_health_that_the_old_list_missed_is_found():
    texts = ["chemo again", "diabetes", "so pregnant", "an earthquake!", "piano lesson"]
    firsts = [next(iter(topics)) for topics in word_topics(texts)]
    assert firsts[:4] == ["health", "health", "family", "weather"]
    assert firsts[4] in ("music", "education")


def test_every_word_of_the_list_is_found():
    for topic, words in topic_words().items():
        missed = [w for w, found in zip(words, word_topics(words), strict=True) if topic not in found]
        assert missed == [], topic
