"""Partitioners: (X, k) -> labels, one file per method."""

from shoal.partition._tour.tour_orders import TOURS, greedy, insertion, nearest_next, nearest_point_next
from shoal.partition.best import Certified, best
from shoal.partition.blockwise import blockwise
from shoal.partition.exhaustive import exhaustive
from shoal.partition.genetic import CROSSOVERS, genetic, multi_point, one_point, uniform
from shoal.partition.hac import hac
from shoal.partition.kmeans import kmeans
from shoal.partition.labels import means, members, relabel, sizes, sse
from shoal.partition.local_search import local_search
from shoal.partition.lower_bound import lower_bound
from shoal.partition.md import md
from shoal.partition.mdav import mdav
from shoal.partition.mf_tsp import mf_tsp
from shoal.partition.mst import mst
from shoal.partition.path import path
from shoal.partition.projection import projection
from shoal.partition.tfrp import tfrp
from shoal.partition.two_step import two_step
from shoal.partition.univariate import univariate
from shoal.partition.v_mdav import v_mdav
from shoal.types import Partitioner

PARTITIONERS: tuple[Partitioner, ...] = (
    *(mdav, local_search, best, v_mdav, md, tfrp, mst, hac, kmeans, path, mf_tsp, projection, univariate),
    *(genetic, two_step, exhaustive),
    blockwise,
)

__all__ = [
    "CROSSOVERS",
    "PARTITIONERS",
    "TOURS",
    "Certified",
    "best",
    "blockwise",
    "exhaustive",
    "genetic",
    "greedy",
    "hac",
    "insertion",
    "kmeans",
    "local_search",
    "lower_bound",
    "md",
    "mdav",
    "means",
    "members",
    "mf_tsp",
    "mst",
    "multi_point",
    "nearest_next",
    "nearest_point_next",
    "one_point",
    "path",
    "projection",
    "relabel",
    "sizes",
    "sse",
    "tfrp",
    "two_step",
    "uniform",
    "univariate",
    "v_mdav",
]
