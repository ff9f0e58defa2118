"""Maskers: table -> table, same rows, same order, changed values."""

from collections.abc import Callable

from shoal.masking.add_noise import add_noise
from shoal.masking.aggregate import aggregate
from shoal.masking.c_median import c_median
from shoal.masking.coding import bottom_code, top_code
from shoal.masking.constraints import group_constraint
from shoal.masking.global_median import global_median
from shoal.masking.global_recode import global_recode
from shoal.masking.group_records import group_records
from shoal.masking.individual_ranking import individual_ranking
from shoal.masking.microaggregate import microaggregate
from shoal.masking.mondrian import mondrian
from shoal.masking.pram import Transition, pram, transitions
from shoal.masking.pram_frequencies import PramFrequencies, pram_frequencies
from shoal.masking.pram_matrices import (
    estimate_frequencies,
    frequency_matrix,
    invariant_matrix,
    inverse_frequency_matrix,
)
from shoal.masking.protect_clusters import protect_clusters
from shoal.masking.rank_swap import rank_swap
from shoal.masking.shuffle import shuffle
from shoal.masking.suppress_to_k import suppress_to_k
from shoal.table import Table
from shoal.types import Matrix

MASKERS: tuple[Callable[..., Table], ...] = (
    microaggregate,
    individual_ranking,
    mondrian,
    global_median,
    protect_clusters,
    suppress_to_k,
    global_recode,
    top_code,
    bottom_code,
    pram,
    rank_swap,
    add_noise,
    shuffle,
)
PRAM_MATRICES: tuple[Callable[..., Matrix], ...] = (
    frequency_matrix,
    inverse_frequency_matrix,
    invariant_matrix,
)

__all__ = [
    "MASKERS",
    "PRAM_MATRICES",
    "PramFrequencies",
    "Transition",
    "add_noise",
    "aggregate",
    "bottom_code",
    "c_median",
    "estimate_frequencies",
    "frequency_matrix",
    "global_median",
    "global_recode",
    "group_constraint",
    "group_records",
    "individual_ranking",
    "invariant_matrix",
    "inverse_frequency_matrix",
    "microaggregate",
    "mondrian",
    "pram",
    "pram_frequencies",
    "protect_clusters",
    "rank_swap",
    "shuffle",
    "suppress_to_k",
    "top_code",
    "transitions",
]
