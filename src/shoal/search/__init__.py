"""Searches: functions of a table that find a file or an ingredient, such as columns to mask together."""

from collections.abc import Callable
from typing import Any

from shoal.search.column_groups.found_groups import ColumnGroups
from shoal.search.column_groups.gomm import d_gomm, gomm
from shoal.search.column_groups.grouping_costs import Cost, Effort, grouping_cost
from shoal.search.column_groups.groupings import (
    all_together,
    correlated_apart,
    correlated_together,
    each_alone,
    hand_made,
)
from shoal.search.files.evolve_file import EvolvedFile, evolve_file, file_figures
from shoal.search.files.file_fitness import Figures
from shoal.search.files.first_files import first_files
from shoal.search.pram.breed_pram import breed_pram, equation_matrices
from shoal.search.pram.equations import Equation
from shoal.search.pram.evolve_pram import evolve_pram
from shoal.search.pram.pram_result import PramMatrices
from shoal.search.recoding.found_recoding import FoundRecoding
from shoal.search.recoding.recode_to_k import find_recoding, recode_to_k
from shoal.table import Table

SLOW_MASKERS: tuple[Callable[..., Table], ...] = (evolve_file,)
RECODERS: tuple[Callable[..., Table], ...] = (recode_to_k,)
PRAM_SEARCHES: tuple[Callable[..., Any], ...] = (evolve_pram, breed_pram, equation_matrices)
SEARCHES: tuple[Callable[..., Any], ...] = (gomm, d_gomm)
GROUPINGS: tuple[Callable[..., list[list[str]]], ...] = (
    all_together,
    each_alone,
    correlated_together,
    correlated_apart,
)

__all__ = [
    "GROUPINGS",
    "PRAM_SEARCHES",
    "RECODERS",
    "SEARCHES",
    "SLOW_MASKERS",
    "ColumnGroups",
    "Cost",
    "Effort",
    "Equation",
    "EvolvedFile",
    "Figures",
    "FoundRecoding",
    "PramMatrices",
    "all_together",
    "breed_pram",
    "correlated_apart",
    "correlated_together",
    "d_gomm",
    "each_alone",
    "equation_matrices",
    "evolve_file",
    "evolve_pram",
    "file_figures",
    "find_recoding",
    "first_files",
    "gomm",
    "grouping_cost",
    "hand_made",
    "recode_to_k",
]
