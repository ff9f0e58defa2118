"""Attributed networks: users with locations and topics, and who is connected to whom."""

from shoal.graph.attack.attack_graph import attack_graph
from shoal.graph.attack.degree_attack import degree_attack
from shoal.graph.attack.linkage_risk import semantic_linkage_risk
from shoal.graph.attack.neighbour_attack import neighbour_attack
from shoal.graph.attack.planted_attack import planted_attack
from shoal.graph.build_graph import as_graph
from shoal.graph.group_users import group_users
from shoal.graph.implied.mentions import mentions
from shoal.graph.implied.post_places import post_places
from shoal.graph.io.graph_files import in_order_of, read_graph, write_graph
from shoal.graph.io.igraph_graph import from_igraph, to_igraph
from shoal.graph.io.networkx_graph import from_networkx, to_networkx
from shoal.graph.io.reference_graphs import read_reference_graph
from shoal.graph.losses.evaluate_graph import GraphEvaluation, evaluate_graph
from shoal.graph.losses.network_losses import aamil, cdil, semantic_dbil, semantic_loss
from shoal.graph.losses.structure_losses import communities, structure_losses
from shoal.graph.make_social import Social, make_social
from shoal.graph.network import Graph
from shoal.graph.network_table import to_table
from shoal.graph.places.gazetteer import towns
from shoal.graph.places.match_places import match_places
from shoal.graph.places.world_countries import place_names, world
from shoal.graph.plot_protection import plot_protection
from shoal.graph.privacy_curve import privacy_curve
from shoal.graph.protect_graph import protect_graph, user_anonymity
from shoal.graph.release_graph import ReleasedGraph, release_graph
from shoal.graph.structure.degrees import anonymise_degrees, degree_anonymity
from shoal.graph.structure.neighbourhoods import neighbourhoods_below
from shoal.graph.structure.switch_edges import switch_edges
from shoal.graph.topics.find_topics import find_topics
from shoal.graph.topics.hide_topics import hide_topics, sensitive_users
from shoal.graph.topics.sentence_topics import sentence_finder
from shoal.graph.topics.topic_lists import sensitive_topics, topic_tree, topic_words
from shoal.graph.topics.word_topics import word_topics
from shoal.graph.what_is_left import what_is_left

__all__ = [
    "Graph",
    "GraphEvaluation",
    "ReleasedGraph",
    "Social",
    "aamil",
    "anonymise_degrees",
    "as_graph",
    "attack_graph",
    "cdil",
    "communities",
    "degree_anonymity",
    "degree_attack",
    "evaluate_graph",
    "find_topics",
    "from_igraph",
    "from_networkx",
    "group_users",
    "hide_topics",
    "in_order_of",
    "make_social",
    "match_places",
    "mentions",
    "neighbour_attack",
    "neighbourhoods_below",
    "place_names",
    "planted_attack",
    "plot_protection",
    "post_places",
    "privacy_curve",
    "protect_graph",
    "read_graph",
    "read_reference_graph",
    "release_graph",
    "semantic_dbil",
    "semantic_linkage_risk",
    "semantic_loss",
    "sensitive_topics",
    "sensitive_users",
    "sentence_finder",
    "structure_losses",
    "switch_edges",
    "to_igraph",
    "to_networkx",
    "to_table",
    "topic_tree",
    "topic_words",
    "towns",
    "user_anonymity",
    "what_is_left",
    "word_topics",
    "world",
    "write_graph",
]
