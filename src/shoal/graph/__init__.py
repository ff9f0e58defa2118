"""Attributed networks: users with locations and topics, and who is connected to whom."""

from shoal.graph.build_graph import as_graph
from shoal.graph.degrees import anonymise_degrees, degree_anonymity
from shoal.graph.evaluate_graph import GraphEvaluation, evaluate_graph
from shoal.graph.graph_files import in_order_of, read_graph, write_graph
from shoal.graph.group_users import group_users
from shoal.graph.linkage_risk import semantic_linkage_risk
from shoal.graph.make_social import Social, make_social
from shoal.graph.network import Graph
from shoal.graph.network_losses import aamil, cdil, semantic_dbil, semantic_loss
from shoal.graph.network_table import to_table
from shoal.graph.networkx_graph import from_networkx, to_networkx
from shoal.graph.places import match_places, place_names, world
from shoal.graph.protect_graph import protect_graph, user_anonymity
from shoal.graph.reference_graphs import read_reference_graph
from shoal.graph.topics import find_topics, topic_tree, topic_words

__all__ = [
    "Graph",
    "GraphEvaluation",
    "Social",
    "aamil",
    "anonymise_degrees",
    "as_graph",
    "cdil",
    "degree_anonymity",
    "evaluate_graph",
    "find_topics",
    "from_networkx",
    "group_users",
    "in_order_of",
    "make_social",
    "match_places",
    "place_names",
    "protect_graph",
    "read_graph",
    "read_reference_graph",
    "semantic_dbil",
    "semantic_linkage_risk",
    "semantic_loss",
    "to_networkx",
    "to_table",
    "topic_tree",
    "topic_words",
    "user_anonymity",
    "world",
    "write_graph",
]
