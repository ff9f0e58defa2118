"""Hierarchies: how values generalise; from rows, edges, cut points, widths, prefixes, dates and csv files."""

from shoal.hierarchy.attach import hierarchy_of, with_hierarchies
from shoal.hierarchy.builders import (
    date_hierarchy,
    hierarchy_from_cuts,
    hierarchy_from_edges,
    hierarchy_from_prefixes,
    hierarchy_from_widths,
)
from shoal.hierarchy.by_hand import hierarchy_by_hand
from shoal.hierarchy.by_quantiles import hierarchy_from_quantiles
from shoal.hierarchy.by_similarity import hierarchy_by_similarity
from shoal.hierarchy.cover import Covers, read_covers
from shoal.hierarchy.domain import Domain, domain_of
from shoal.hierarchy.hierarchy_files import as_hierarchy, read_hierarchy, write_hierarchy
from shoal.hierarchy.level_counts import LevelCounts, level_counts
from shoal.hierarchy.recoding_files import read_recoding
from shoal.hierarchy.tree import (
    Hierarchy,
    common_ancestor,
    generalise,
    hierarchy_from_rows,
    level_of,
    semantic_distance,
)

__all__ = [
    "Covers",
    "Domain",
    "Hierarchy",
    "LevelCounts",
    "as_hierarchy",
    "common_ancestor",
    "date_hierarchy",
    "domain_of",
    "generalise",
    "hierarchy_by_hand",
    "hierarchy_by_similarity",
    "hierarchy_from_cuts",
    "hierarchy_from_edges",
    "hierarchy_from_prefixes",
    "hierarchy_from_quantiles",
    "hierarchy_from_rows",
    "hierarchy_from_widths",
    "hierarchy_of",
    "level_counts",
    "level_of",
    "read_covers",
    "read_hierarchy",
    "read_recoding",
    "semantic_distance",
    "with_hierarchies",
    "write_hierarchy",
]
