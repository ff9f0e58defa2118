"""Maskers: table -> table, same rows, same order, changed values."""

from collections.abc import Callable

from shoal.masking.clusters.c_median import c_median
from shoal.masking.clusters.global_median import global_median
from shoal.masking.clusters.protect_clusters import protect_clusters
from shoal.masking.fitting import FITTERS, RUN_ANEW, join_centres, mask_strata
from shoal.masking.keep_edits import keep_edits
from shoal.masking.microaggregation.aggregate import aggregate
from shoal.masking.microaggregation.constraints import group_constraint
from shoal.masking.microaggregation.group_records import group_records
from shoal.masking.microaggregation.individual_ranking import individual_ranking
from shoal.masking.microaggregation.microaggregate import microaggregate
from shoal.masking.noise.add_noise import add_noise
from shoal.masking.pram.estimates import estimate_crosstab, frequency_errors
from shoal.masking.pram.frequencies import PramFrequencies, pram_frequencies
from shoal.masking.pram.matrices import (
    estimate_frequencies,
    frequency_matrix,
    invariant_matrix,
    inverse_frequency_matrix,
)
from shoal.masking.pram.pram import Transition, pram, transitions
from shoal.masking.pseudonyms.key_files import read_key, read_key_table, write_key, write_key_table
from shoal.masking.pseudonyms.pseudonymise import pseudonymise
from shoal.masking.pseudonyms.random_numbers import number_randomly
from shoal.masking.recoding.global_recode import global_recode
from shoal.masking.recoding.mondrian import mondrian
from shoal.masking.recoding.multivariate_top_code import multivariate_top_code
from shoal.masking.recoding.top_bottom_code import bottom_code, top_code
from shoal.masking.sample_records import sample_records
from shoal.masking.suppression.found_suppression import FoundSuppression
from shoal.masking.suppression.join_suppressed import join_suppressed
from shoal.masking.suppression.suppress_to_k import find_suppression, suppress_to_k
from shoal.masking.swapping.rank_swap import rank_swap
from shoal.masking.swapping.shuffle import shuffle
from shoal.masking.swapping.swap_records import swap_records
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
    multivariate_top_code,
    pram,
    rank_swap,
    swap_records,
    add_noise,
    shuffle,
    keep_edits,
    join_centres,
    mask_strata,
)
PRAM_MATRICES: tuple[Callable[..., Matrix], ...] = (
    frequency_matrix,
    inverse_frequency_matrix,
    invariant_matrix,
)

__all__ = [
    "FITTERS",
    "MASKERS",
    "PRAM_MATRICES",
    "RUN_ANEW",
    "FoundSuppression",
    "PramFrequencies",
    "Transition",
    "add_noise",
    "aggregate",
    "bottom_code",
    "c_median",
    "estimate_crosstab",
    "estimate_frequencies",
    "find_suppression",
    "frequency_errors",
    "frequency_matrix",
    "global_median",
    "global_recode",
    "group_constraint",
    "group_records",
    "individual_ranking",
    "invariant_matrix",
    "inverse_frequency_matrix",
    "join_centres",
    "join_suppressed",
    "keep_edits",
    "mask_strata",
    "microaggregate",
    "mondrian",
    "multivariate_top_code",
    "number_randomly",
    "pram",
    "pram_frequencies",
    "protect_clusters",
    "pseudonymise",
    "rank_swap",
    "read_key",
    "read_key_table",
    "sample_records",
    "shuffle",
    "suppress_to_k",
    "swap_records",
    "top_code",
    "transitions",
    "write_key",
    "write_key_table",
]
