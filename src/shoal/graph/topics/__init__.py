"""Topics of interest, found in posts."""

from shoal.graph.topics.find_topics import find_topics
from shoal.graph.topics.hide_topics import hide_topics, sensitive_users
from shoal.graph.topics.sentence_topics import sentence_finder
from shoal.graph.topics.topic_lists import sensitive_topics, topic_tree, topic_words
from shoal.graph.topics.word_topics import word_topics

__all__ = [
    "find_topics",
    "hide_topics",
    "sensitive_topics",
    "sensitive_users",
    "sentence_finder",
    "topic_tree",
    "topic_words",
    "word_topics",
]
